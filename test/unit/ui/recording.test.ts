import { expect, test } from "vitest";

import { recordedModel, recordTranscript, transcriptOf, type TranscriptRecorder } from "../../../src/model/index.js";
import { recordingOf } from "../../../src/ui/state/task/recording.js";

const said = (task: string, reply: string) => transcriptOf({ task, by: "small", steps: [{ reply }] });

async function ask(recorder: TranscriptRecorder, task: string): Promise<void> {
  const chunks: unknown[] = [];
  for await (const chunk of recorder.complete({ messages: [{ role: "user", content: task }] })) chunks.push(chunk);
}

test("the recording is that of the task a person gave, also where an agent below was replied to last", async () => {
  const transcripts = [said("Ask somebody.", "I ask."), said("Count them.", "Three.")];
  const recorder = recordTranscript(recordedModel({ transcripts, pace: 0 }));
  await ask(recorder, "Ask somebody.");
  await ask(recorder, "Count them.");

  const recording = recordingOf(recorder, { task: "Ask  somebody.", answer: "3" });

  expect(recording?.map(({ task, answer, steps }) => [task, answer, steps[0]?.reply])).toEqual([
    ["Ask somebody.", "3", "I ask."],
    ["Count them.", undefined, "Three."],
  ]);
});

test("of a task to which nothing was said there is no recording", async () => {
  const recorder = recordTranscript(recordedModel({ transcripts: [said("Count them.", "Three.")], pace: 0 }));
  await ask(recorder, "Count them.");

  expect(recordingOf(recorder, { task: "Ask somebody.", answer: "3" })).toBeNull();
});
