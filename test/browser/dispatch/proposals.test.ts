import { expect, test } from "vitest";

import {
  Approver,
  requestFor,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Call,
  type Decision,
  type JournalEntry,
} from "../../../src/dispatch/index.js";
import type { SessionOptions } from "../../../src/session/index.js";
import { functionTool, type FileProposal, type ProposalAnswer } from "../../../src/tools/index.js";
import { setUp, description, signal } from "../../lone-calls/dispatch-set-up.js";
import { pageSide } from "../../unit/agent/tool-session.js";

function file(path: string, more: Partial<FileProposal> = {}): FileProposal {
  const plain = {
    path,
    operation: "modify",
    before: "old",
    after: "new",
    difference: "",
    image: null,
    notes: [],
  } as const;
  return { ...plain, ...more };
}

const plain = file("a.py");
const contested = file("b.py", { conflict: { theirs: "theirs" } });

interface Answering {
  readonly onApproval?: (request: ApprovalRequest) => unknown;
  readonly approvals?: NonNullable<SessionOptions["approvals"]>;
  readonly asksItself?: boolean;
}

/** A session with a tool that asks about files once it has worked. */
function writing({ onApproval, asksItself = true, ...options }: Answering = {}) {
  let files: readonly FileProposal[] = [plain];
  const begun: string[] = [];
  const write = functionTool({
    name: "write",
    description: "Writes files.",
    input: { type: "object", properties: { to: { type: "string" } } },
    hints: { destructive: true },
    timeout: 200,
    asksItself,
    run: async (_, given) => {
      begun.push(given.callId);
      return Object.fromEntries(await given.askAbout({ files }));
    },
  });
  // What a page may answer, which no type holds back.
  const asking =
    onApproval === undefined ? {} : { onApproval: onApproval as NonNullable<SessionOptions["onApproval"]> };
  const side = pageSide([write], { ...options, ...asking });
  const client = side.client();
  return {
    begun,
    journal: side.services.journal,
    /** What became of each file. */
    call: async (proposed: readonly FileProposal[] = [plain]) => {
      files = proposed;
      return (await client.callTool("write", { to: "disk" })) as Record<string, { decision: string; reason: string }>;
    },
  };
}

/** Keeps questions, and answers them one after the other; the last answer again and again. */
function person(...answers: readonly unknown[]) {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    onApproval: (request: ApprovalRequest): unknown => {
      asked.push(request);
      return answers[Math.min(asked.length, answers.length) - 1];
    },
  };
}

test("a call that asks for itself is asked about once, with the files that it came to", async () => {
  const { asked, onApproval } = person({ decision: "allow" } satisfies ApprovalAnswer);
  const { call } = writing({ onApproval });

  const answer = await call([plain, file("c.py")]);

  expect(asked).toMatchObject([{ name: "tools.write", arguments: { to: "disk" }, files: [plain, { path: "c.py" }] }]);
  expect(asked[0]?.callId).not.toBeNull();
  expect(answer).toMatchObject({ "a.py": { decision: "accept" }, "c.py": { decision: "accept" } });
});

test("a call that asks for itself is refused before it begins where there is nobody to ask", async () => {
  const { call, begun, journal } = writing();

  await expect(call()).rejects.toMatchObject({ code: "CALL_NOT_ALLOWED" });

  expect(begun).toEqual([]);
  expect((await journal.list()).at(-1)).toMatchObject({ approval: "denied" });
});

test("a rule that denies the call is not looked at twice", async () => {
  const { asked, onApproval } = person({ decision: "allow" });
  const { call, begun } = writing({ onApproval, approvals: { "tools.write": "deny" } });

  await expect(call()).rejects.toMatchObject({ code: "CALL_NOT_ALLOWED" });

  expect(begun).toEqual([]);
  expect(asked).toEqual([]);
});

test("a tool that does not ask for itself is asked about before, and may ask once more", async () => {
  const { asked, onApproval } = person({ decision: "allow" });
  const { call } = writing({ onApproval, asksItself: false });

  await call();

  expect(asked.map(({ files }) => files?.length)).toEqual([undefined, 1]);
});

