import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { DATABASE } from "../src/storage/file-names.ts";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer, temporaryFolder } from "./_server.ts";

describe("the theme catalogue", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  test("lists twelve themes by display name, to anyone, on one page", async () => {
    const response = await server.request("GET", "/api/v1/marketplace/themes");
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
    assert.equal(response.body.message, "Themes retrieved successfully");
    const names: string[] = response.body.data.map((theme: { display_name: string }) =>
      theme.display_name.toLowerCase(),
    );
    assert.equal(names.length, 12);
    assert.deepEqual(names, names.toSorted());
  });

  test("shows the fields of a theme in their order, with their types", async () => {
    const { data: themes } = await server.client().catalogue.list();
    for (const theme of themes) {
      assert.deepEqual(Object.keys(theme), [
        "id",
        "name",
        "display_name",
        "description",
        "author",
        "version",
        "thumbnail_url",
        "price",
        "is_free",
        "created_at",
        "updated_at",
      ]);
      assert.deepEqual([theme.price, theme.is_free, theme.thumbnail_url], [0, true, null]);
      assert.match(theme.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    }
  });

  test("shows one theme, under its id in either case", async () => {
    const theme = (await server.client().catalogue.list()).data[3]!;
    for (const id of [theme.id, theme.id.toUpperCase()]) {
      const { data, message } = await server.client().catalogue.get({ params: { id } });
      assert.deepEqual(data, theme);
      assert.equal(message, "Theme retrieved successfully");
    }
  });

  test("answers 404 for a theme that it does not have", async () => {
    for (const id of [randomUUID(), "nord"]) {
      const response = await server.request("GET", `/api/v1/marketplace/themes/${id}`);
      failure(response, 404, "Theme not found");
    }
  });
});

describe("an unpublished theme", () => {
  test("is in the catalogue no more, cannot be installed, and stays where it is", async () => {
    using folder = temporaryFolder();
    let hidden: string;
    let installed: string;
    let key: string;
    {
      await using server = await startServer({ folder: folder.path });
      const ada = await server.register();
      hidden = (await server.client().catalogue.list()).data[0]!.id;
      const { data } = await ada.client.userThemes.create({ body: { theme_id: hidden } });
      [installed, key] = [data.id, ada.key];
    }
    const file = join(folder.path, DATABASE);
    const sql = `UPDATE themes SET is_published = 0 WHERE id = '${hidden}'`;
    execFileSync("sqlite3", [file, sql]);

    await using server = await startServer({ folder: folder.path });
    const { catalogue, userThemes } = server.client({ key });
    const { data } = await catalogue.list();
    assert.equal(data.length, 11);
    assert.ok(!data.some((theme) => theme.id === hidden));
    await refused(catalogue.get({ params: { id: hidden } }), "not_found");
    const install = userThemes.create({ body: { theme_id: hidden, is_active: true } });
    assert.equal((await refused(install, "not_found")).message, "Theme not found");

    const params = { id: installed };
    assert.equal((await userThemes.list()).data[0]!.is_active, false);
    assert.equal(
      (await userThemes.update({ params, body: { is_active: 1 } })).data.is_active,
      true,
    );
    await userThemes.remove({ params });
  });
});

