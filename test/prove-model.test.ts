import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Http } from "../build/prove/http.ts";
import { createHttp } from "../build/prove/http.ts";
import { compareAll } from "../build/prove/model.ts";
import { createTally } from "../build/prove/model/run.ts";
import { type TestServer, startServer } from "./_server.ts";

describe("the model of the API", () => {
  let server: TestServer;
  let http: Http;
  before(async () => {
    // The model compares timestamps with the real time.
    server = await startServer({ now: Date.now });
    http = createHttp(server.url);
  });
  after(async () => {
    http[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Compares some requests, and returns what was told of differences. */
  async function compare(own: Http, goal = 200): Promise<{ differences: number; told: string }> {
    const told: string[] = [];
    const options = { seed: 5, goal, shrinkMs: 1000 };
    const differences = await compareAll({ http: own }, createTally(), options, (line) => {
      told.push(line);
    });
    return { differences, told: told.join("\n") };
  }

  test("agrees with the server", async () => {
    assert.deepEqual(await compare(http), { differences: 0, told: "" });
  });

  test("notices a wrong answer, and names the request", async () => {
    const broken: Http = {
      ...http,
      async send(request) {
        const answer = await http.send(request);
        const isDelete = request.method === "DELETE" && answer.status === 200;
        return isDelete ? { ...answer, text: answer.text.replace("deleted", "removed") } : answer;
      },
    };
    // So many that something is deleted for sure; it ends with the first difference.
    const { differences, told } = await compare(broken, 2000);
    assert.equal(differences, 1);
    assert.match(told, /DELETE \/api\/v1\//);
    assert.match(told, /must be .*deleted successfully/);
  });
});