test("a rule that allows the call writes what is in no conflict, and decides none", async () => {
  const { asked, onApproval } = person({ decision: "allow" });
  const { call } = writing({ onApproval, approvals: { "tools.write": "allow" } });

  const answer = await call([plain, contested]);

  expect(asked).toEqual([]);
  expect(answer["a.py"]).toMatchObject({ decision: "accept" });
  expect(answer["b.py"]).toMatchObject({ decision: "keep" });
  expect(answer["b.py"]?.reason).toContain("changed meanwhile");
});

test("a rule sees the files, and may refuse them with a reason", async () => {
  const seen: (readonly FileProposal[] | undefined)[] = [];
  const rule = ({ proposal }: Call): Decision => {
    seen.push(proposal?.files);
    return proposal === undefined ? { kind: "allow" } : { kind: "deny", reason: "not these" };
  };
  const { call } = writing({ approvals: { "tools.write": rule } });

  const answer = await call([plain, contested]);

  expect(seen).toEqual([undefined, [plain, contested]]);
  expect(answer).toEqual({
    "a.py": { decision: "refuse", reason: "not these" },
    "b.py": { decision: "refuse", reason: "not these" },
  });
});

test("a rule that wants a person only for the files refuses them where there is none", async () => {
  const { call } = writing({ approvals: { "tools.write": ({ proposal }) => (proposal ? "ask" : "allow") } });

  const answer = await call();

  expect(answer["a.py"]).toMatchObject({ decision: "refuse" });
  expect(answer["a.py"]?.reason).toContain("onApproval");
});

test("each file may be decided about by itself, with what the person said of it", async () => {
  const files = { "b.py": "overwrite", "c.py": "refuse" } as const;
  const { onApproval } = person({ decision: "allow", reason: "c is fine as it is", files });
  const { call, journal } = writing({ onApproval });

  const answer = await call([plain, contested, file("c.py"), file("d.py", { conflict: { theirs: null } })]);

  expect(answer).toMatchObject({
    "a.py": { decision: "accept" },
    "b.py": { decision: "overwrite" },
    "c.py": { decision: "refuse", reason: "c is fine as it is" },
    "d.py": { decision: "keep" },
  });
  expect((await journal.list()).at(-1)).toMatchObject({ approval: "allowed" });
});

test("a no refuses all files, with the person's reason", async () => {
  const { onApproval } = person({ decision: "deny", reason: "use tabs" });
  const { call, journal } = writing({ onApproval });

  const answer = await call([plain, contested]);

  expect(answer["a.py"]).toEqual({ decision: "refuse", reason: "use tabs" });
  expect(answer["b.py"]).toEqual({ decision: "refuse", reason: "use tabs" });
  expect((await journal.list()).at(-1)).toMatchObject({ approval: "denied", outcome: { kind: "ok" } });
});

test.each([
  ["an unknown path", { "x.py": "accept" }, 'files["x.py"]'],
  ["a decision that there is not", { "a.py": "yes" }, 'files["a.py"]'],
  ["a decision about a conflict for a file in none", { "a.py": "overwrite" }, 'files["a.py"]'],
  ["a plain yes for a file in conflict", { "b.py": "accept" }, 'files["b.py"]'],
  ["a path that objects have", JSON.parse('{"__proto__": "accept"}') as unknown, 'files["__proto__"]'],
  ["no object", ["accept"], "files"],
])("an answer with %s is an error of the page", async (_, files, option) => {
  const { onApproval } = person({ decision: "allow", files });
  const { call } = writing({ onApproval });

  await expect(call([plain, contested])).rejects.toMatchObject({ code: "INVALID_OPTION", of: "onApproval", option });
});

test("what is remembered lets later calls pass, and never decides about a conflict", async () => {
  const { asked, onApproval } = person(
    { decision: "allow", remember: "session", files: { "a.py": "accept" } },
    { decision: "allow", files: { "b.py": "merge" } },
  );
  const { call } = writing({ onApproval });

  await call();
  const later = await call([file("e.py")]);
  const conflicting = await call([plain, contested]);

  expect(later).toMatchObject({ "e.py": { decision: "accept" } });
  expect(asked).toHaveLength(2);
  expect(conflicting).toMatchObject({ "a.py": { decision: "accept" }, "b.py": { decision: "merge" } });
});

test("a yes to some of the files alone is not remembered: those that were refused are asked about again", async () => {
  const { asked, onApproval } = person(
    { decision: "allow", remember: "session", files: { "a.py": "refuse" } },
    { decision: "allow" },
  );
  const { call } = writing({ onApproval });

  expect(await call()).toMatchObject({ "a.py": { decision: "refuse" } });
  expect(await call([file("e.py")])).toMatchObject({ "e.py": { decision: "accept" } });
  expect(asked).toHaveLength(2);
});

