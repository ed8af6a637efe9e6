import { describe, expect, onTestFinished, test } from "vitest";

import { ContentCheckEndedError, ContentValidator } from "../../../src/content/index.js";
import { sealedFrameHost, type WorkerHost } from "../../../src/executor/index.js";
import { ANSWERS } from "../../timeouts.mjs";

/** Tags that the parser of HTML has to put right again and again: minutes of work. */
const endless = { text: "<a><b><i><u><p>".repeat(3_000_000), format: "html" };
const fine = { text: "{}", format: "json" };

const frames = (): number => document.querySelectorAll("iframe").length;

function validator(options: ConstructorParameters<typeof ContentValidator>[0] = {}): ContentValidator {
  const made = new ContentValidator(options);
  onTestFinished(() => made.stop());
  return made;
}

/** The usual host, which tells how many workers were spawned. */
function countingHost(): { readonly host: WorkerHost; readonly spawned: () => number } {
  const inner = sealedFrameHost();
  let count = 0;
  const spawn: WorkerHost["spawn"] = (source) => {
    count += 1;
    return inner.spawn(source);
  };
  return { host: { kind: inner.kind, spawn }, spawned: () => count };
}

describe("a validation that must be ended", () => {
  test("one that does not end is killed at its deadline, and the next one has a new worker", async () => {
    const { host, spawned } = countingHost();
    const content = validator({ host });

    const late = content.validate(endless, { limits: { time: 300 } });
    const next = content.validate(fine);

    expect(await late).toMatchObject({
      kind: "invalid",
      code: "validation_timeout",
      message: expect.stringContaining("0.3 s"),
    });
    expect(await next).toMatchObject({ kind: "valid" });
    expect(spawned()).toBe(2);
  });

  test("a signal ends the one that runs, and nothing else", async () => {
    const content = validator();
    await content.validate(fine);
    const controller = new AbortController();

    const given = content.validate(endless, { signal: controller.signal });
    const next = content.validate(fine);
    controller.abort(new Error("no longer wanted"));

    await expect(given).rejects.toMatchObject({ code: "CONTENT_CHECK_ENDED", cause: { message: "no longer wanted" } });
    expect(await next).toMatchObject({ kind: "valid" });
  });

  test("one that waits for its turn is given up at once, and one with an aborted signal does not begin", async () => {
    const content = validator();
    const controller = new AbortController();
    const running = content.validate(endless);
    running.catch(() => undefined);

    const waiting = content.validate(fine, { signal: controller.signal });
    controller.abort();

    await expect(waiting).rejects.toBeInstanceOf(ContentCheckEndedError);
    await expect(content.validate(fine, { signal: controller.signal })).rejects.toBeInstanceOf(ContentCheckEndedError);
    content.stop();
    await expect(running).rejects.toMatchObject({ code: "CONTENT_CHECK_ENDED" });
  });

  test("workers are used again while they are healthy, whatever they were given", async () => {
    const { host, spawned } = countingHost();
    const content = validator({ host });
    // It is read for as long as it takes: what is late costs its worker, however healthy that is.
    const limits = { time: ANSWERS };

    const reports = [
      await content.validate(fine, { limits }),
      await content.validate({ text: "[".repeat(1_000_000), format: "yaml" }, { limits }),
      ...(await Promise.all(
        ["a: 1", "- b", "c"].map((text) => content.validate({ text, format: "yaml" }, { limits })),
      )),
    ];

    expect(reports.map(({ kind }) => kind)).toEqual(["valid", "invalid", "valid", "valid", "valid"]);
    expect(reports[1]).not.toMatchObject({ code: "validation_timeout" });
    expect(spawned()).toBe(1);
  });

  test("a worker with nothing to do is ended, and a later validation has another", async () => {
    const before = frames();
    const content = validator({ idle: 1 });

    await content.validate(fine);
    await expect.poll(frames).toBe(before);

    expect(await content.validate(fine)).toMatchObject({ kind: "valid" });
  });

  test("a worker whose frame was taken away costs one report, and not the next", async () => {
    const sealed = sealedFrameHost();
    let orders = 0;
    const spawn: WorkerHost["spawn"] = async (source) => {
      const spawned = await sealed.spawn(source);
      const post = spawned.port.postMessage.bind(spawned.port);
      spawned.port.postMessage = (message: unknown) => {
        post(message);
        orders += 1;
        if (orders === 1) document.querySelectorAll("iframe").forEach((frame) => frame.remove());
      };
      return spawned;
    };
    const content = validator({ host: { kind: sealed.kind, spawn } });

    const lost = await content.validate(endless);

    expect(lost).toMatchObject({ kind: "invalid", code: "validation_broke" });
    expect(await content.validate(fine)).toMatchObject({ kind: "valid" });
  });

  test("content is read in a frame of no origin, which reaches nothing", async () => {
    const content = validator();

    await content.validate(fine);

    const frame = [...document.querySelectorAll("iframe")].at(-1)!;
    expect(frame.getAttribute("sandbox")).toBe("allow-scripts");
    expect(frame.srcdoc).toContain("default-src 'none'");
  });

  test("what a worker sends that is no answer ends it", async () => {
    const { host, say } = strangeHost();
    const content = validator({ host });

    const broken = content.validate(fine);
    say({ kind: "checked", id: 1, finding: { kind: "readable", facts: "anything" } });

    expect(await broken).toMatchObject({ kind: "invalid", code: "validation_broke" });
  });
});

/** A worker in name: a port on which this test speaks, once it is listened to. */
function strangeHost(): { readonly host: WorkerHost; readonly say: (message: unknown) => void } {
  const { port1, port2 } = new MessageChannel();
  const never = new Promise<Error>(() => undefined);
  const spawn: WorkerHost["spawn"] = () => {
    port2.postMessage({ kind: "ready" });
    const blobUrls = { create: () => Promise.resolve([]), revoke: () => undefined };
    return Promise.resolve({
      ...{ port: port1, blobUrls, failed: never, removed: never },
      terminate: () => port1.close(),
      removal: () => undefined,
    });
  };
  const asked = new Promise((resolve) => (port2.onmessage = resolve));
  return { host: { kind: "page", spawn }, say: (message) => void asked.then(() => port2.postMessage(message)) };
}
