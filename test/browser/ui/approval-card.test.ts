import { afterEach, expect, test } from "vitest";

import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import { ApprovalCard } from "../../../src/ui/components/approval-card.js";

const request: ApprovalRequest = {
  name: "tools.send_mail",
  arguments: { text: "Hello" },
  hints: {},
  caller: "agent",
  inAgentRun: true,
  path: [{ name: "code", taskId: "task-1", callId: null }],
  runId: "run-1",
  callId: "call-9",
  trust: "sandboxed",
  reason: "The session asks before every call of tools.send_mail.",
  foreign: null,
};

afterEach(() => {
  document.body.replaceChildren();
});

async function shown(path: ApprovalRequest["path"]): Promise<string> {
  const card = new ApprovalCard();
  const nothing = (): void => undefined;
  card.pending = {
    request: { ...request, path },
    place: "task",
    allowOnce: nothing,
    allowAll: nothing,
    deny: nothing,
  };
  document.body.append(card);
  await card.updateComplete;
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
