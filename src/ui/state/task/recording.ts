import type { Transcript, TranscriptRecorder } from "../../../model/index.js";

/** What was said to a task, with its answer, and after that to those in its course; null where nothing was said to it. */
export function recordingOf(
  recorder: TranscriptRecorder,
  { task, answer }: { readonly task: string; readonly answer: string },
): readonly Transcript[] | null {
  // Who was replied to last is no sign: it may be an agent whose answer became that of the task.
  const whole = recorder.transcript({ task, answer });
  if (whole === undefined) return null;
  return [whole, ...recorder.transcripts().filter((one) => one.task !== whole.task)];
}
