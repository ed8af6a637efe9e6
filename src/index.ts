/**
 * Vitrine: agent-written Python, run inside the browser tab.
 *
 * @packageDocumentation
 */

// Agents: those that write code and those that call tools, their tasks, events and budgets.
export * from "./agent/public.js";

// Models: what one is, the client of OpenAI's protocol, recordings.
export * from "./model/public.js";

// Work on the files of a project, programs by contract, what content is, and conversations that are decided round by round.
export * from "./codegen/public.js";
export * from "./coding/public.js";
export * from "./content/public.js";
export * from "./context/public.js";
export * from "./contract/public.js";
export * from "./turn-loop/public.js";

// Sessions, what they run Python in, and what a run gives back.
export * from "./bridge/public.js";
export * from "./check/public.js";
export * from "./executor/public.js";
export * from "./options/public.js";
export * from "./protocol/public.js";
export * from "./session/public.js";

// What a session keeps, where it keeps it, and what it takes from the page.
export * from "./artifacts/public.js";
export * from "./commands/public.js";
export * from "./deps/public.js";
export * from "./file-tools/public.js";
export * from "./secrets/public.js";
export * from "./skills/public.js";
export * from "./storage/public.js";
export * from "./workspace/public.js";

// Tools, what every call passes on its way, and a session as a tool for others.
export * from "./dispatch/public.js";
export * from "./outward/public.js";
export * from "./tools/public.js";
export * from "./write-code/public.js";
