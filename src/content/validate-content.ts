import { optionCheck } from "../options/index.js";
import type { ContentSource, ContentValidator, ValidateContentOptions } from "./content-validator.js";
import type { ContentReport } from "./report.js";

const checkOptions = optionCheck<ValidateContentOptions>("validateContent", {
  signal: "object?",
  limits: {
    bytes: "number?",
    expandedBytes: "number?",
    expansion: "number?",
    depth: "number?",
    parts: "number?",
    pixels: "number?",
    time: "number?",
  },
});

let shared: Promise<ContentValidator> | undefined;

/**
 * Whether content is what it is said to be: its signature is looked at and all of it parsed, in a sealed worker that the
 * page shares. docs/content.md says for each format what that means.
 *
 * Bad content is a report of kind `invalid`, never an error. That a file does not exist is for the caller to say.
 *
 * @throws {ContentCheckEndedError} when the signal is aborted.
 * @throws {WorkerStartError} @throws {CspBlockedError} where the page allows no sealed worker.
 */
export async function validateContent(
  content: ContentSource,
  options: ValidateContentOptions = {},
): Promise<ContentReport> {
  checkOptions(options);
  shared ??= import("./content-validator.js").then(({ ContentValidator }) => new ContentValidator());
  // A script that could not be loaded may be there the next time.
  shared.catch(() => (shared = undefined));
  return (await shared).validate(content, options);
}
