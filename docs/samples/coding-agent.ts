import { codingAgent, memoryStorage, Session, taskDiffName, type Model } from "vitrine";

export const session = await Session.open({
  storage: memoryStorage(),
  approvals: { "tools.apply_patch": "allow", "tools.shell_command": "ask" },
});

export async function mend(model: Model, keep: (diff: string) => boolean): Promise<string> {
  const agent = codingAgent({ session, model });
  const run = agent.run("Make the failing test in /workspace/tests pass.");
  const { output } = await run.result;
  const changes = await session.workspace.changes(run.taskId);
  if (changes === undefined || (await changes.files()).length === 0) return output;
  const diff = await session.artifacts.load(taskDiffName(run.taskId));
  if (typeof diff !== "string" || !keep(diff)) await changes.undo();
  return output;
}
