import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { formatTranscript, recordTranscript } from "../../../src/model/index.js";
import type { Session } from "../../../src/session/index.js";
import { shippedTasks } from "../../../src/ui/tasks/index.js";
import {
  agentFor,
  answerBelow,
  isSameTask,
  layOutFiles,
  openTaskSession,
  speaker,
  speakerBelow,
  SPEAKERS,
  writers,
} from "./task-session.js";

let session: Session;

beforeAll(async () => {
  session = await openTaskSession();
});
afterAll(() => session.close());

// `-u` writes what happened into the files: that is how a task is recorded anew. The order is the reverse of that of the
// replays, so that a task which needs a name that another one left behind fails in one of the two.
describe.each(shippedTasks.toReversed())("the recording of $id", (task) => {
  test("holds what happens when its replies are run, and the answer that comes of it", async () => {
    await layOutFiles(session, task);
    const below = recordTranscript(speakerBelow(task.below.map(({ transcript }) => transcript)));
    answerBelow(below);
    const written = await task.writers();
    const writing = SPEAKERS.map((name) => ({ name, recorder: recordTranscript(speakerBelow(written[name])) }));
    for (const { name, recorder } of writing) writers[name].answers = recorder;
    const model = recordTranscript(speaker(task.transcript.steps.map(({ reply }) => reply)));

    const { answer, error, steps } = await agentFor(task, {
      session,
      model,
      maxSteps: task.transcript.steps.length,
    }).run(task.task).result;

    const lastStep = steps.at(-1);
    expect(error, lastStep?.observation ?? "").toBeNull();
    const recorded = model.transcript(answer === null ? {} : { answer: answer.text });
    if (recorded === undefined) throw new Error("Nothing was recorded.");
    // The prompt names every file that happens to lie in the workspace, so it says nothing of a task that a person wrote.
    delete recorded.prompt;
    await expect(formatTranscript(recorded)).toMatchFileSnapshot(`../../../src/ui/tasks/${task.id}.yaml`);
    expect(below.transcripts()).toHaveLength(task.below.length);
    for (const { name, transcript } of task.below) {
      const said = below.transcripts().find((one) => isSameTask(one, transcript));
      if (said === undefined) throw new Error(`Nobody asked for "${name}".`);
      delete said.prompt;
      await expect(formatTranscript(said)).toMatchFileSnapshot(`../../../src/ui/tasks/${task.id}.${name}.yaml`);
    }
    for (const { name, recorder } of writing) {
      expect(recorder.transcripts()).toHaveLength(written[name].length);
      const said = recorder.transcripts().map((one) => formatTranscript(one));
      if (said.length === 0) continue;
      await expect(said.join("---\n")).toMatchFileSnapshot(`../../../src/ui/tasks/${task.id}.${name}.yaml`);
    }
  });
});
