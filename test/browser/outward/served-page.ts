import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { z } from "zod";

import {
  functionTool,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Session,
  type ToolAdapter,
} from "../../../src/index.js";
import { openSession } from "../session/hosts.js";
import { wheel } from "../session/wheel.js";

/** The tools that py-code-mode has for other programs. */
export const ELEVEN = [
  ...["run_code", "list_tools", "search_tools", "list_skills", "search_skills", "create_skill", "delete_skill"],
  ...["list_artifacts", "list_deps", "add_dep", "remove_dep"],
];

/** A session that others use, and the person at its page. */
export interface ServedPage {
  readonly session: Session;
  /** What the person was asked in this test. */
  asked: ApprovalRequest[];
  /** What they say. Yes, until a test says otherwise. */
  answer: ApprovalAnswer;
  /** Calls of `forever`, by the name they gave. */
  readonly started: string[];
  readonly ended: string[];
}

/** Opens a session for the tests of this file. */
export function servedPage(): ServedPage {
  let session: Session | undefined;
  const page: ServedPage = {
    get session() {
      if (session === undefined) throw new Error("The session is open while a test runs.");
      return session;
    },
    asked: [],
    answer: { decision: "allow" },
    started: [],
    ended: [],
  };
  beforeAll(async () => {
    const packagesFolder = `${inject("embeddingServer")}/files/outward/`;
    const file = "greeter-1.0-py3-none-any.whl";
    await fetch(`${packagesFolder}${file}`, { method: "PUT", body: await wheel("greeter", "1.0", "hello = 'hi'") });
    await fetch(`${packagesFolder}index.json`, { method: "PUT", body: JSON.stringify([file]) });
    session = await openSession({
      tools: toolsOf(page),
      packages: [{ folder: packagesFolder }],
      onApproval: (request) => {
        page.asked.push(request);
        return page.answer;
      },
    });
  });
  afterEach(() => {
    page.asked = [];
    page.answer = { decision: "allow" };
  });
  afterAll(() => session?.close());
  return page;
}

function toolsOf({ started, ended }: Pick<ServedPage, "started" | "ended">): ToolAdapter[] {
  return [
    functionTool({
      name: "weather",
      description: "Weather of a city",
      input: z.object({ city: z.string() }),
      hints: { readOnly: true },
      run: ({ city }) => `sunny in ${city}`,
    }),
    functionTool({
      name: "erase",
      description: "Erases everything",
      input: z.object({}),
      hints: { destructive: true },
      run: () => "erased",
    }),
    functionTool({
      name: "forever",
      description: "Waits until it is given up",
      input: z.object({ name: z.string() }),
      run: ({ name }, { signal }) => {
        started.push(name);
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            ended.push(name);
            reject(new Error("given up"));
          });
        });
      },
    }),
  ];
}

/** The one text of a tool's result. */
export function textOf({ content }: { readonly content: readonly unknown[] }): string {
  return z.tuple([z.object({ type: z.literal("text"), text: z.string() })]).parse(content)[0].text;
}
