export * from "./public.js";
export { askModel, waitOut, type WholeReply } from "./ask-model.js";
export { closes, openString, readOpening, withoutFence, type Opening } from "./code-fences.js";
export { messageText, normalizeText, readConversation, taskKey, type Conversation } from "./conversation.js";
export { checkApiKey, checkBaseURL } from "./openai-settings.js";
export { SecretFilter } from "./secret-filter.js";
export { ServerFaults, textOf as faultText, type ServerFault } from "./server-faults.js";
export { formatTranscript, transcriptOf, type TranscriptStep } from "./transcript.js";
export { withoutThoughts } from "./without-thoughts.js";
