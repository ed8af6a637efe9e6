import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { describe, expect, test } from "vitest";

import { githubDocumentPath } from "../../../bench/tokens/documents.js";
import type { Value } from "../../../src/protocol/index.js";
import { memorySecrets } from "../../../src/secrets/index.js";
import { json } from "../../servers/scripted-server.js";
import { differencesFrom } from "./openapi-contract.js";
import { callOperation, openApiService } from "./openapi-service.js";

const require = createRequire(import.meta.url);
const example = (path: string): string => readFileSync(require.resolve(`@readme/oas-examples/${path}`), "utf8");
const github = readFileSync(githubDocumentPath(), "utf8");

const service = openApiService();

function operationsOf(text: string): number {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
  return Object.values(paths).reduce(
    (sum, item) => sum + Object.keys(item).filter((key) => methods.includes(key)).length,
    0,
  );
}

describe("public documents", () => {
  test.each([
    ["GitHub", () => github, 1000],
    ["Petstore", () => example("3.0/json/petstore.json"), 20],
    ["Star Trek", () => example("3.0/json/star-trek.json"), 100],
    ["ReadMe", () => example("3.1/json/readme.json"), 50],
    ["Train Travel", () => example("3.1/json/train-travel.json"), 7],
    ["parameter styles", () => example("3.1/json/parameters-style.json"), 20],
    ["security", () => example("3.0/json/security.json"), 15],
    ["circular schemas", () => example("3.0/json/schema-circular.json"), 1],
  ])("each operation of %s becomes a callable or a named problem", async (_, read, atLeast) => {
    const text = read();
    const { adapter, problems } = await service.made(text);
    const { callables } = adapter.tool;
    const leftOut = problems.reduce((sum, { message }) => {
      const many = /^(\d+) operations are left out /.exec(message)?.[1];
      return sum + (message.includes(" is left out: ") ? 1 : Number(many ?? 0));
    }, 0);

    expect(callables.length + leftOut).toBe(operationsOf(text));
    expect(callables.length).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(callables.map(({ name }) => name)).size).toBe(callables.length);
    expect(callables.filter(({ name }) => !/^[A-Za-z]\w*$/.test(name)).map(({ name }) => name)).toEqual([]);
    expect(problems.filter(({ field }) => field?.startsWith("/") !== true)).toEqual([]);
    for (const { parameters, inputSchema } of callables) {
      expect(Object.keys(inputSchema?.properties ?? {})).toEqual(parameters.map(({ name }) => name));
    }
    // Of a large document a part tells enough.
    const looked = callables.filter((_callable, index) => index % Math.ceil(callables.length / 100) === 0);
    expect(danglingReferences(looked.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]))).toEqual(
      [],
    );
  });

  test("YAML gives what JSON gives", async () => {
    const [fromJson, fromYaml] = await Promise.all([
      service.made(example("3.1/json/train-travel.json")),
      service.made(example("3.1/yaml/train-travel.yaml")),
    ]);

    expect(fromYaml.adapter.tool.callables.map(({ name, parameters }) => [name, parameters])).toEqual(
      fromJson.adapter.tool.callables.map(({ name, parameters }) => [name, parameters]),
    );
  });

  test.each<[string, () => string, string, Record<string, Value>, { method: string; target: string }]>([
    [
      "GitHub",
      () => github,
      "repos_get",
      { owner: "me", repo: "a b" },
      { method: "GET", target: "/base/repos/me/a%20b" },
    ],
    [
      "GitHub",
      () => github,
      "repos_get_content",
      { owner: "me", repo: "x", path: "src/a b.ts", ref: "main" },
      { method: "GET", target: "/base/repos/me/x/contents/src/a%20b.ts?ref=main" },
    ],
    [
      "GitHub",
      () => github,
      "issues_create",
      { owner: "me", repo: "x", title: "It breaks", labels: ["bug", { name: "ui" }], assignees: ["you"] },
      { method: "POST", target: "/base/repos/me/x/issues" },
    ],
    [
      "GitHub",
      () => github,
      "actions_set_selected_repos_for_org_variable",
      { org: "o", name: "N", selected_repository_ids: [1, 2] },
      { method: "PUT", target: "/base/orgs/o/actions/variables/N/repositories" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "addPet",
      { name: "Rex", photoUrls: ["a"], category: { id: 1, name: "dogs" }, status: "sold" },
      { method: "POST", target: "/base/pet" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "findPetsByStatus",
      { status: ["available", "sold"] },
      { method: "GET", target: "/base/pet/findByStatus?status=available&status=sold" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "updatePetWithForm",
      { petId: 4, name: "Rex & co" },
      { method: "POST", target: "/base/pet/4" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "uploadFile",
      { petId: 4, file: new Uint8Array([1, 2]), additionalMetadata: "front" },
      { method: "POST", target: "/base/pet/4/uploadImage" },
    ],
    [
      "Petstore",
      () => example("3.0/json/petstore.json"),
      "createUsersWithListInput",
      { body: [{ username: "a" }, { username: "b" }] },
      { method: "POST", target: "/base/user/createWithList" },
    ],
    [
      "Train Travel",
      () => example("3.1/json/train-travel.json"),
      "get_trips",
      {
        origin: "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e",
        destination: "b2e783e1-c824-4d63-b37a-d8d698862f1d",
        date: "2024-02-01",
        bicycles: true,
      },
      {
        method: "GET",
        target:
          "/base/trips?origin=efdbb9d1-02c2-4bc3-afb7-6788d8782b1e&destination=b2e783e1-c824-4d63-b37a-d8d698862f1d&date=2024-02-01&bicycles=true",
      },
    ],
    [
      "Train Travel",
      () => example("3.1/json/train-travel.json"),
      "create_booking",
      { trip_id: "4f4e4e10-c824-4d63-b37a-d8d698862f1d", passenger_name: "John Doe", has_bicycle: true },
      { method: "POST", target: "/base/bookings" },
    ],
  ])("a request of %s to %s is as the document says", async (_, read, name, args, { method, target }) => {
    const text = read();
    service.server.answerWith((_received, response) => json(response, { ok: true }));
    const { adapter } = await service.made(text, {
      auth: { type: "bearer", token: "${TOKEN}" },
      secrets: memorySecrets({ TOKEN: "t0ken-1" }),
    });

    expect(await callOperation(adapter, name, args)).toEqual({ ok: true });

    const [received] = service.server.received;
    expect([received!.method, `${received!.url.pathname}${received!.url.search}`]).toEqual([method, target]);
    expect(received!.headers.authorization).toBe("Bearer t0ken-1");
    expect(differencesFrom(JSON.parse(text) as Record<string, unknown>, received!, "/base")).toEqual([]);
  });

  test("the styles of parameters are those of the standard", async () => {
    service.server.answerWith((_received, response) => json(response, null));
    const { adapter } = await service.made(example("3.1/json/parameters-style.json"));
    const args = { primitive: "blue", array: ["black", "b&w"], object: { R: 100, G: "x y" } };

    const sent = async (name: string, given: Record<string, Value> = args): Promise<string> => {
      await callOperation(adapter, name, given);
      const { url } = service.server.received.at(-1)!;
      return `${url.pathname.replace("/base/anything/", "")}${url.search}`;
    };

    expect(await sent("paths_standard")).toBe("path/blue/black,b%26w/R,100,G,x%20y");
    expect(await sent("paths_simple_exploded")).toBe("path/simple/blue/black,b%26w/R=100,G=x%20y");
    expect(await sent("paths_label_nonExploded")).toBe("path/label/.blue/.black,b%26w/.R,100,G,x%20y");
    expect(await sent("paths_label_exploded")).toBe("path/label/.blue/.black.b%26w/.R=100.G=x%20y");
    expect(await sent("paths_matrix_nonExploded")).toBe(
      "path/matrix/;primitive=blue/;array=black,b%26w/;object=R,100,G,x%20y",
    );
    expect(await sent("paths_matrix_exploded")).toBe(
      "path/matrix/;primitive=blue/;array=black;array=b%26w/;R=100;G=x%20y",
    );
    expect(await sent("query_form_nonExploded")).toBe("query/form?primitive=blue&array=black,b%26w&object=R,100,G,x+y");
    expect(await sent("query_form_exploded")).toBe("query/form?primitive=blue&array=black&array=b%26w&R=100&G=x+y");
    const { array, object } = args;
    expect(await sent("query_spaceDelimited_nonExploded", { array, object })).toBe(
      "query/spaceDelimited?array=black%20b%26w&object=R%20100%20G%20x+y",
    );
    expect(await sent("query_pipeDelimited_nonExploded", { array, object })).toBe(
      "query/pipeDelimited?array=black%7Cb%26w&object=R%7C100%7CG%7Cx+y",
    );
    expect(await sent("query_deepObject_nonExploded", { object: { R: 1, deep: { a: 2 }, list: [1, 2] } })).toBe(
      "query/deepObject?object%5BR%5D=1&object%5Bdeep%5D%5Ba%5D=2&object%5Blist%5D%5B0%5D=1&object%5Blist%5D%5B1%5D=2",
    );
    await callOperation(adapter, "headers_simple_exploded", args);
    expect(service.server.received.at(-1)!.headers).toMatchObject({
      primitive: "blue",
      array: "black,b&w",
      object: "R=100,G=x y",
    });
  });
});

/** `#/$defs/…` that lead nowhere. */
function danglingReferences(schemas: readonly unknown[]): string[] {
  return schemas.flatMap((schema) => {
    const text = JSON.stringify(schema ?? {});
    const names = new Set(Object.keys((schema as { $defs?: object } | undefined)?.$defs ?? {}));
    return [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)]
      .map(([, name]) => name!)
      .filter((name) => !names.has(name));
  });
}
