/** The limits of the contract (section 8) and of the rulings, in one place. */
export const limits = {
  /** Characters (Unicode code points) of a title or a name. */
  name: 255,
  /** Characters; bcrypt reads no more than `passwordBytes`. */
  passwordMin: 8,
  /** `/auth/api-key` accepts passwords from before the minimum was raised. */
  legacyPasswordMin: 6,
  passwordBytes: 72,
  uri: 2048,
  /** UTF-8 bytes of a free-form object as JSON, and its nesting. */
  objectBytes: 64 * 1024,
  objectDepth: 32,
  bodyBytes: 1024 * 1024,
  perPage: { default: 50, max: 200 },
  /** Characters of `q`: for each one of them, a search may look at all text again. */
  search: 255,
  logEntries: { default: 50, max: 200 },
  /** Characters of an `id` filter that names a record by the start of its id. */
  idPrefixMin: 4,
  tokenSeconds: 3600,
} as const;
