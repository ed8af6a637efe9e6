import { afterAll, afterEach, beforeAll, beforeEach, inject } from "vitest";

import type { ApprovalAnswer, ApprovalRequest, CallProgress, Session, SessionOptions } from "../../../src/index.js";
import { openSession } from "../session/hosts.js";

/** The names that coding models know, in the order in which they are offered. */
export const EIGHT = [
  ...["read_file", "list_dir", "grep_files", "view_image", "update_plan"],
  ...["shell", "shell_command", "apply_patch"],
];

/** The smallest picture that is one by what it begins with. */
export const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);
export const PNG_TEXT = btoa(String.fromCharCode(...PNG));

/** A session with a small project in its workspace, and the person at its page. */
export interface CodingPage {
  readonly session: Session;
  /** What the person was asked in this test. */
  asked: ApprovalRequest[];
  /** What they say. Yes, until a test says otherwise. */
  answer: ApprovalAnswer | ((request: ApprovalRequest) => Promise<ApprovalAnswer>);
  /** What calls have reported in this test. */
  heard: CallProgress[];
}

/** Opens a session for the tests of this file. By default it was not opened with `fileTools`. */
export function codingPage(options: Partial<SessionOptions> = {}): CodingPage {
  let session: Session | undefined;
  const page: CodingPage = {
    get session() {
      if (session === undefined) throw new Error("The session is open while a test runs.");
      return session;
    },
    asked: [],
    answer: { decision: "allow" },
    heard: [],
  };
  beforeAll(async () => {
    session = await openSession({
      onApproval: (request) => {
        page.asked.push(request);
        return typeof page.answer === "function" ? page.answer(request) : page.answer;
      },
      ...options,
    });
    session.onCallProgress((progress) => page.heard.push(progress));
  });
  beforeEach(async () => {
    const { workspace } = page.session;
    for (const { path } of await workspace.list()) await workspace.delete(path);
    await workspace.write("src/greet.py", 'def greet(name):\n    return "Hello " + name\n');
    await workspace.write("src/main.py", "from greet import greet\n\nprint(greet('Ada'))\n");
    await workspace.write("README.md", "# Greeting\n");
    await workspace.write("dot.png", PNG);
  });
  afterEach(() => {
    page.asked = [];
    page.answer = { decision: "allow" };
    page.heard = [];
  });
  afterAll(() => session?.close());
  return page;
}

export const PATCH = [
  "*** Begin Patch",
  "*** Update File: src/greet.py",
  "@@ def greet(name):",
  '-    return "Hello " + name',
  '+    return f"Hello, {name}!"',
  "*** End Patch",
].join("\n");

/** The text of a file of the session. */
export async function fileText(session: Session, path: string): Promise<string> {
  return new TextDecoder().decode(await session.workspace.read(path));
}

/** The server lets through what servers do, and the clients' own headers are not among it. */
export const plainFetch: typeof fetch = (url, init) => {
  const given = new Headers(init?.headers);
  const headers = new Headers();
  for (const name of ["authorization", "content-type"]) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  return fetch(url, { ...init, headers });
};

/** Of a model that makes the calls that the user's message has, a line each: `read_file {"file_path": …}`. */
export const baseURL = (): string => `${inject("modelServer")}/calls-functions/v1`;

export function prompt(
  ...calls: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]
): string {
  return calls.map(([name, args]) => `${name} ${JSON.stringify(args)}`).join("\n");
}
