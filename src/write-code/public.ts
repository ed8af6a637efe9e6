export type { CandidateEnd, WriteCodeEvent, WriteCodeEventBody } from "./events.js";
export type { GeneratedImage, ImageModel, ImageModelRequest } from "./images/image-model.js";
export { openaiImages, type OpenAIImagesSettings } from "./images/openai-images.js";
export type { BatchResult, FileResult, WriteCodeAnswer } from "./outcome/batch-result.js";
export type { WriteCodeFault, WriteCodeFaultCode } from "./outcome/faults.js";
export type { FileTelemetry, ModelAttempt } from "./outcome/telemetry.js";
export type { WriteCodeOptions } from "./write-code-options.js";
export { writeCodeTool, type WriteCodeToolOptions, type WritingHost } from "./write-code-tool.js";
