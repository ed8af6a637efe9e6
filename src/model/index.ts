export * from "./public.js";
export { askModel, waitOut, type CountedUsage, type WholeReply } from "./ask-model.js";
export { messageText, normalizeText, readConversation, taskKey, type Conversation } from "./conversation.js";
export { formatTranscript, transcriptOf, type TranscriptStep, type TranscriptToolCall } from "./transcript.js";
