import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from "vitest";

import { connectBridge, type BridgeConnection } from "../../../src/bridge/index.js";
import type { Session } from "../../../src/index.js";
import type { ProtocolViolationError } from "../../../src/protocol/index.js";
import { untilShown } from "../../timeouts.mjs";
import { hosts, openSession } from "../session/hosts.js";
import { attacks, worstAttacks } from "./attacks.js";

declare global {
  /** Set by an attack that came through. */
  var breached: unknown;
}

/** Every message that this page sends on a port. */
let posted: MockInstance<MessagePort["postMessage"]>;
/** The port that a test attacks from, where that is on the page itself. */
let attacker: MessagePort | undefined;

beforeEach(() => {
  // A spy that is given no other implementation lets the call through.
  posted = vi.spyOn(MessagePort.prototype, "postMessage");
});
afterEach(() => {
  vi.restoreAllMocks();
});

function expectNothingGained(): void {
  const answers = posted.mock.calls.filter(([message], call) => {
    return posted.mock.contexts[call] !== attacker && isAnswer(message);
  });
  expect(answers).toEqual([]);
  expect(globalThis.breached).toBeUndefined();
  expect("breached" in {}).toBe(false);
}

describe("Comlink spoken to the page's end of the bridge", () => {
  let port: MessagePort;
  let bridge: BridgeConnection;
  let violation: Promise<ProtocolViolationError>;

  beforeEach(() => {
    const { port1, port2 } = new MessageChannel();
    attacker = port = port2;
    const { promise, resolve } = Promise.withResolvers<ProtocolViolationError>();
    violation = promise;
    bridge = connectBridge(port1, {
      handlers: new Map(),
      onOutput: () => undefined,
      onPhase: () => undefined,
      onViolation: resolve,
      onLost: () => undefined,
    });
  });
  afterEach(() => {
    bridge.close();
    port.close();
    attacker = undefined;
  });

  test.each(attacks)("$name is a violation and gets nothing", async ({ message }) => {
    const open = nextMessage(port);
    void bridge.worker.complete("x");
    const { id } = (await open) as { id: string };

    send(port, message, id);

    expect((await violation).code).toBe("PROTOCOL_VIOLATION");
    expectNothingGained();
  });

  test("a reply counts once", async () => {
    const open = nextMessage(port);
    const completed = bridge.worker.complete("x");
    const { id } = (await open) as { id: string };
    const reply = { id, type: "RAW", value: { from: 0, options: [] } };
    port.postMessage(reply);
    await completed;

    port.postMessage(reply);

    expect((await violation).what).toBe("a reply that nobody asked for");
  });

  test("a getter on the page's side is never run for a path", async () => {
    port.postMessage({
      id: "attack",
      type: "APPLY",
      path: ["hasOwnProperty"],
      argumentList: [{ type: "RAW", value: "request" }],
    });

    await violation;
    expectNothingGained();
  });

  test("nothing is heard after a violation", async () => {
    port.postMessage(null);
    await violation;
    const heard = vi.fn();
    port.onmessage = heard;
    const call = { id: "later", type: "APPLY", path: ["output"], argumentList: [{ type: "RAW", value: [] }] };

    port.postMessage(call);

    // An answer would come before the echo of a message sent later on another channel.
    await echo();
    expect(heard).not.toHaveBeenCalled();
  });

  test("what follows a message with blobs is heard after it, but for how far the worker is", async () => {
    const heard: unknown[] = [];
    const { port1, port2 } = new MessageChannel();
    const other = connectBridge(port1, {
      handlers: new Map(),
      onOutput: (chunks) => heard.push(...chunks),
      onPhase: (runId, phase) => heard.push([runId, phase]),
      onViolation: (error) => heard.push(error),
      onLost: (error) => heard.push(error),
    });
    const call = (name: string, ...args: unknown[]): object => ({
      id: name,
      type: "APPLY",
      path: [name],
      argumentList: args.map((value) => ({ type: "RAW", value })),
    });
    const text = "é".repeat(3_000_000);
    const message = call("output", [{ kind: "stdout", text: new Blob([text]) }]);
    const place = ["argumentList", 0, "value", 0, "text"];
    port2.postMessage({ type: "BLOBS", message, places: [{ place, form: "text" }] });
    port2.postMessage(call("phase", "run", "finishing"));
    port2.postMessage(call("output", [{ kind: "stdout", text: "last" }]));

    await vi.waitFor(() => {
      expect(heard).toHaveLength(3);
    }, untilShown);
    other.close();
    port2.close();

    const [phase, first, last] = heard;
    expect(phase).toEqual(["run", "finishing"]);
    expect(first).toMatchObject({ kind: "stdout" });
    expect((first as { text: string }).text === text).toBe(true);
    expect(last).toEqual({ kind: "stdout", text: "last" });
  });

  test("blobs that are more together than a message may have are a violation before any of them is read", async () => {
    // One in many places: two gigabytes of their own would leave the browser no room for the workers of later tests.
    const large = new Blob([new Uint8Array(2 ** 26)]);
    const read = vi.spyOn(Blob.prototype, "slice");
    const texts = Array.from({ length: 40 }, () => ({ kind: "stdout", text: large }));
    const message = { id: "attack", type: "APPLY", path: ["output"], argumentList: [{ type: "RAW", value: texts }] };
    const places = texts.map((_, index) => ({ place: ["argumentList", 0, "value", index, "text"], form: "text" }));

    port.postMessage({ type: "BLOBS", message, places });

    expect((await violation).what).toBe("a message with blobs of another form");
    expect(read).not.toHaveBeenCalled();
    expectNothingGained();
  });

  test("a flood of proper calls is a violation before the page has read it all", async () => {
    const call = { id: "attack", type: "APPLY", path: ["output"], argumentList: [{ type: "RAW", value: [] }] };

    for (let sent = 0; sent < 20_000; sent += 1) port.postMessage(call);

    expect((await violation).what).toBe("more messages than the page can answer");
    const answers = posted.mock.calls.filter(([message], at) => posted.mock.contexts[at] !== port && isAnswer(message));
    expect(answers.length).toBeLessThan(5000);
  });

  test("as many calls one after the other are none", async () => {
    const call = { id: "mine", type: "APPLY", path: ["output"], argumentList: [{ type: "RAW", value: [] }] };
    let last: unknown;

    for (let sent = 0; sent < 5000; sent += 1) {
      const answer = nextMessage(port);
      port.postMessage(call);
      last = await answer;
    }

    expect(last).toMatchObject({ id: "mine", type: "RAW" });
  });

  test("too many pieces of output in one message are a violation", async () => {
    const value = Array.from({ length: 20_000 }, () => ({ kind: "stdout", text: "x" }));

    port.postMessage({ id: "large", type: "APPLY", path: ["output"], argumentList: [{ type: "RAW", value }] });

    expect((await violation).what).toBe('a call of "output" with other arguments');
  });

  test("a known function with proper arguments is answered", async () => {
    const answer = nextMessage(port);

    port.postMessage({ id: "mine", type: "APPLY", path: ["output"], argumentList: [{ type: "RAW", value: [] }] });

    expect(await answer).toMatchObject({ id: "mine", type: "RAW" });
  });
});