test("a remembered no ends later calls before they begin", async () => {
  const { asked, onApproval } = person({ decision: "deny", reason: "no more", remember: "session" });
  const { call, begun } = writing({ onApproval });

  await call();
  await expect(call()).rejects.toMatchObject({ code: "CALL_NOT_ALLOWED" });

  expect(begun).toHaveLength(1);
  expect(asked).toHaveLength(1);
});

test("the same files are not asked about again in a run in which they were refused, others are", async () => {
  const asked: (string | null | undefined)[] = [];
  const { dispatcher } = setUpWithRefusals((request) => asked.push(request.files?.[0]?.after));
  const ask = (after: string): Promise<unknown> =>
    dispatcher.dispatch(
      description({ asksItself: true }),
      async (_, { askAbout }) => Object.fromEntries(await askAbout({ files: [file("a.py", { after })] })),
      { signal },
    );

  const first = await ask("one");
  const again = await ask("one");
  await ask("two");

  expect(asked).toEqual(["one", "two"]);
  expect(first).toEqual({ "a.py": { decision: "refuse", reason: "no" } });
  expect(again).toMatchObject({ "a.py": { decision: "refuse" } });
});

function setUpWithRefusals(hear: (request: ApprovalRequest) => void) {
  const approver = new Approver({
    onApproval: (request) => {
      hear(request);
      return { decision: "deny", reason: "no" };
    },
  });
  return setUp({
    policy: () => ({ kind: "ask", reason: "It writes." }),
    ask: async (call, reason) => approver.ask(await requestFor(call, reason), call.signal),
  });
}

test("a person's time is not the tool's", async () => {
  const { call } = writing({
    onApproval: () => new Promise((resolve) => setTimeout(resolve, 400, { decision: "allow" })),
  });

  await expect(call()).resolves.toMatchObject({ "a.py": { decision: "accept" } });
});

test("a call that has ended asks no more, and its question goes with it", async () => {
  const signals: AbortSignal[] = [];
  const asking = Promise.withResolvers<undefined>();
  const { dispatcher } = setUp({
    policy: () => ({ kind: "ask", reason: "It writes." }),
    ask: (call) => {
      signals.push(call.signal);
      asking.resolve(undefined);
      return new Promise(() => undefined);
    },
  });
  let open: Promise<ProposalAnswer> | undefined;
  let askAgain: (() => Promise<ProposalAnswer>) | undefined;

  await dispatcher.dispatch(
    description({ asksItself: true }),
    async (_, { askAbout }) => {
      open = askAbout({ files: [plain] });
      open.catch(() => undefined);
      askAgain = () => askAbout({ files: [plain] });
      await asking.promise;
      return null;
    },
    { signal },
  );

  expect(signals[0]?.aborted).toBe(true);
  await expect(open).rejects.toMatchObject({ code: "CALL_CANCELLED" });
  await expect(askAgain?.()).rejects.toMatchObject({ code: "CALL_ENDED" });
});

test("who asks about nothing asks no one", async () => {
  const { asked, onApproval } = person({ decision: "allow" });
  const { call } = writing({ onApproval });

  expect(await call([])).toEqual({});
  expect(asked).toEqual([]);
});

test("arguments that a middleware changed are asked about with the files, and that is said", async () => {
  const asked: { readonly args: unknown; readonly reason: string }[] = [];
  const entries: JournalEntry[] = [];
  const { dispatcher } = setUp({
    policy: () => ({ kind: "ask", reason: "It writes." }),
    ask: (call, reason) => {
      asked.push({ args: call.arguments, reason });
      return Promise.resolve({ kind: "allow" });
    },
    middleware: [(call, next) => next({ ...call, arguments: { text: "other" } })],
  });
  dispatcher.onCall((entry) => entries.push(entry));

  await dispatcher.dispatch(
    description({ asksItself: true }),
    async (_, { askAbout }) => Object.fromEntries(await askAbout({ files: [plain] })),
    { signal },
  );

  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ args: { text: "other" } });
  expect(asked[0]?.reason).toContain("A middleware of the page changed the arguments");
  expect(entries.map(({ approval }) => approval)).toContain("asked");
});
