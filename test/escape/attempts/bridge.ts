import { attacks } from "../../browser/executor/attacks.js";
import type { Attempt } from "./attempt.js";

/** Those that Comlink answers when nothing stands before it: each costs the attacker a session. */
const chosen: readonly string[] = [
  "GET of a function",
  "GET of constructor",
  "GET of everything",
  "SET of a function",
  "SET through __proto__",
  "APPLY of toString",
  "APPLY with a proxy as argument",
  "CONSTRUCT of constructor",
  "CONSTRUCT of Function",
  "ENDPOINT",
  "RELEASE",
];

/**
 * A person allowed the tool `once`, once. Python at the seal, where `sent` holds the
 * message of the call and `repeat` sends it again; its twin sends one to functions
 * that Comlink exposes, which do not ask.
 */
const repeated: readonly (readonly [name: string, code: string])[] = [
  ["a call replayed in its run", "tools.once()\nrepeat(sent)\ntime.sleep(0.3)"],
  ["a call replayed with its number", "tools.once()\nrepeat(sent, keep_number=True)\ntime.sleep(0.3)"],
  ["a call in the name of another run", 'tools.once()\nrepeat(sent, run="run-forged")\ntime.sleep(0.3)'],
  ["a call in the name of no run", 'tools.once()\nrepeat(sent, run="")\ntime.sleep(0.3)'],
  ["a call inside a call that was never made", 'tools.once()\nrepeat(sent, parent="call-forged")\ntime.sleep(0.3)'],
];

const replays: readonly Attempt[] = repeated.map(([name, code]) => ({
  name,
  ring: "bridge",
  group: "bridge",
  language: "python",
  sign: "effect",
  twin: "plain comlink",
  code: () => code,
}));

/** Comlink's wire protocol, spoken to the page by the worker. */
const wire: readonly Attempt[] = attacks
  .filter(({ name }) => chosen.includes(name))
  .map(({ name, message }) => ({
    name,
    ring: "bridge",
    group: "bridge",
    language: "json",
    sign: "effect",
    twin: "plain comlink",
    // An answer to it carries the same id.
    code: ({ mark }) => JSON.stringify(message).replace('"id":"attack"', `"id":${JSON.stringify(mark)}`),
  }));

export const bridge: readonly Attempt[] = [...wire, ...replays];
