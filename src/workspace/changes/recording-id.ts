/** Whether a text can name a recording: it is a part of keys. */
export function isRecordingId(id: string): boolean {
  return /^[\w-]{1,64}$/.test(id);
}
