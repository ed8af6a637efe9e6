import { beforeEach, describe, expect, inject, test } from "vitest";

import type { ToolProgress } from "../../../src/tools/index.js";
import { callRecipe } from "../../lone-calls/recipe-call.js";

/** Another origin than the page's: it sees the headers that the service exposes, and no others. */
const base = `${inject("toolServer")}/open~headers`;

async function requests(): Promise<readonly string[]> {
  const log = (await (await fetch(`${base}/log`)).json()) as { readonly url: string }[];
  return log.map(({ url }) => url);
}

beforeEach(async () => {
  await fetch(`${base}/log/clear`);
});

describe("Retry-After of another origin", () => {
  const file = "retry: {delay: 0.001, max_delay: 5}";
  const recipe = (more: string): string => `{path: busy, preset: {times: 1${more}}}`;

  test("is heeded where it is exposed: more patience than the file has ends the call with the seconds asked for", async () => {
    const failure = await callRecipe(recipe(", after: '120', expose: Retry-After"), {}, { base, file }).catch(
      (error: unknown) => error,
    );

    expect((failure as { details(): unknown }).details()).toMatchObject({ status: 429, retry_after: 120 });
    expect(await requests()).toHaveLength(1);
  });

  test("that is exposed and asks for little is waited for, and the request made again", async () => {
    expect(await callRecipe(recipe(", after: '0', expose: Retry-After"), {}, { base, file })).toBe("done");
    expect(await requests()).toHaveLength(2);
  });

  test("is not seen where it is not exposed: the file's own delays count, and the error knows no seconds", async () => {
    const done = await callRecipe(recipe(", after: '120'"), {}, { base, file });
    await fetch(`${base}/log/clear`);
    const failure = await callRecipe("{path: busy, preset: {times: 9, after: '120'}}", {}, { base, file }).catch(
      (error: unknown) => error,
    );

    expect(done).toBe("done");
    const details = (failure as { details(): Record<string, unknown> }).details();
    expect(details).toMatchObject({ status: 429, attempts: 3 });
    expect(details).not.toHaveProperty("retry_after");
    expect(await requests()).toHaveLength(3);
  });
});

describe("Link of another origin", () => {
  const recipe = (more = ""): string => `{path: pages, preset: {of: 3${more}}, paginate: {style: link}}`;

  async function pages(of: string, count: number): Promise<{ readonly value: unknown; readonly said: ToolProgress[] }> {
    const said: ToolProgress[] = [];
    const value = await callRecipe(of, { pages: count }, { base, report: (progress) => said.push(progress) });
    return { value, said };
  }

  test("is followed where it is exposed", async () => {
    expect(await pages(recipe(", expose: Link"), 9)).toEqual({ value: [1, 2, 3], said: [] });
    expect(await requests()).toHaveLength(3);
  });

  test("is not seen where it is not exposed: the first page is the last, and a report says why there may be more", async () => {
    const { value, said } = await pages(recipe(), 9);

    expect(value).toEqual([1]);
    expect(said).toEqual([
      {
        progress: 1,
        total: 9,
        message: expect.stringContaining("Access-Control-Expose-Headers: Link") as string,
      },
    ]);
    expect(await requests()).toHaveLength(1);
  });

  test("is not missed where one page was asked for", async () => {
    expect(await pages(recipe(), 1)).toEqual({ value: [1], said: [] });
  });
});
