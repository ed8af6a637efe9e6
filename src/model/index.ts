export * from "./public.js";
export { askModel, waitOut, type WholeReply } from "./ask-model.js";
export { messageText, normalizeText, readConversation, taskKey, type Conversation } from "./conversation.js";
export { formatTranscript, transcriptOf, type TranscriptStep } from "./transcript.js";
