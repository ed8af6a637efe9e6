import { z } from "zod";

import { functionTool, type ToolHints } from "../../../src/index.js";
import type { ApprovalRequest, OnApproval } from "../../../src/dispatch/index.js";

/** A tool that gives back its name and its text. */
export function tool(name: string, { hints = {}, tags = [] }: { hints?: ToolHints; tags?: string[] } = {}) {
  const input = z.object({ text: z.string().default("") });
  return functionTool({ name, description: `Is ${name}.`, input, hints, tags, run: ({ text }) => `${name} ${text}` });
}

/** Answers every question alike, and keeps them. */
export function person(answer: Awaited<ReturnType<OnApproval>>): { asked: ApprovalRequest[]; onApproval: OnApproval } {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    onApproval: (request) => {
      asked.push(request);
      return answer;
    },
  };
}
