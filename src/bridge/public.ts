export type { BlobUrls } from "./blob-channel.js";
