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

/** Comlink's wire protocol, spoken to the page by the worker. */
export const bridge: readonly Attempt[] = attacks
  .filter(({ name }) => chosen.includes(name))
  .map(({ name, message }) => ({
    name,
    ring: "bridge",
    group: "bridge",
    language: "json",
    sign: "effect",
    control: "plain comlink",
    code: () => JSON.stringify(message),
  }));
