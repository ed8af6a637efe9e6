import { describe, expect, test } from "vitest";

import { loadToolFiles } from "../../../src/tools/index.js";
import { json } from "../../servers/scripted-server.js";
import { httpService, problemOf, secrets } from "./http-service.js";

const service = httpService();

describe("pages", () => {
  const books = Array.from({ length: 7 }, (_, index) => index);

  test("by cursor are joined, up to as many as were asked for", async () => {
    const recipe = "{path: books, paginate: {style: cursor, param: after, next: meta.next, items: data.items}}";
    service.server.answerWith(({ url }, response) => {
      const from = Number(url.searchParams.get("after") ?? 0);
      json(response, {
        data: { items: books.slice(from, from + 2) },
        meta: { next: from + 2 < 7 ? String(from + 2) : null },
      });
    });

    expect(await service.call(recipe)).toEqual({ data: { items: [0, 1] }, meta: { next: "2" } });
    expect(await service.call(recipe, { pages: 1 })).toEqual([0, 1]);
    expect(await service.call(recipe, { pages: 3 })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await service.call(recipe, { pages: 100 })).toEqual(books);
  });

  test("by number start where the call says, and end at a short one", async () => {
    const recipe =
      "{path: books, params: {p: {type: integer}, size: {type: integer, default: 3}}, paginate: {style: page, param: p, size: size}}";
    service.server.answerWith(({ url }, response) => {
      const from = (Number(url.searchParams.get("p") ?? 1) - 1) * 3;
      json(response, books.slice(from, from + 3));
    });

    expect(await service.call(recipe, { pages: 10 })).toEqual(books);
    expect(service.server.received.map(({ url }) => url.search)).toEqual(["?size=3", "?p=2&size=3", "?p=3&size=3"]);
    expect(await service.call(recipe, { pages: 10, p: 2 })).toEqual([3, 4, 5, 6]);
  });

  test("by offset go on after as many as came, also in a body, and end at an empty one", async () => {
    const recipe =
      "{path: books, method: POST, params: {from: {type: integer, in: body}}, paginate: {style: offset, param: from, items: list}}";
    service.server.answerWith(({ body }, response) => {
      const { from = 0 } = JSON.parse(body.toString() || "{}") as { from?: number };
      json(response, { list: books.slice(from, from + 4) });
    });

    expect(await service.call(recipe, { pages: 10 })).toEqual(books);
    expect(service.server.received.map(({ body }) => body.toString())).toEqual(["", '{"from":4}', '{"from":7}']);
  });

  test("by links of the header or of the answer are followed at the same site, with the same secrets", async () => {
    const auth = "auth: {type: bearer, token: '${TOKEN}'}";
    service.server.answerWith(({ url }, response) => {
      const page = Number(url.searchParams.get("page") ?? 1);
      const link = page < 3 ? `</v1/books?page=${String(page + 1)}>; rel="next", <x>; rel="last"` : "";
      json(response, page, { link });
    });
    await expect(
      service.call("{path: books, paginate: {style: link}}", { pages: 5 }, { secrets, file: auth }),
    ).rejects.toThrow("the answer is no list");

    service.server.answerWith(({ url }, response) => {
      const page = Number(url.searchParams.get("page") ?? 1);
      const target = `${service.server.origin}/v1/books?page=${String(page + 1)}`;
      json(
        response,
        { of: [page], next: page < 3 ? target : null },
        { link: page < 3 ? `<${target}>; title="a, b"; rel="next last"` : "" },
      );
    });
    const recipe = (more: string): string => `{path: books, paginate: {style: link, items: of${more}}}`;

    expect(await service.call(recipe(""), { pages: 5 }, { secrets, file: auth })).toEqual([1, 2, 3]);
    expect(await service.call(recipe(", next: next"), { pages: 2 }, { secrets, file: auth })).toEqual([1, 2]);
    expect(new Set(service.server.received.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer t0ken-of-the-library"]),
    );
  });

  test("at another site are not asked for", async () => {
    service.server.answerWith((_, response) => json(response, [1], { link: '<https://evil.example/x>; rel="next"' }));

    await expect(service.call("{path: books, paginate: {style: link}}", { pages: 2 })).rejects.toThrow(
      "another site (https://evil.example)",
    );
  });

  test("that lead back end the walk", async () => {
    service.server.answerWith((_, response) => json(response, { items: [1], next: "same" }));

    const recipe = "{path: books, paginate: {style: cursor, param: c, next: next, items: items}}";

    expect(await service.call(recipe, { pages: 50 })).toEqual([1, 1]);
  });

  test.each([0, -1, 101, 1.5, "all"])("%j are refused", async (pages) => {
    const recipe = "{path: books, paginate: {style: page}}";

    await expect(service.call(recipe, { pages })).rejects.toMatchObject({
      code: "TOOL_ARGUMENT",
      message: expect.stringContaining("pages"),
    });
  });

  test("are asked for by another name where a parameter has that one", () => {
    const file = (more: string): string =>
      `name: x\ntype: http\nbase_url: https://a.example\nrecipes:\n  get:\n    params: {pages: {}}\n    paginate: {style: page${more}}\n`;

    expect(problemOf(file(""))).toMatchObject({ line: 7, field: "recipes.get.paginate" });
    const { adapters } = loadToolFiles([{ file: "tools/x.yaml", text: file(", argument: max_pages") }]);
    expect(adapters[0]!.tool.callables[0]!.parameters.map(({ name }) => name)).toEqual(["pages", "max_pages"]);
  });
});
