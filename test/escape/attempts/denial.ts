import type { Attempt } from "./attempt.js";

type Case = readonly [name: string, code: string];

/** Each would stop the page for good if it ran there. */
const python: readonly Case[] = [
  ["an endless loop", "while True:\n    pass"],
  [
    "an endless loop that swallows its interrupts",
    "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
  ],
  ["a regular expression gone wild", 'import re\nre.match(r"(a+)+$", "a" * 60 + "b")'],
  ["a power too large", "len(str(7 ** (10 ** 8)))"],
  ["a flood of output", 'while True:\n    print("x" * 100)'],
  [
    "a recursion that catches its own limit",
    "def deeper():\n    while True:\n        try:\n            deeper()\n        except RecursionError:\n            pass\n\ndeeper()",
  ],
];

const javascript: readonly Case[] = [
  ["endless microtasks", "const next = () => Promise.resolve().then(next); next()"],
  ["a flood of messages past the port", "for (;;) postMessage(0)"],
  ["a flood of messages on a channel", "const { port1 } = new MessageChannel(); for (;;) port1.postMessage(0)"],
  ["a flood of reported errors", "for (;;) reportError(0)"],
  ["a flood of console messages", `for (;;) console.log("x")`],
  ["a bomb of workers", `const url = URL.createObjectURL(new Blob(["for (;;);"])); for (;;) new Worker(url)`],
  ["a bomb of blob URLs", `const blob = new Blob(["x"]); for (;;) URL.createObjectURL(blob)`],
  [
    "a fork bomb of promises",
    "const fork = () => { Promise.resolve().then(fork); Promise.resolve().then(fork); }; fork()",
  ],
  ["a bomb of timers", "for (;;) setTimeout(() => undefined)"],
];

/** On the port to the page, which the worker found: what its gate lets through. */
const floods: readonly Case[] = [
  ["a flood of phases", flood("phase", "", "running")],
  ["a flood of empty outputs", flood("output", [])],
  ["a flood of small outputs", flood("output", [{ kind: "stdout", text: "x" }])],
  [
    "a flood of requests",
    flood("request", { id: 1, runId: "", parent: null, method: "", payload: { text: "{}", buffers: [] } }),
  ],
];

function flood(name: string, ...args: unknown[]): string {
  const argumentList = args.map((value) => ({ type: "RAW", value }));
  return JSON.stringify({ id: "flood", type: "APPLY", path: [name], argumentList });
}

function attempts(language: "python" | "javascript", cases: readonly Case[]): readonly Attempt[] {
  return cases.map(([name, code]) => ({
    name,
    ring: "worker",
    group: "denial of service",
    language,
    sign: "stall",
    twin: "plain page",
    ruinous: true,
    ...(/\b(flood|bomb)\b/.test(name) ? { floods: true } : {}),
    code: () => code,
  }));
}

/** What WebKitGTK does not get out of when the worker is ended: the thread goes on until the page's process ends. */
const unending: readonly Attempt[] = [
  ...attempts("python", [["one long call of C", "sum(range(10 ** 13))"]]),
  ...attempts("javascript", [
    ["a loop in JavaScript", "for (;;);"],
    [
      "a flood of errors that a listener throws",
      `addEventListener("flood", () => { throw 0; }); for (;;) dispatchEvent(new Event("flood"))`,
    ],
  ]),
];

/** Runs end at their limit, sessions are killed where that does not help; page and neighbours go on. */
export const denial: readonly Attempt[] = [
  ...attempts("python", python),
  ...attempts("javascript", javascript),
  ...unending.map((attempt): Attempt => ({ ...attempt, outlivesIn: ["webkitgtk"] })),
  ...floods.map(([name, message]): Attempt => ({
    name,
    ring: "bridge",
    group: "denial of service",
    language: "json",
    sign: "stall",
    twin: "plain comlink",
    ruinous: true,
    floods: true,
    code: () => message,
  })),
];

/** Nothing shows that these succeed anywhere, so they are not counted: what is asserted is that nobody else suffers. */
export const denialWithoutTwin: readonly Attempt[] = [
  ...attempts("python", [
    ["a memory bomb", "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 24))"],
    ["endless recursion", "def deeper():\n    deeper()\n\ndeeper()"],
    ["a text that the parser's stack does not hold", 'eval("(" * 100_000 + ")" * 100_000)'],
    ["a huge value", '"x" * 200_000_000'],
    ["a huge traceback", 'raise ValueError("x" * 50_000_000)'],
    [
      "a hundred thousand pending tasks",
      "import asyncio\nawait asyncio.gather(*(asyncio.sleep(0) for _ in range(100_000)))",
    ],
    ["a tool's argument of 100 MB", 'tools.search("x" * 100_000_000)'],
  ]).map((attempt) => ({ ...attempt, twin: null })),
  ...attempts("javascript", [
    ["a memory bomb in JavaScript", "const hoard = []; for (;;) hoard.push(new Uint8Array(1 << 24).fill(1))"],
  ]).map((attempt) => ({ ...attempt, twin: null })),
  {
    name: "taking the start of another session",
    ring: "frame",
    group: "other sessions",
    language: "javascript",
    sign: "effect",
    twin: null,
    opensSession: true,
    // Until its frame is removed, which is once the other session has opened.
    code: () => `
      for (;;) {
        for (let at = 0; at < top.length; at += 1) {
          if (top[at] === parent) continue;
          const { port1 } = new MessageChannel(), { port2 } = new MessageChannel();
          top[at].postMessage("", "*", [port1, port2]);
        }
        await new Promise((resolve) => setTimeout(resolve));
      }`,
  },
];