function nextMessage(port: MessagePort): Promise<unknown> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      resolve(data);
    };
  });
}

function send(port: MessagePort, message: unknown, openId: string): void {
  const { port1 } = new MessageChannel();
  const text = JSON.stringify(message);
  const real = JSON.parse(text, (_key, value: unknown) => {
    if (value === "PORT") return port1;
    return value === "OPEN" ? openId : value;
  }) as unknown;
  port.postMessage(real, text.includes('"PORT"') ? [port1] : []);
}

async function echo(): Promise<void> {
  for (let hop = 0; hop < 3; hop += 1) {
    const { port1, port2 } = new MessageChannel();
    const arrived = nextMessage(port2);
    port1.postMessage(null);
    await arrived;
  }
}

/**
 * Keeps every port that the worker sends on, and every message that comes back
 * on one. In Python, because a sealed frame evaluates no text as JavaScript.
 */
const capture = `
import js, time
from pyodide.ffi import create_proxy, to_js

ports, heard, kept = [], [], []
_post = js.MessagePort.prototype.postMessage

def _spy(this, message, *rest):
    if this not in ports:
        ports.append(this)
        this.addEventListener("message", create_proxy(lambda event: heard.append(js.structuredClone(event.data))))
    if getattr(message, "type", None) == "RAW" and not kept:
        kept.append(js.JSON.stringify(message))
    return js.Reflect.apply(_post, this, to_js([message, *rest]))

js.MessagePort.prototype.postMessage = create_proxy(_spy, capture_this=True)

def open_question():
    return next(message.id for message in heard if getattr(message, "path", None) and message.path[0] == "run")

def attack(text):
    """Send a message on every port."""
    for port in list(ports):
        transfer = [js.MessageChannel.new().port1] if '"PORT"' in text else []
        open_id = open_question() if '"OPEN"' in text else None
        def fill(key, value, *_context, ours=transfer, open_id=open_id):
            if value == "OPEN":
                return open_id
            return ours[0] if value == "PORT" else value
        message = js.JSON.parse(text, create_proxy(fill))
        js.Reflect.apply(_post, port, to_js([message, transfer]))

print("so that something is sent")
`;

/** By the end of the first sleep the question that started the run is heard. */
function attacking(text: string): string {
  return `time.sleep(0.02)\nattack(${text})\ntime.sleep(20)`;
}

describe.each(hosts)("Comlink spoken by session code at the $host host", ({ trust }) => {
  let session: Session;

  beforeEach(async () => {
    session = await openSession({ trust });
  });
  afterEach(async () => {
    await session.close();
  });

  test.each(worstAttacks)("$name ends the session and gets nothing", async ({ message }) => {
    expect((await session.run(capture)).error).toBeNull();

    const result = await session.run(attacking(JSON.stringify(JSON.stringify(message))));

    expect(result.error).toMatchObject({ code: "PROTOCOL_VIOLATION", pythonType: "ProtocolViolationError" });
    expectNothingGained();
    expect(session.state).toBe("closed");
    expect((await session.run("1")).error).toMatchObject({ code: "SESSION_CLOSED" });
  });

  test("a reply sent a second time ends the session", async () => {
    await session.run(capture);

    const { error } = await session.run(attacking("kept[0]"));

    expect(error).toMatchObject({ code: "PROTOCOL_VIOLATION" });
    expect(error?.message).toContain("a reply that nobody asked for");
  });

  test("messages past the port reach nobody", async () => {
    const message = worstAttacks.find(({ name }) => name.startsWith("CONSTRUCT"))?.message;

    const { value } = await session.run(
      // The sealed worker has no such function.
      `import js\ngetattr(js, "postMessage", print)(js.JSON.parse(${JSON.stringify(JSON.stringify(message))}))\n'still here'`,
    );

    expect(value).toBe("still here");
    expectNothingGained();
  });
});

/** A message with the attack's id, which only an answer has on the page's side. */
function isAnswer(message: unknown): boolean {
  return typeof message === "object" && message !== null && "id" in message && message.id === "attack";
}
