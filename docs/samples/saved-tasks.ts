import { CodeAgent, indexedDBStorage, replayTask, rerunTask, Session, TaskStore, type Model } from "vitrine";

const storage = indexedDBStorage("notes");
export const tasks = new TaskStore(storage);
export const session = await Session.open({ storage });

export async function goOn(model: Model): Promise<void> {
  const agent = new CodeAgent({ session, model, tasks });
  const { tasks: saved } = await tasks.list();
  for (const { taskId, state } of saved) {
    if (state === "interrupted") await agent.takeUp(await tasks.load(taskId)).result;
  }
}

export async function lookAt(taskId: string): Promise<void> {
  const saved = await tasks.load(taskId);
  for await (const event of replayTask(saved, { speed: 4 })) console.log(event.type);
  const again = rerunTask(saved, ({ model, onQuestion }) => new CodeAgent({ session, model, onQuestion }));
  console.log((await again.result).state, (await tasks.export(taskId)).length);
}
