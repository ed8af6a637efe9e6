/** Where saved tasks lie in the storage: a head for each, by which it is listed, and its events. */
export const HEADS_PREFIX = "tasks/heads/";
const EVENTS_PREFIX = "tasks/events/";
const ATTACHMENTS_PREFIX = "tasks/attachments/";

export function headKey(taskId: string): string {
  return HEADS_PREFIX + taskId;
}

export function eventsPrefix(taskId: string): string {
  return `${EVENTS_PREFIX}${taskId}/`;
}

/** The artifacts that came with a task from a file. */
export function attachmentsKey(taskId: string): string {
  return ATTACHMENTS_PREFIX + taskId;
}

/** Whether a text can name a saved task: nothing that would lead to another key. */
export function isTaskId(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}
