export { openPageAgent } from "./page-agent.js";
export { createTranscript } from "./transcript/create-transcript.js";
export { AgentSessionEndedError, SiteTextError } from "./errors.js";