describe("user themes", () => {
  let server: TestServer;
  let ada: TestUser;
  /** The ids of the catalogue. */
  let themes: string[];
  before(async () => {
    server = await startServer();
    themes = (await server.client().catalogue.list()).data.map((theme) => theme.id);
  });
  after(() => server[Symbol.asyncDispose]());

  /** Each user starts without any. */
  const newcomer = async () => {
    ada = await server.register();
  };
  const install = async (body: object = {}) =>
    (await ada.client.userThemes.create({ body: { theme_id: themes[0]!, ...body } })).data;
  const update = (id: string, body: object) =>
    ada.client.userThemes.update({ params: { id }, body });
  const list = async () => (await ada.client.userThemes.list()).data;

  describe("install", () => {
    before(newcomer);

    test("answers 201 with the installation and its defaults", async () => {
      const response = await server.request("POST", "/api/v1/user/themes", {
        key: ada.key,
        body: { theme_id: themes[1]!.toUpperCase() },
      });
      assert.equal(response.status, 201);
      assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
      assert.equal(response.body.message, "Theme installed successfully");
      const { data } = response.body;
      assert.match(
        data.id,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.deepEqual(Object.entries(data), [
        ["id", data.id],
        ["user_id", ada.user.id],
        ["theme_id", themes[1]],
        ["is_active", false],
        ["custom_settings", null],
        ["created_at", "2026-11-20 12:00:00"],
      ]);
    });

    test("again updates the given fields, and answers 201 with the same installation", async () => {
      const custom_settings = { primary_color: "#123456" };
      const first = await install({ is_active: true, custom_settings });
      server.advance(1000);
      assert.deepEqual(await install(), first);
      assert.deepEqual(await install({ is_active: 0 }), { ...first, is_active: false });
      const response = await server.request("POST", "/api/v1/user/themes", {
        key: ada.key,
        body: { theme_id: themes[0], custom_settings: null },
      });
      assert.equal(response.status, 201);
      assert.deepEqual(response.body.data, { ...first, is_active: false, custom_settings: null });
      assert.equal((await list()).filter((one) => one.theme_id === themes[0]).length, 1);
    });

    test("of a theme that there is not is 404", async () => {
      const missing = await refused(install({ theme_id: randomUUID() }), "not_found");
      assert.equal(missing.message, "Theme not found");
    });

    test("needs a theme, by its UUID", async () => {
      for (const theme_id of [undefined, null, 5, "", "nord"]) {
        await invalid(install({ theme_id }), "theme_id");
      }
    });

    test("returns custom settings exactly as they were given", async () => {
      // As text: a program that copies fields would stumble over the name __proto__.
      const settings =
        '{"primary_color":"#123456","font size":1.5,"nested":[{"ü":null},[],{},false],' +
        String.raw`"__proto__":{"admin":true},"":"\u0000😀"}`;
      const response = await server.request("POST", "/api/v1/user/themes", {
        key: ada.key,
        body: `{"theme_id":"${themes[0]}","custom_settings":${settings}}`,
      });
      const shown = `"custom_settings":${settings}`;
      assert.ok(response.text.includes(shown), response.text);
      const { text } = await server.request("GET", "/api/v1/user/themes", { key: ada.key });
      assert.ok(text.includes(shown), text);
      assert.deepEqual((await install({ custom_settings: {} })).custom_settings, {});
    });

    test("refuses custom settings that are no object, too deep or too large", async () => {
      const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
      /** As JSON of so many bytes. */
      const sized = (bytes: number) => ({ a: "x".repeat(bytes - '{"a":""}'.length) });
      await install({ custom_settings: nested(32) });
      await install({ custom_settings: sized(64 * 1024) });
      for (const wrong of [[], "x", 5, true, nested(33), sized(64 * 1024 + 1)]) {
        await invalid(install({ custom_settings: wrong }), "custom_settings");
      }
    });

    test("is each user's own", async () => {
      const mine = await install({ is_active: true });
      const grace = await server.register();
      const { data: hers } = await grace.client.userThemes.create({
        body: { theme_id: mine.theme_id },
      });
      assert.notEqual(hers.id, mine.id);
      assert.equal(hers.is_active, false);
    });
  });

  describe("update", () => {
    before(newcomer);

    test("changes the given fields only", async () => {
      const theme = await install({ custom_settings: { font_size: "large" } });
      const { data, message } = await update(theme.id, { is_active: "yes" });
      assert.equal(message, "Theme updated successfully");
      assert.deepEqual(data, { ...theme, is_active: true });
      const custom_settings = { primary_color: "#000000" };
      const changed = { ...theme, is_active: true, custom_settings };
      assert.deepEqual((await update(theme.id, { custom_settings })).data, changed);
      assert.deepEqual(await list(), [changed]);
      const cleared = await update(theme.id, { custom_settings: null, is_active: null });
      assert.deepEqual(cleared.data, { ...theme, is_active: false, custom_settings: null });
    });

    test("without any of its fields leaves the record unchanged", async () => {
      const theme = await install({ is_active: true, custom_settings: { a: 1 } });
      assert.deepEqual((await update(theme.id, {})).data, theme);
      assert.deepEqual((await update(theme.id, { theme_id: themes[5] })).data, theme);
    });

    test("switches no other theme off", async () => {
      const first = await install({ theme_id: themes[2], is_active: true });
      const second = await install({ theme_id: themes[3], is_active: true });
      await update(second.id, { is_active: true });
      const active = new Set((await list()).filter((one) => one.is_active).map((one) => one.id));
      assert.ok(active.has(first.id) && active.has(second.id));
    });

    test("refuses custom settings that are no object", async () => {
      const { id } = await install();
      await invalid(update(id, { custom_settings: [] }), "custom_settings");
    });

    test("goes by the installation's id, not by the theme's", async () => {
      const { theme_id } = await install();
      for (const id of [theme_id, randomUUID()]) {
        const missing = await refused(update(id, { custom_settings: 5 }), "not_found");
        assert.equal(missing.message, "Theme not found");
      }
    });
  });

  describe("remove", () => {
    before(newcomer);

    test("answers null, and the theme can be installed anew", async () => {
      const theme = await install({ is_active: true });
      const params = { id: theme.id };
      assert.deepEqual(await ada.client.userThemes.remove({ params }), {
        success: true,
        message: "Theme uninstalled successfully",
        data: null,
      });
      assert.deepEqual(await list(), []);
      const missing = await refused(ada.client.userThemes.remove({ params }), "not_found");
      assert.equal(missing.message, "Theme not found");
      const again = await install();
      assert.notEqual(again.id, theme.id);
      assert.equal(again.is_active, false);
    });
  });

  test("are listed newest first, on one page", async () => {
    await newcomer();
    const ids = [];
    for (const theme_id of themes.slice(0, 5)) ids.push((await install({ theme_id })).id);
    // Installing a theme again does not make it newer.
    await install({ theme_id: themes[0] });
    const { body } = await server.request("GET", "/api/v1/user/themes", { key: ada.key });
    assert.deepEqual(Object.keys(body), ["success", "message", "data"]);
    assert.equal(body.message, "Themes retrieved successfully");
    assert.deepEqual(
      body.data.map((theme: { id: string }) => theme.id),
      ids.toReversed(),
    );
  });
});
