import { beforeEach, describe, expect, inject, test } from "vitest";

import { VitrineError } from "../../../src/index.js";
import { ModelAuthError } from "../../../src/model/index.js";
import type { CallingTask } from "../../../src/tools/index.js";
import type { FileRequest, ImageRequest } from "../../../src/write-code/call/file-request.js";
import { imageFacts } from "../../../src/write-code/images/image-facts.js";
import type { ImageModel, ImageModelRequest } from "../../../src/write-code/images/image-model.js";
import { makeImage, type ImageWork, type MadeImage } from "../../../src/write-code/images/make-image.js";
import { openaiImages } from "../../../src/write-code/images/openai-images.js";

const server = inject("imageServer");
const orders = async (): Promise<unknown> => (await fetch(`${server}/orders`)).json();
beforeEach(orders);

const requested = (path: string, image?: ImageRequest): FileRequest => ({
  ...{ index: 0, filename: path, path, kind: "image", description: "A grey square", externalImports: [] },
  internalImports: [],
  ...(image === undefined ? {} : { image }),
});

const work = (more: Partial<ImageWork> = {}): ImageWork => ({
  ...{ signal: new AbortController().signal, task: undefined, strike: (text: string) => text },
  ...more,
});

const served = (model: string, path = "v1"): ImageModel => openaiImages({ baseURL: `${server}/${path}`, model });

/** A drawing of the browser's own. */
async function drawn(type: string, width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.fillRect(0, 0, 5, 5);
  return new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
}

/** A model of one's own, that notes what it was asked. */
function own(
  answer: (request: ImageModelRequest, signal: AbortSignal | undefined) => Promise<Uint8Array<ArrayBuffer>>,
  asked: ImageModelRequest[] = [],
): ImageModel {
  return {
    name: "own",
    kind: "drawn",
    generate: async (request, options) => {
      asked.push(request);
      const bytes = await answer(request, options?.signal);
      return { bytes, mime: "image/png", notices: [] };
    },
  };
}

function faultOf(made: MadeImage): string {
  return made.kind === "failed" ? `${made.fault.code}: ${made.fault.message}` : `It was made, as ${made.mime}.`;
}

describe("an image file", () => {
  test("is made once, with 1024×1024 pixels where the call says nothing, and looked at (W60, W64)", async () => {
    const made = await makeImage(requested("logo.png"), served("gpt-image-1"), work());

    expect(made).toMatchObject({ kind: "image", mime: "image/png", model: "gpt-image-1", warnings: [] });
    expect(made.kind === "image" && imageFacts(made.bytes)?.size).toEqual({ width: 1024, height: 1024 });
    expect(await orders()).toEqual([
      { model: "gpt-image-1", prompt: "A grey square", n: 1, size: "1024x1024", output_format: "png" },
    ]);
  });

  test("has the size and format of its call (W65, W67)", async () => {
    const asked: ImageModelRequest[] = [];
    const drawing = own(({ width, height }) => drawn("image/jpeg", width, height), asked);

    const made = await makeImage(requested("a/PHOTO.JPG", { width: 64, height: 32, format: "jpg" }), drawing, work());

    expect(made).toMatchObject({ kind: "image", mime: "image/jpeg", warnings: [] });
    expect(asked).toEqual([{ prompt: "A grey square", width: 64, height: 32, format: "jpeg" }]);
  });

  test("of another size than was asked for is kept, and that is said", async () => {
    const made = await makeImage(requested("a.png", { width: 20, height: 10, format: "png" }), served("large"), work());

    expect(made).toMatchObject({
      kind: "image",
      warnings: ["It is 40×10 pixels, and 20×10 were asked for."],
    });
  });

  test.each([
    ["that is no image", "text", /png_open_failed|signature_mismatch/],
    ["that is cut off", "broken", /png_open_failed/],
  ])("%s is none (W62, W63)", async (_what, name, says) => {
    expect(faultOf(await makeImage(requested("a.png"), served(name), work()))).toMatch(says);
  });

  test("of another format than its name says is none, and the name that would fit is named", async () => {
    const drawing = own(() => drawn("image/webp", 8, 8));

    expect(faultOf(await makeImage(requested("img/a.b.png"), drawing, work()))).toMatch(
      /^IMAGE_FAILED: Error generating image: .*signature_mismatch.* It is webp: name it a\.b\.webp\.$/,
    );
  });

  test.each([
    ["a.bmp", served("gpt-image-1"), /ends in \.png, \.jpg, \.webp/],
    ["a.gif", served("gpt-image-1"), /cannot make the format that a\.gif is named for/],
    ["a.jpg", served("dall-e-3"), /ends in \.png\./],
    ["a.heic", own(() => drawn("image/png", 1, 1)), /ends in \.png, \.jpg, \.webp, \.gif/],
  ])("%s that the model cannot make is refused before it is asked", async (path, model, says) => {
    expect(faultOf(await makeImage(requested(path), model, work()))).toMatch(says);
    expect(await orders()).toEqual([]);
  });

  test("whose call asks for another format than its name is refused", async () => {
    const made = await makeImage(requested("a.png", { width: 1, height: 1, format: "webp" }), served("own"), work());

    expect(faultOf(made)).toMatch(/named for png, and the call asks for webp/);
  });
});

