/** A message that the gate must not let through. */
export interface Attack {
  readonly name: string;
  /** "PORT" in it is a port of the attacker's own, "OPEN" the id of a question that waits for its answer. */
  readonly message: unknown;
}

const id = "attack";
const breach = raw("globalThis.breached = 1");

/** Comlink's own messages, wherever they lead, and others. */
export const attacks: readonly Attack[] = [
  { name: "GET of a function", message: { id, type: "GET", path: ["request"] } },
  { name: "GET of constructor", message: { id, type: "GET", path: ["constructor"] } },
  { name: "GET of everything", message: { id, type: "GET", path: [] } },
  { name: "SET of a function", message: { id, type: "SET", path: ["request"], value: raw(1) } },
  { name: "SET through __proto__", message: { id, type: "SET", path: ["__proto__", "breached"], value: raw(1) } },
  { name: "APPLY of constructor", message: apply(["constructor"]) },
  { name: "APPLY of toString", message: apply(["toString"]) },
  { name: "APPLY of __proto__", message: apply(["__proto__"]) },
  { name: "APPLY of the object itself", message: apply([]) },
  { name: "APPLY of a longer path", message: apply(["request", "constructor"], breach) },
  { name: "APPLY of a path that is a text", message: apply("request") },
  { name: "APPLY of a path that holds a list", message: apply([["request"]]) },
  { name: "APPLY without arguments", message: apply(["request"]) },
  { name: "APPLY with too many arguments", message: apply(["output"], raw([]), raw([])) },
  {
    name: "APPLY with arguments of another form",
    message: apply(["output"], raw([{ kind: "stdout", text: "x", more: 1 }])),
  },
  {
    name: "APPLY with a proxy as argument",
    message: apply(["output"], { type: "HANDLER", name: "proxy", value: "PORT" }),
  },
  { name: "APPLY with an error as argument", message: apply(["output"], thrown({ isError: false, value: 1 })) },
  { name: "APPLY with a port inside an argument", message: apply(["output"], raw(["PORT"])) },
  { name: "APPLY with a field more", message: { ...apply(["output"], raw([])), breached: 1 } },
  { name: "APPLY without an id", message: { ...apply(["output"], raw([])), id: undefined } },
  { name: "CONSTRUCT of constructor", message: { ...apply(["constructor"], breach), type: "CONSTRUCT" } },
  { name: "CONSTRUCT of Function", message: { ...apply(["constructor", "constructor"], breach), type: "CONSTRUCT" } },
  {
    name: "CONSTRUCT of a function's constructor",
    message: { ...apply(["request", "constructor"], breach), type: "CONSTRUCT" },
  },
  { name: "ENDPOINT", message: { id, type: "ENDPOINT" } },
  { name: "RELEASE", message: { id, type: "RELEASE" } },
  { name: "a reply that nobody asked for", message: { id, ...raw(1) } },
  {
    name: "an error that nobody asked for",
    message: { id, ...thrown({ isError: true, value: { message: "m", name: "n" } }) },
  },
  { name: "a proxy as reply", message: { id: "OPEN", type: "HANDLER", name: "proxy", value: "PORT" } },
  { name: "a thrown object as reply", message: { id: "OPEN", ...thrown({ isError: false, value: { breached: 1 } }) } },
  {
    name: "a thrown error with a field more as reply",
    message: { id: "OPEN", ...thrown({ isError: true, value: { message: "m", name: "n", breached: 1 } }) },
  },
  { name: "an attack in a message with blobs", message: blobs({ id, type: "GET", path: ["constructor"] }) },
  { name: "a blob that is none", message: blobs(apply(["output"], raw(["text"])), ["argumentList", 0, "value", 0]) },
  { name: "a blob in a prototype", message: blobs({}, ["__proto__", "breached"]) },
  { name: "a blob where nothing is", message: blobs(apply(["output"], raw([])), ["argumentList", 7, "value"]) },
  { name: "a blob that is the whole message", message: blobs("text", []) },
  { name: "blobs in blobs", message: blobs(blobs(apply(["output"], raw([])))) },
  { name: "a text", message: "attack" },
  { name: "nothing", message: null },
  { name: "a list", message: [apply(["output"], raw([]))] },
];

/** Those that would do most, for the slow way through an interpreter. */
export const worstAttacks: readonly Attack[] = attacks.filter(({ name }) =>
  [
    "CONSTRUCT of Function",
    "APPLY with a proxy as argument",
    "ENDPOINT",
    "SET through __proto__",
    "a proxy as reply",
  ].includes(name),
);

function apply(path: unknown, ...argumentList: unknown[]): object {
  return { id, type: "APPLY", path, argumentList };
}

function raw(value: unknown): { type: "RAW"; value: unknown } {
  return { type: "RAW", value };
}

/** A message of which the place leads to a blob, or to none. */
function blobs(message: unknown, place?: readonly (string | number)[]): unknown {
  return { type: "BLOBS", message, places: place === undefined ? [] : [{ place, form: "text" }] };
}

function thrown(value: unknown): { type: "HANDLER"; name: "throw"; value: unknown } {
  return { type: "HANDLER", name: "throw", value };
}
