import { expose } from "comlink";
import { z } from "zod";

import { functionTool, memoryStorage, Session, type ToolAdapter } from "../../../src/index.js";
import { MARK, type Attempt, type Place } from "../attempts/index.js";
import type { Outcome } from "./frame-ring.js";

/** What the twin of a replay sends: a call of the tool, made up. */
const CALL = JSON.stringify({
  id: "replayed",
  type: "APPLY",
  path: ["request"],
  argumentList: [{ type: "RAW", value: { id: 1, runId: "run-forged", parent: null, method: "tools.call" } }],
});

/** A tool that nobody has allowed a second time. */
function onceTool(mark: string): ToolAdapter {
  let runs = 0;
  return functionTool({
    name: "once",
    description: "May be called once.",
    input: z.object({}),
    run: () => {
      runs += 1;
      if (runs > 1) Reflect.set(globalThis, mark, "the tool ran again");
      return runs;
    },
  });
}

/** Milliseconds in which an answer would be there. */
const ANSWERING = 500;

/** The ids in the messages of the attacks are marks: an answer to one is a success. */
const answers: string[] = [];

/** Notes every message of the page that answers an attack, on whichever port. */
export function watchAnswers(): void {
  const original = Reflect.get(MessagePort.prototype, "postMessage");
  MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown, ...rest: never[]) {
    const id = answeredAttack(message);
    if (id !== null) answers.push(id);
    Reflect.apply(original, this, [message, ...rest]);
  };
}

/** The marks of the attacks that were answered since the last call. */
export function takeAnswers(): readonly string[] {
  return answers.splice(0);
}

/** Finds the port to the page as it is used, and sends the message on it. */
const capture = `
import js, json, time
from pyodide.ffi import create_proxy, to_js

ports = []
sent = []
_post = js.MessagePort.prototype.postMessage

def _spy(this, *arguments):
    if this not in ports:
        ports.append(this)
    text = js.JSON.stringify(arguments[0])
    if text and '"tools.call"' in text:
        sent.append((this, text))
    return js.Reflect.apply(_post, this, to_js(arguments))

js.MessagePort.prototype.postMessage = create_proxy(_spy, capture_this=True)

def attack(text):
    for port in list(ports):
        transfer = [js.MessageChannel.new().port1] if '"PORT"' in text else []
        fill = lambda key, value, *_: transfer[0] if value == "PORT" else value
        js.Reflect.apply(_post, port, to_js([js.JSON.parse(text, create_proxy(fill)), transfer]))

def repeat(messages, *, run=None, parent=None, keep_number=False):
    (port, text), *_ = messages
    message = json.loads(text)
    message["id"] = "replayed"
    request = message["argumentList"][0]["value"]
    if not keep_number:
        request["id"] += 1000
    request["payload"]["buffers"] = []
    if run is not None:
        request["runId"] = run
    if parent is not None:
        request["parent"] = parent
    js.Reflect.apply(_post, port, to_js([js.JSON.parse(json.dumps(message))]))

def flood(text):
    js.self.flood = ports[0]
    run_script = "const message = " + text + "; for (;;) flood.postMessage(message)"
    js.MessagePort.prototype.postMessage = _post
    url = js.URL.createObjectURL(js.Blob.new(to_js([run_script]), type="text/javascript"))
    js.Reflect.apply(js.WorkerGlobalScope.prototype.importScripts, js.self, to_js([url]))

print("so that something is sent")
`;

export async function attemptOverBridge(
  attempt: Attempt,
  { place, sealed }: { place: Place; sealed: boolean },
): Promise<Outcome> {
  const message = attempt.code(place);
  if (!sealed) return attackPlainly(attempt.language === "python" ? CALL : message, place.mark);
  let asked = 0;
  const session = await Session.open({
    storage: memoryStorage(),
    tools: [onceTool(place.mark)],
    approvals: { "tools.once": "ask" },
    onApproval: () => {
      asked += 1;
      return { decision: asked === 1 ? "allow" : "deny" };
    },
    onProblem: () => undefined,
  });
  try {
    await session.run(capture);
    const attack =
      attempt.language === "python"
        ? message
        : attempt.ruinous === true
          ? `flood(${JSON.stringify(message)})`
          : `attack(${JSON.stringify(message)})\ntime.sleep(${String(ANSWERING / 1000)})`;
    const { error } = await session.run(attack, { timeout: 1000 });
    return { gained: error === null, text: error?.message ?? "it was not refused" };
  } finally {
    await session.close();
  }
}

/** The same message to functions that Comlink exposes on a port, as its documentation shows. */
async function attackPlainly(message: string, mark: string): Promise<Outcome> {
  const { port1: page, port2: attacker } = new MessageChannel();
  const { port1: extra } = new MessageChannel();
  const request = ({ method }: { method?: string } = {}): null => {
    if (method === "tools.call") Reflect.set(globalThis, mark, "the tool ran");
    return null;
  };
  const functions = { request, output: () => null, phase: () => null };
  expose(functions, page);
  attacker.start();
  const answered = new Promise<string>((resolve) => {
    attacker.onmessage = () => {
      resolve("it was answered");
    };
    setTimeout(() => {
      resolve("nothing came");
    }, ANSWERING);
  });
  const filled: unknown = JSON.parse(message, (_key, value: unknown) => (value === "PORT" ? extra : value));
  attacker.postMessage(filled, message.includes('"PORT"') ? [extra] : []);
  return { gained: true, text: await answered };
}

function answeredAttack(message: unknown): string | null {
  if (typeof message !== "object" || message === null || !("id" in message) || "path" in message) return null;
  return typeof message.id === "string" && message.id.startsWith(MARK) ? message.id : null;
}
