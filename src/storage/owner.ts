/** The user whose rows a query may see: `seq` in the database, `id` towards the outside. */
export interface Owner {
  seq: number;
  id: string;
}
