import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { openaiImages, type OpenAIImagesSettings } from "../../../src/write-code/images/openai-images.js";
import type { ImageModelRequest } from "../../../src/write-code/images/image-model.js";
import { json, startScriptedServer, type Answer, type ScriptedServer } from "../../servers/scripted-server.js";
import { countTurns } from "../count-turns.js";

const KEY = "sk-a-key-of-no-account";
const request: ImageModelRequest = { prompt: "A red square", width: 1024, height: 1536, format: "png" };
/** Eight bytes, as a PNG begins. */
const begin = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const image = Buffer.from(begin).toString("base64");
const sends: Answer = (_received, response) => {
  json(response, { created: 1, data: [{ b64_json: image }] });
};
const refuses =
  (status: number, error: unknown, headers: Record<string, string> = {}): Answer =>
  (_received, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error }));
  };

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.answerWith(sends);
});

const model = (more: Partial<OpenAIImagesSettings> = {}) =>
  openaiImages({ baseURL: `${server.origin}/v1/`, apiKey: KEY, model: "gpt-image-1", ...more });
const Body = z.record(z.string(), z.unknown());
const bodies = (): readonly unknown[] => server.received.map(({ body }) => Body.parse(JSON.parse(body.toString())));

describe("an image of OpenAI's API", () => {
  test("is asked for once, in the words of its model, and comes in base64 (W60, W65)", async () => {
    const made = await model().generate({ ...request, format: "webp" });

    expect(made).toEqual({ bytes: begin, mime: "image/png", notices: [], usage: null });
    expect(server.received.map(({ method, url }) => [method, url.pathname])).toEqual([
      ["POST", "/v1/images/generations"],
    ]);
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(bodies()).toEqual([
      { model: "gpt-image-1", prompt: "A red square", n: 1, size: "1024x1536", output_format: "webp" },
    ]);
  });

  test.each([
    ["dall-e-3", "png", { response_format: "b64_json" }],
    ["openai/gpt-image-1-mini", "jpeg", { output_format: "jpeg" }],
    ["flux", "png", { response_format: "b64_json" }],
    ["flux", "jpeg", { response_format: "b64_json", output_format: "jpeg" }],
  ])("%s is asked for %s in its own words", async (name, format, words) => {
    await model({ model: name, apiKey: "" }).generate({ ...request, format });

    expect(bodies()).toEqual([{ model: name, prompt: "A red square", n: 1, size: "1024x1536", ...words }]);
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  test("says which formats its model can make, where that is known", () => {
    expect(model().formats).toEqual(["png", "jpeg", "webp"]);
    expect(model({ model: "dall-e-2" }).formats).toEqual(["png"]);
    expect(model({ model: "flux" }).formats).toBeUndefined();
  });

  test("tells of tokens and of another prompt", async () => {
    server.answerWith((_received, response) => {
      const data = [{ b64_json: `data:image/png;base64,${image}`, revised_prompt: `A square, ${KEY}` }];
      json(response, { data, usage: { input_tokens: 12, output_tokens: 1000, total_tokens: 1012 } });
    });

    expect(await model().generate(request)).toMatchObject({
      bytes: begin,
      notices: ["The image was made of another prompt: A square, [API key]"],
      usage: { inputTokens: 12, outputTokens: 1000 },
    });
  });

  test("is asked for without a parameter that its server does not know, now and later", async () => {
    server.answerWith((received, response, count) => {
      const body = Body.parse(JSON.parse(received.body.toString()));
      const unknown = ["response_format", "size"].find((name) => body[name] !== undefined);
      if (unknown === undefined) sends(received, response, count);
      else refuses(400, { message: `Unknown parameter: '${unknown}'.`, param: unknown })(received, response, count);
    });
    const own = model({ model: "own" });

    const { notices } = await own.generate(request);
    await own.generate(request);

    expect(notices).toEqual([
      `"own" was asked without size, which its server does not take (Unknown parameter: 'size'.).`,
    ]);
    expect(bodies()).toHaveLength(4);
    expect(bodies().at(-1)).toEqual({ model: "own", prompt: "A red square", n: 1 });
  });

  test("of five megabytes is decoded in slices", async () => {
    const bytes = Buffer.alloc(5_000_000, 7);
    server.answerWith((_received, response) => {
      json(response, { data: [{ b64_json: bytes.toString("base64") }] });
    });
    const own = model();
    await own.generate(request);

    const turns = countTurns();
    const made = await own.generate(request);

    expect(turns()).toBeGreaterThan(100);
    expect(Buffer.compare(made.bytes, bytes)).toBe(0);
  });
});

describe("an images server that fails", () => {
  const faults: readonly {
    readonly what: string;
    readonly answer: Answer;
    readonly code: string;
    readonly says: RegExp;
  }[] = [
    {
      ...{ what: "a wrong key", code: "MODEL_AUTH", says: /refused the API key \(401: Incorrect key \[API key\]\)/ },
      answer: refuses(401, { message: `Incorrect key ${KEY}`, code: "invalid_api_key" }),
    },
    { what: "an empty account", code: "MODEL_QUOTA", says: /used up/, answer: refuses(402, { message: "No money" }) },
    {
      ...{ what: "a limit of the account", code: "MODEL_QUOTA", says: /used up/ },
      answer: refuses(400, { message: "Billing hard limit has been reached", code: "billing_hard_limit_reached" }),
    },
    {
      ...{ what: "too many requests", code: "MODEL_RATE_LIMIT", says: /Wait 7 seconds/ },
      answer: refuses(429, { message: "Slow down" }, { "retry-after": "7" }),
    },
    { what: "its own failure", code: "MODEL_SERVER", says: /500: oops/, answer: refuses(500, { message: "oops" }) },
    {
      ...{ what: "a size that it does not make", code: "MODEL_REQUEST", says: /Supported values are: '1024x1024'/ },
      answer: refuses(400, {
        message: "Invalid value: '1024x1536'. Supported values are: '1024x1024'.",
        param: "size",
      }),
    },
    {
      ...{
        what: "a prompt that it declines",
        code: "MODEL_REFUSED",
        says: /declined what it was asked \("Rejected by/,
      },
      answer: refuses(400, { message: "Rejected by the safety system.", code: "moderation_blocked" }),
    },
    {
      ...{ what: "an error in other words", code: "MODEL_REQUEST", says: /422: no such model/ },
      answer: (_received, response) => response.writeHead(422).end('{"detail": "no such model"}'),
    },
    {
      ...{ what: "a web page", code: "MODEL_RESPONSE", says: /not a reply of the OpenAI protocol/ },
      answer: (_received, response) => response.end("<!doctype html>"),
    },
    {
      ...{ what: "an address for an image", code: "MODEL_RESPONSE", says: /an address in place of the image/ },
      answer: (_received, response) => json(response, { data: [{ url: "https://example.org/a.png" }] }),
    },
    {
      ...{ what: "no base64", code: "MODEL_RESPONSE", says: /no base64/ },
      answer: (_received, response) => json(response, { data: [{ b64_json: "no base64!" }] }),
    },
    {
      ...{ what: "no image", code: "MODEL_RESPONSE", says: /no image in it/ },
      answer: (_received, response) => json(response, { data: [] }),
    },
    {
      ...{ what: "a redirect", code: "MODEL_RESPONSE", says: /redirects to another address/ },
      answer: (_received, response) => response.writeHead(302, { location: "/elsewhere" }).end(),
    },
    {
      ...{ what: "an answer without end", code: "MODEL_RESPONSE", says: /more than 32000000 bytes/ },
      answer: (_received, response) => response.writeHead(200, { "content-length": "40000000" }).end("{"),
    },
    {
      ...{
        what: "a broken connection",
        code: "MODEL_UNREACHABLE",
        says: /through a proxy of yours, which `corsProxy` names/,
      },
      answer: (_received, response) => response.destroy(),
    },
  ];

  test.each(faults)("$what is $code", async ({ answer, code, says }) => {
    server.answerWith(answer);

    const failing = model().generate(request);

    await expect(failing).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
    await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining(KEY) });
    expect(server.received).toHaveLength(1);
  });

  test("is given up after a while (W77)", async () => {
    server.answerWith(() => undefined);

    await expect(model({ timeout: 50 }).generate(request)).rejects.toMatchObject({ code: "MODEL_TIMEOUT", limit: 50 });
  });

  test("is not waited for once the signal is aborted (W78)", async () => {
    const stop = new AbortController();
    server.answerWith(() => {
      stop.abort(new Error("stopped"));
    });

    await expect(model().generate(request, { signal: stop.signal })).rejects.toThrow("stopped");
  });

  test.each([{ baseURL: "no address" }, { baseURL: "ftp://example.org" }, { apiKey: "with space" }, { model: " " }])(
    "settings %j are refused before anything is sent",
    (settings) => {
      expect(() => model(settings)).toThrow(expect.objectContaining({ code: "MODEL_SETTINGS" }));
    },
  );

  test("the key is nowhere to be found in what it says of itself", () => {
    expect(JSON.stringify(model())).not.toContain(KEY);
  });
});

test("a proxy is asked in place of the server, with its address encoded", async () => {
  await model({ baseURL: "https://images.example/v1", corsProxy: `${server.origin}/proxy?to={url}` }).generate(request);
  await model({ baseURL: "https://images.example/v1", corsProxy: `${server.origin}/` }).generate(request);

  expect(server.received.map(({ url }) => url.pathname + url.search)).toEqual([
    "/proxy?to=https%3A%2F%2Fimages.example%2Fv1%2Fimages%2Fgenerations",
    "/https://images.example/v1/images/generations",
  ]);
});