describe("the size of an image", () => {
  test.each(["image/png", "image/jpeg", "image/webp"])("%s is read where it begins", async (mime) => {
    const bytes = await drawn(mime, 300, 200);

    expect(imageFacts(bytes)).toEqual({ format: mime.slice(6), mime, size: { width: 300, height: 200 } });
    for (const length of [12, 20]) expect(imageFacts(bytes.subarray(0, length))?.size).toBeNull();
  });

  test("of a GIF is read, and of what is no image nothing", () => {
    const gif = Uint8Array.from([...new TextEncoder().encode("GIF89a"), 44, 1, 200, 0]);

    expect(imageFacts(gif)?.size).toEqual({ width: 300, height: 200 });
    expect(imageFacts(new TextEncoder().encode("<svg/>"))).toBeUndefined();
    expect(imageFacts(new Uint8Array())).toBeUndefined();
  });
});

describe("a server that no page may ask", () => {
  test("is an error that names CORS and the setting for a proxy", async () => {
    const says = faultOf(await makeImage(requested("a.png"), served("own", "closed/v1"), work()));

    expect(says).toMatch(/^IMAGE_FAILED: Error generating image: No answer from http.*\(CORS\)/);
    expect(says).toContain("`corsProxy`");
  });

  test("is asked through the proxy", async () => {
    const model = openaiImages({
      baseURL: `${server}/closed/v1`,
      model: "own",
      apiKey: "sk-of-a-test",
      corsProxy: `${server}/proxy?url=`,
    });

    expect(await makeImage(requested("a.png"), model, work())).toMatchObject({ kind: "image" });
  });
});

describe("an image that is not made", () => {
  test("because the budget of the task is reached costs no request, and one that is made is counted", async () => {
    let requests = 0;
    let tokens = 0;
    const task = (reached: VitrineError | null): CallingTask => ({
      taskId: "t",
      path: [],
      account: {
        reached,
        countModelCall: () => (requests += 1),
        countTokens: ({ outputTokens }) => (tokens += outputTokens),
      },
    });
    const counted: ImageModel = {
      ...{ name: "own", kind: "drawn" },
      generate: async () => {
        const bytes = await drawn("image/png", 1024, 1024);
        return { bytes, mime: "image/png", notices: [], usage: { inputTokens: 1, outputTokens: 50 } };
      },
    };
    class Reached extends VitrineError {
      readonly code = "BUDGET";
    }

    const refused = await makeImage(
      requested("a.png"),
      counted,
      work({ task: task(new Reached("10 requests are made.")) }),
    );
    expect(faultOf(refused)).toBe("BUDGET_REACHED: a.png was not made: 10 requests are made.");
    expect(requests).toBe(0);

    await makeImage(requested("a.png"), counted, work({ task: task(null) }));
    expect([requests, tokens]).toEqual([1, 50]);
  });

  test("because of the key says so by its code", async () => {
    const address = { model: "own", server: "https://example.org" };
    const locked = own(() => Promise.reject(new ModelAuthError(address, { status: 401, reason: "no", hasKey: false })));

    expect(faultOf(await makeImage(requested("a.png"), locked, work()))).toMatch(/^MODEL_AUTH: .*wants an API key/);
  });

  test("because the model hangs is given up, whether the model hears of it or not (W77)", async () => {
    const hanging = own(() => new Promise(() => undefined));

    expect(faultOf(await makeImage(requested("a.png"), hanging, work({ timeout: 20 })))).toMatch(
      /did not answer within/,
    );
  });

  test("because the call was stopped is not waited for (W78)", async () => {
    const stop = new AbortController();
    const stopping = own(() => {
      stop.abort();
      return new Promise(() => undefined);
    });

    expect(faultOf(await makeImage(requested("a.png"), stopping, work({ signal: stop.signal })))).toMatch(/^CANCELLED/);
    expect(faultOf(await makeImage(requested("a.png"), stopping, work({ signal: stop.signal })))).toMatch(/^CANCELLED/);
  });

  test("and its prompt hold no secret (W90)", async () => {
    const asked: ImageModelRequest[] = [];
    const strike = (text: string): string => text.replaceAll("hunter2", "[secret]");
    const telling = own(() => Promise.reject(new Error("no hunter2")), asked);

    const made = await makeImage({ ...requested("a.png"), description: "A sign: hunter2" }, telling, work({ strike }));

    expect(asked[0]?.prompt).toBe("A sign: [secret]");
    expect(faultOf(made)).toBe("IMAGE_FAILED: Error generating image: no [secret]");
  });
});
