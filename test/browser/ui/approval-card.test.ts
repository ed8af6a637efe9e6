import "../../../src/ui/styles/dialogs.css";

import { afterEach, expect, test } from "vitest";

import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import { ApprovalCard } from "../../../src/ui/components/questions/approval-card.js";
import { Approvals } from "../../../src/ui/state/questions/approvals.js";
import { untilShown } from "../../timeouts.mjs";
import { approvalRequest } from "../../unit/ui/agent-events.js";

const request = approvalRequest();

afterEach(() => {
  document.body.replaceChildren();
});

async function cardOf(asked: ApprovalRequest): Promise<ApprovalCard> {
  const card = new ApprovalCard();
  const nothing = (): void => undefined;
  card.pending = {
    request: asked,
    place: "task",
    allowOnce: nothing,
    allowAll: nothing,
    deny: nothing,
    denyAll: nothing,
  };
  document.body.append(card);
  await card.updateComplete;
  return card;
}

async function shown(path: ApprovalRequest["path"]): Promise<string> {
  const card = await cardOf({ ...request, path });
  return card.textContent.replaceAll(/\s+/g, " ");
}

test("who asks is told with the agents on the way to it", async () => {
  const [root] = request.path;
  if (root === undefined) throw new Error("A path begins with an agent.");
  const manager = { name: "manager", taskId: "task-2", callId: "call-1" };
  const clerk = { name: "clerk", taskId: "task-3", callId: "call-2" };

  expect(await shown([root])).toContain("An agent's code asks, in a sandboxed session.");
  expect(await shown([root, manager, clerk])).toContain("The code of the agent manager → clerk asks");
});

test("what counts is above the arguments: where calls go, whose tool it is, what may follow", async () => {
  const text = async (asked: Partial<ApprovalRequest>): Promise<string> => {
    const card = await cardOf({ ...request, ...asked });
    return card.querySelector("p.hint")?.textContent ?? "";
  };

  expect(await text({ hosts: ["api.example.com", "b.example.com:8443"] })).toContain(
    "Its calls go to api.example.com, b.example.com:8443.",
  );
  expect(await text({ definitionId: "d1" })).toContain(
    "Code of the session defined this tool; it is none of the page's.",
  );
  expect(await text({ name: "tools.register" })).toContain("Code can change later what the tool does");
  expect(await text({ hints: { destructive: true } })).toContain("remove or overwrite data that cannot be recovered");
});

