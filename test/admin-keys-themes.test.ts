import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { adminOf } from "./_admin.ts";
import { invalid, refused } from "./_expect.ts";
import { startServer } from "./_server.ts";

const nobody = "0b9f2f6c-7d0f-4c53-9a0e-0f6a3f1f7c11";

describe("the operator's keys", { concurrency: 2 }, () => {
  test("are those of all users, newest first, or of one", async () => {
    await using server = await startServer();
    const [ada, eve] = [await server.register(), await server.register()];
    const expires_at = "2999-01-31 00:00:00";
    await eve.client.keys.create({ body: { name: "ci", scopes: ["read"], expires_at } });
    await using admin = await adminOf(server.folder);
    const { data } = await admin.client.keys.list();
    assert.deepEqual(
      data.map(({ name, email }) => [name, email]),
      [
        ["ci", eve.user.email],
        ["Registration", eve.user.email],
        ["Registration", ada.user.email],
      ],
    );
    assert.equal(data[0]!.expires_at, expires_at);
    assert.deepEqual(data[0]!.scopes, ["read"]);
    assert.ok(!JSON.stringify(data).includes(ada.key));
    const own = await admin.client.keys.list({ query: { user_id: ada.user.id } });
    assert.deepEqual(
      own.data.map(({ user_id: id }) => id),
      [ada.user.id],
    );
  });

  test("end at once when they are revoked, and others do not", async () => {
    await using server = await startServer();
    const [ada, eve] = [await server.register(), await server.register()];
    await using admin = await adminOf(server.folder);
    const [key] = (await admin.client.keys.list({ query: { user_id: ada.user.id } })).data;
    await ada.client.todos.list();
    await admin.client.keys.revoke({ params: { id: key!.id } });
    await refused(ada.client.todos.list(), "unauthorized");
    await eve.client.todos.list();
    await refused(admin.client.keys.revoke({ params: { id: nobody } }), "not_found");
  });
});

describe("the operator's themes", { concurrency: 2 }, () => {
  const palette = {
    background: "#000000",
    foreground: "#ffffff",
    muted: "#808080",
    primary: "#0000ff",
    accent: "#ff00ff",
    success: "#00ff00",
    warning: "#ffff00",
    danger: "#ff0000",
  };

  test("are in the catalogue once added, with what is not given by default", async () => {
    await using server = await startServer();
    await using admin = await adminOf(server.folder);
    const body = { name: "sunrise", display_name: "Sunrise", palette };
    const { data } = await admin.client.themes.create({ body });
    const { installations, is_published: isPublished, ...theme } = data;
    assert.deepEqual([installations, isPublished], [0, true]);
    const shown = await server.client().catalogue.get({ params: { id: data.id } });
    assert.deepEqual(shown.data, theme);
    const { version, price, is_free: isFree, description } = theme;
    assert.deepEqual([version, price, isFree, description], ["1.0.0", 0, true, null]);
    await refused(admin.client.themes.create({ body }), "conflict");
  });

  test("with a price are not free, and unpublished ones are seen by the operator only", async () => {
    await using server = await startServer();
    await using admin = await adminOf(server.folder);
    const body = { name: "gold", display_name: "Gold", price: 2.5, is_published: false };
    const { data } = await admin.client.themes.create({ body });
    assert.deepEqual([data.price, data.is_free, data.is_published], [2.5, false, false]);
    await refused(server.client().catalogue.get({ params: { id: data.id } }), "not_found");
    const names = (await admin.client.themes.list()).data.map(({ name }) => name);
    assert.ok(names.includes("gold") && names.length === 13);
  });

  test("are listed by display name without regard to case, in all scripts", async () => {
    await using server = await startServer();
    await using admin = await adminOf(server.folder);
    const added = ["Zoo", "Étoile", "zebra", "école", "ärger"];
    for (const [i, name] of added.entries()) {
      await admin.client.themes.create({ body: { name: `own-${i}`, display_name: name, palette } });
    }
    const own = (themes: { name: string; display_name: string }[]) =>
      themes.filter(({ name }) => name.startsWith("own-")).map((theme) => theme.display_name);
    const expected = ["zebra", "Zoo", "ärger", "école", "Étoile"];
    assert.deepEqual(own((await server.client().catalogue.list()).data), expected);
    assert.deepEqual(own((await admin.client.themes.list()).data), expected);
  });

  test("are refused when a field is wrong", async () => {
    await using server = await startServer();
    await using admin = await adminOf(server.folder);
    const good = { name: "x", display_name: "X" };
    const add = (fields: object) => admin.client.themes.create({ body: { ...good, ...fields } });
    for (const name of ["", "None", "none", "two words", "-a", "a--b", "a\n", 5]) {
      await invalid(add({ name }), "name");
    }
    for (const price of [-1, "1", null]) await invalid(add({ price }), "price");
    for (const wrong of [{}, [], null, { ...palette, danger: "red" }]) {
      await invalid(add({ palette: wrong }), "palette");
    }
    await invalid(add({ display_name: " ", is_published: 1 }), "display_name", "is_published");
    await invalid(add({ thumbnail_url: "file:///etc/passwd" }), "thumbnail_url");
  });

  test("leave the catalogue when they are removed, and stay with those who have them", async () => {
    await using server = await startServer();
    const ada = await server.register();
    await using admin = await adminOf(server.folder);
    const find = async () =>
      (await admin.client.themes.list()).data.find((one) => one.name === "nord");
    const { id } = (await find())!;
    const body = { theme_id: id, custom_settings: { primary_color: "#ff8800" } };
    await ada.client.userThemes.create({ body });
    assert.equal((await find())!.installations, 1);
    await admin.client.themes.remove({ params: { id } });
    assert.equal(await find(), undefined);
    await refused(server.client().catalogue.get({ params: { id } }), "not_found");
    const { data } = await ada.client.userThemes.list();
    assert.deepEqual(data[0]!.custom_settings, body.custom_settings);
    await refused(admin.client.themes.remove({ params: { id } }), "not_found");
  });
});
