import type { StepView } from "./step-view.js";

/** Says that a model that failed is asked again, in place of what was said of the same failure before. */
export function noteRetry({ notices }: Pick<StepView, "notices">, failure: string, again: string): void {
  forgetRetries({ notices }, failure);
  notices.push(`${failure} ${again}`);
}

/** Takes away what was said of a failure: the end of the task says it. */
export function forgetRetries({ notices }: Pick<StepView, "notices">, failure: string): void {
  notices.splice(0, notices.length, ...notices.filter((notice) => !notice.startsWith(`${failure} `)));
}
