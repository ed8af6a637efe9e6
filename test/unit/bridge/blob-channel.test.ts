import { beforeEach, describe, expect, test } from "vitest";

import { BlobChannel, createBatch, type BlobUrls } from "../../../src/bridge/index.js";
import { decodeMail, readSpelling, readySign, type BridgeEvent, type Mail } from "../../../src/protocol/index.js";

/** Blob URLs without a browser: what a worker could read. */
class Board implements BlobUrls {
  readonly alive = new Map<string, Blob>();
  readonly order: string[] = [];

  create(blob: Blob, count: number): Promise<string[]> {
    const urls = Array.from({ length: count }, () => `blob:null/${crypto.randomUUID()}`);
    for (const url of urls) this.alive.set(url, blob);
    return Promise.resolve(urls);
  }

  revoke(urls: readonly string[]): void {
    for (const url of urls) {
      this.alive.delete(url);
      this.order.push(url);
    }
  }

  async read(batch: readonly string[]): Promise<Mail> {
    const blob = this.alive.get(readSpelling(batch, (url) => !this.alive.has(url)));
    if (blob === undefined) throw new Error("no mail");
    return decodeMail(new Uint8Array(await blob.arrayBuffer()));
  }
}

const reply = (id: number, text: string, ...buffers: Uint8Array<ArrayBuffer>[]): BridgeEvent => ({
  kind: "reply",
  id,
  payload: { text, buffers },
});

/** Lets everything settle that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("the blob channel", () => {
  let board: Board;
  let batch: readonly string[];
  let channel: BlobChannel;

  beforeEach(async () => {
    board = new Board();
    batch = await createBatch(board);
    channel = new BlobChannel(board, batch);
  });

  test("spells nothing until there is an event", async () => {
    await settle();

    expect(readySign(batch).every((url) => board.alive.has(url))).toBe(true);
  });

  test("hands over an event with text and bytes, and the next batch", async () => {
    const event = reply(7, "grüße 😀", Uint8Array.of(1, 2), new Uint8Array());
    channel.send(event);
    await settle();

    const mail = await board.read(batch);
    expect(mail.events).toEqual([event]);
    expect(mail.nextBatch.every((url) => board.alive.has(url))).toBe(true);
  });

  test("says last that the address is complete", async () => {
    channel.send(reply(1, "x"));
    await settle();

    expect(board.order.slice(-2)).toEqual(readySign(batch));
  });

  test("answers that come while a mail is out wait for it, and then go together in order", async () => {
    for (let id = 1; id <= 20; id += 1) channel.send(reply(id, String(id)));
    await settle();
    const first = await board.read(batch);
    channel.send(reply(21, "21"));
    channel.send(reply(22, "22"));
    await settle();
    expect(readySign(first.nextBatch).every((url) => board.alive.has(url))).toBe(true);

    channel.taken(first.number);
    await settle();
    const second = await board.read(first.nextBatch);

    expect([...first.events, ...second.events].map(({ id }) => id)).toEqual(
      Array.from({ length: 22 }, (_, i) => i + 1),
    );
  });

  test("answers of megabytes go in one mail as far as they can be copied in one go", async () => {
    const sent = [1, 2, 3, 4, 5].map((id) => reply(id, String(id), new Uint8Array(id < 5 ? 5_000_000 : 20_000_000)));
    for (const event of sent) channel.send(event);

    const mails: number[][] = [];
    let current = batch;
    while (mails.length < 3) {
      await settle();
      const mail = await board.read(current);
      mails.push(mail.events.map(({ id }) => id));
      channel.taken(mail.number);
      current = mail.nextBatch;
    }

    expect(mails).toEqual([[1, 2], [3, 4], [5]]);
  });

  test("what was read is let go of, however many mails there were", async () => {
    const inUse = board.alive.size;
    let current = batch;
    for (let id = 1; id <= 5; id += 1) {
      channel.send(reply(id, "x"));
      await settle();
      const mail = await board.read(current);
      channel.taken(mail.number);
      current = mail.nextBatch;
      await settle();
    }

    expect(board.alive.size).toBe(inUse);
  });

  test("a receipt for another mail changes nothing", async () => {
    channel.send(reply(1, "x"));
    await settle();

    channel.taken(99);

    expect((await board.read(batch)).events).toEqual([reply(1, "x")]);
  });

  test("closing lets go of everything", async () => {
    channel.send(reply(1, "x"));
    await settle();
    channel.close();
    await settle();

    expect(board.alive.size).toBe(0);
  });
});
