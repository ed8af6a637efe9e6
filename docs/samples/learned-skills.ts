import { CodeAgent, memoryStorage, Session, type Model, type SkillDraft } from "vitrine";

export async function learn(model: Model, agree: (skill: SkillDraft) => Promise<boolean>): Promise<string> {
  const session = await Session.open({
    storage: memoryStorage(),
    onApproval: async ({ skill }) => {
      const agreed = skill !== undefined && (await agree(skill));
      return agreed ? { decision: "allow" } : { decision: "deny", reason: "not what I want kept" };
    },
  });
  const run = new CodeAgent({ session, model, learnsSkills: true }).run("How many days are there in May 2026?");
  for await (const event of run) {
    if (event.type === "skill-proposed") console.log(event.proposal.name, event.proposal.difference);
    if (event.type === "skill-tried") console.log(event.trial?.value, event.problems);
  }
  const { learned } = await run.result;
  const { skills } = await session.skills.list();
  await session.close();
  return `${learned?.outcome.kind ?? "not asked"}: ${skills.map(({ name }) => name).join(", ")}`;
}
