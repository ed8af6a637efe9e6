export * from "./public.js";
export type { ChangeRecording } from "./changes/change-recording.js";
export { isRecordingId } from "./changes/recording-id.js";
export type { FileRecord } from "./file-table.js";
export { Workspace } from "./workspace.js";
export { WorkspaceMirror, type AppliedChanges, type WithheldFile } from "./workspace-mirror.js";