test("who asks, for what and why come before whatever code can lengthen", async () => {
  const hints = { destructive: true };
  const card = await cardOf({
    ...request,
    reason: "It may cost.",
    hosts: ["api.example.com"],
    hints,
    arguments: { text: "long" },
  });

  const whole = card.textContent;
  const places = [request.name, "asks", "It may cost.", "api.example.com", "cannot be recovered", "long"].map((part) =>
    whole.indexOf(part),
  );
  expect(places).not.toContain(-1);
  expect(Math.max(...places.slice(0, -1))).toBeLessThan(whole.lastIndexOf("long"));
  const [name, argument] = [card.querySelector("h2, h3, h4, b"), card.querySelector("dd")];
  expect(name && argument && name.compareDocumentPosition(argument) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("each answer is one click: once, for the task, not this, not in this task", async () => {
  const card = await cardOf(request);
  const given: string[] = [];
  card.pending = {
    request,
    place: "task",
    allowOnce: () => given.push("allowOnce"),
    allowAll: () => given.push("allowAll"),
    deny: () => given.push("deny"),
    denyAll: () => given.push("denyAll"),
  };
  await card.updateComplete;

  for (const button of card.querySelectorAll<HTMLButtonElement>("button")) button.click();

  expect(given.sort()).toEqual(["allowAll", "allowOnce", "deny", "denyAll"]);
});

test("each argument has a box of its own height, so that none pushes another out of sight", async () => {
  const card = await cardOf({ ...request, arguments: { text: "\n".repeat(400), source: "the end" } });

  const [text, source] = card.querySelectorAll("dd pre");
  expect(text?.getBoundingClientRect().height).toBeLessThan(300);
  expect(source?.textContent).toBe("the end");
});

test("a name and an argument show what would not be seen, or be taken for something else", async () => {
  const card = await cardOf({
    ...request,
    name: "skills.h\u0435lper",
    reason: "Because\u202e.",
    arguments: { "to\u200b": "pay\u202e001", rate: [Infinity, -0] },
  });

  expect(card.textContent).toContain("Not all letters of its name are plain: skills.h\\u{435}lper");
  expect(card.textContent).toContain("Not all letters of this name are plain: to\\u{200b}");
  expect(card.textContent).toContain("Because\\u{202e}.");
  expect(Array.from(card.querySelectorAll("dt"), ({ textContent }) => textContent)).toEqual(["to\\u{200b}", "rate"]);
  expect(Array.from(card.querySelectorAll("dd pre"), ({ textContent }) => textContent.trim())).toEqual([
    "pay\\u{202e}001",
    "[float('inf'), -0.0]",
  ]);
});

test("a name that is given as an argument shows letters that look like others", async () => {
  const notes = async (asked: Partial<ApprovalRequest>): Promise<(string | null)[]> => {
    const card = await cardOf({ ...request, ...asked });
    return Array.from(card.querySelectorAll(".hint code"), ({ textContent }) => textContent);
  };
  const source = "def run() -> int:\n    return 1\n";
  const skill = { name: "h\u0435lper", source, description: "", before: null, notes: [] };

  for (const name of ["skills.create", "tools.register", "artifacts.save"]) {
    expect(await notes({ name, arguments: { name: "h\u0435lper", source } })).toEqual(["h\\u{435}lper"]);
  }
  expect(await notes({ name: "skills.create", arguments: { name: "h\u0435lper", source }, skill })).toEqual([
    "h\\u{435}lper",
  ]);
  expect(await notes({ arguments: { to: "ada", "t\u043e": "eve" } })).toEqual(["t\\u{43e}"]);
  // A text may be of any language.
  expect(await notes({ arguments: { name: "helper", text: "\u041f\u0440\u0438\u0432\u0435\u0442" } })).toEqual([]);
  // Of a name without end the part that matters is written out.
  const plain = "a".repeat(100_000);
  expect(await notes({ arguments: { name: `${plain}\u0435${plain}` } })).toEqual([
    `…${"a".repeat(100)}\\u{435}${"a".repeat(99)}…`,
  ]);
});

test("each foreign item shows such letters of its name, also where all of it was asked for", async () => {
  const items = Array.from({ length: 120 }, (_, n) => {
    const key = String(n);
    return { name: n % 60 === 50 ? `h\u0435lper${key}.py` : `f${key}.py`, content: "x", key };
  });
  const card = await cardOf({ ...request, foreign: { kind: "file", trust: "sandboxed", items } });
  const notes = (): string[] => Array.from(card.querySelectorAll("dd .hint code"), ({ textContent }) => textContent);

  expect(notes()).toEqual(["h\\u{435}lper50.py"]);
  Array.from(card.querySelectorAll("button"))
    .find(({ textContent }) => textContent.includes("Show all of it"))
    ?.click();
  await card.updateComplete;

  expect(notes()).toEqual(["h\\u{435}lper50.py", "h\\u{435}lper110.py"]);

  const others = Array.from({ length: 200 }, (_, n) => ({ name: `\u0435${String(n)}`, content: "x", key: String(n) }));
  const many = await cardOf({ ...request, foreign: { kind: "file", trust: "sandboxed", items: others } });
  many.querySelector<HTMLButtonElement>("form > p .btn")?.click();
  await many.updateComplete;
  expect(many.querySelectorAll("dd .hint code")).toHaveLength(120);
  expect(many.textContent).toContain("So it is with 80 more names.");
});

test("what is too long to be shown at first can be approved only once all of it was asked for", async () => {
  const items = Array.from({ length: 120 }, (_, n) => ({ name: `f${String(n)}.py`, content: "x", key: String(n) }));
  const allow = (card: ApprovalCard): HTMLButtonElement | null => card.querySelector("button.primary");
  for (const asked of [
    { arguments: { text: `${"x".repeat(60_000)} the end` } },
    { foreign: { kind: "file", trust: "sandboxed", items } } as const,
  ]) {
    const card = await cardOf({ ...request, ...asked });
    expect(allow(card)?.disabled).toBe(true);

    Array.from(card.querySelectorAll("button"))
      .find(({ textContent }) => textContent.includes("Show all of it"))
      ?.click();
    await card.updateComplete;

    expect(allow(card)?.disabled).toBe(false);
    expect(card.textContent).toMatch(/the end|f119\.py/);
  }
});

test("a value of megabytes is drawn over many frames, to its end, and cannot be approved before", async () => {
  const text = `${"A line of it.\n".repeat(200_000)}the end`;
  const values = Array.from({ length: 300_000 }, (_, n) => n);
  const card = await cardOf({ ...request, arguments: { text, values } });
  const allow = (): HTMLButtonElement[] =>
    Array.from(card.querySelectorAll("button")).filter(({ textContent }) => textContent.includes("Allow"));

  // A busy machine draws more than once between two frames: what is counted are the turns in which something was drawn.
  const drawings: string[] = [];
  const observer = new MutationObserver(() => {
    drawings.push(card.querySelector("[role=status]")?.textContent ?? "");
  });
  observer.observe(card, { childList: true, characterData: true, subtree: true });
  Array.from(card.querySelectorAll("button"))
    .find(({ textContent }) => textContent.includes("Show all of it"))
    ?.click();
  await expect.poll(() => allow().map(({ disabled }) => disabled), untilShown).toEqual([false, false]);
  observer.disconnect();

  expect(drawings.length).toBeGreaterThan(10);
  expect(drawings).toContain("Drawing all of it …");
  expect(card.querySelector("[role=status]")).toBeNull();
  const [shown, listed] = card.querySelectorAll("dd pre");
  expect(shown?.textContent).toBe(text);
  expect(listed?.textContent).toBe(`[\n${values.map((value) => `  ${String(value)},\n`).join("")}]`);
  // Each box keeps its height, however much is in it.
  expect(shown?.getBoundingClientRect().height).toBeLessThan(300);
}, 60_000);

test("the next question is drawn from its beginning while the one before it is still being drawn", async () => {
  const card = await cardOf({ ...request, arguments: { text: "x".repeat(3_000_000) } });
  const pending = card.pending;
  if (pending === undefined) throw new Error("The card has a question.");
  const isBegun = new Promise<void>((resolve) => {
    new MutationObserver((_, observer) => {
      if (card.querySelector("[role=status]")?.textContent !== "Drawing all of it …") return;
      observer.disconnect();
      resolve();
    }).observe(card, { childList: true, subtree: true });
  });
  Array.from(card.querySelectorAll("button"))
    .find(({ textContent }) => textContent.includes("Show all of it"))
    ?.click();
  await isBegun;

  card.pending = { ...pending, request: { ...request, arguments: { text: `${"y".repeat(60_000)} the end` } } };
  await card.updateComplete;

  const allow = card.querySelector<HTMLButtonElement>("button.primary");
  expect(card.querySelector("dd")?.textContent).toMatch(/^\s*y+\s*… 40,008 more characters, which are not shown\s*$/);
  expect(allow?.disabled).toBe(true);
});

test("a skill is shown beside the one that it replaces, and what nobody would see of it is written out", async () => {
  const before = `def run(x: int) -> int:\n    """Twice."""\n    return 2 * x\n`;
  const source = before.replace("2 * x", "3 * x  # \u202e twice");
  const notes = ["It returned <b>6</b>."];
  const skill = { name: "twice", source, description: "Doubles.", before, notes };

  const card = await cardOf({ ...request, name: "skills.create", arguments: { name: "twice", source }, skill });

  const text = (selector: string): string[] => Array.from(card.querySelectorAll(selector), (line) => line.textContent);
  expect(text("del")).toEqual(["-     return 2 * x\n"]);
  expect(text("ins")).toEqual(["+     return 3 * x  # \\u{202e} twice\n"]);
  expect(text("pre .block > span")).toEqual(["  def run(x: int) -> int:\n", '      """Twice."""\n']);
  expect(card.textContent).toContain("It changes the skill that is there: 1 line added, 1 line removed.");
  expect(card.textContent).toContain("Its description: Doubles.");
  expect(card.textContent).toContain("It returned <b>6</b>.");
  expect(card.querySelector("dl")).toBeNull();
  // The next skill would be saved without having been seen.
  expect(Array.from(card.querySelectorAll("button"), ({ textContent }) => textContent.trim())).toEqual([
    "Deny",
    "Deny for this task",
    "Allow once",
  ]);
});

test("skills are asked about one by one in a task, other calls may be allowed for all of it", async () => {
  const approvals = new Approvals(() => "task-1");
  const { signal } = new AbortController();
  const source = "def run() -> int:\n    return 1\n";
  const skill = { name: "one", source, description: "", before: null, notes: [] };
  const saving = { ...request, name: "skills.create", arguments: { name: "one", source }, skill };

  for (const asked of [request, saving]) {
    const answered = approvals.ask(asked, { signal });
    approvals.pending?.allowAll();
    await expect(answered).resolves.toMatchObject({ decision: "allow" });
  }

  await expect(approvals.ask(request, { signal })).resolves.toEqual({ decision: "allow" });
  void approvals.ask(saving, { signal });
  expect(approvals.pending?.request).toBe(saving);
});

test("what is denied for a task is denied until it ends, and for the console until its run does", async () => {
  const approvals = new Approvals(() => "task-1");
  const { signal } = new AbortController();
  const first = approvals.ask(request, { signal });
  approvals.pending?.denyAll("no mails");
  await expect(first).resolves.toEqual({ decision: "deny", reason: "no mails" });

  const later = { ...request, arguments: { text: "Another" } };
  await expect(approvals.ask(later, { signal })).resolves.toEqual({ decision: "deny", reason: "no mails" });

  approvals.endTask();
  void approvals.ask(later, { signal });
  expect(approvals.pending?.request).toBe(later);

  const ofConsole = approvals.ask({ ...request, path: [] }, { signal });
  approvals.pending?.denyAll("");
  await expect(ofConsole).resolves.toEqual({ decision: "deny", reason: "", remember: "run" });
});

test("what is allowed for a task is allowed for the tool that was shown, and not for another of its name", async () => {
  const approvals = new Approvals(() => "task-1");
  const { signal } = new AbortController();
  const first = approvals.ask({ ...request, definitionId: "one" }, { signal });
  approvals.pending?.allowAll();
  await first;

  void approvals.ask({ ...request, definitionId: "two" }, { signal });

  expect(approvals.pending?.request.definitionId).toBe("two");
});

test("what is asked in the course of the task that runs has its place there, and everything else in the console", () => {
  const ofConsole = { name: "assistant", taskId: "task-7", callId: "call-7" };
  const placeOf = (
    running: string | null,
    path: ApprovalRequest["path"],
    caller: ApprovalRequest["caller"],
  ): string => {
    const approvals = new Approvals(() => running);
    void approvals.ask({ ...request, path, caller }, new AbortController());
    return approvals.pending?.place ?? "";
  };
  const below = [...request.path, { name: "assistant", taskId: "task-2", callId: "call-1" }];

  expect(placeOf("task-1", request.path, "agent")).toBe("task");
  expect(placeOf("task-1", below, "tool")).toBe("task");
  // An agent that the console called beside that task, one that it called beside a replay, and the console's own code.
  expect(placeOf("task-1", [ofConsole], "agent")).toBe("console");
  expect(placeOf(null, [ofConsole], "tool")).toBe("console");
  expect(placeOf("task-1", [], "code")).toBe("console");
});

const provided = {
  ...request,
  name: "deps.provide",
  reason: "The code imports xxhash, which is not installed: one file of 21 kB would be fetched.",
  arguments: { modules: ["xxhash"], packages: ["xxhash 4.1.0, 21 kB, from https://site.example/packages/x.whl"] },
};

test("packages that an import would fetch are a list of files with sizes and addresses", async () => {
  const card = await cardOf(provided);

  const files = [...card.querySelectorAll(".package-files li")];
  expect(files.map(({ textContent }) => textContent.trim())).toEqual(["xxhash 4.1.0, 21 kB"]);
  expect(card.querySelector(".package-files + p")?.textContent).toBe("from https://site.example/packages/");
  expect(card.querySelector("dl")).toBeNull();
  expect(card.querySelector("p.hint")?.textContent).not.toContain("Calling it twice");
});

test("letters of other scripts in an imported name are written out, and too many files are shown like any arguments", async () => {
  const unusual = await cardOf({ ...provided, arguments: { ...provided.arguments, modules: ["xxh\u0430sh"] } });
  expect(unusual.textContent).toContain("xxh\\u{430}sh");

  const many = await cardOf({
    ...provided,
    arguments: {
      ...provided.arguments,
      packages: Array.from({ length: 500 }, (_, n) => `p${String(n)} 1, 1 kB, from x`),
    },
  });
  expect(many.querySelector(".package-files")).toBeNull();
  expect(many.querySelector("dl")).not.toBeNull();
});
