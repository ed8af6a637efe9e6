import { describe, expect, test } from "vitest";

import { createMailbox, MailboxReader, MailboxWriter, type BridgeEvent } from "../../../src/protocol/index.js";

const reply = (id: number, text: string, ...buffers: Uint8Array<ArrayBuffer>[]): BridgeEvent => ({
  kind: "reply",
  id,
  payload: { text, buffers },
});

describe("the mailbox", () => {
  test("hands over an event with text and bytes", () => {
    const memory = createMailbox();
    new MailboxWriter(memory).send(reply(7, "grüße 😀", Uint8Array.of(1, 2), new Uint8Array()));

    expect(new MailboxReader(memory).read(0)).toEqual(reply(7, "grüße 😀", Uint8Array.of(1, 2), new Uint8Array()));
  });

  test("is empty when nothing was sent, and again after reading", () => {
    const memory = createMailbox();
    const reader = new MailboxReader(memory);

    expect(reader.read(0)).toBeUndefined();
    new MailboxWriter(memory).send(reply(1, "x"));
    expect(reader.read(0)).toBeDefined();
    expect(reader.read(0)).toBeUndefined();
  });

  test("says once that an interrupt was asked for, and does not block then", () => {
    const memory = createMailbox();
    const reader = new MailboxReader(memory);
    new MailboxWriter(memory).send({ kind: "interrupt" });

    expect(reader.read(Infinity)).toBeUndefined();
    expect(reader.takeInterrupt()).toBe(true);
    expect(reader.takeInterrupt()).toBe(false);
  });
});
