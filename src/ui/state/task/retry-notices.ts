/** What is said beside a step. */
interface Noticed {
  readonly notices: string[];
}

/** Says that a model that failed is asked again, in place of what was said of the same failure before. */
export function noteRetry({ notices }: Noticed, failure: string, again: string): void {
  forgetRetries({ notices }, failure);
  notices.push(`${failure} ${again}`);
}

/** Takes away what was said of a failure: the end of the task says it. */
export function forgetRetries({ notices }: Noticed, failure: string): void {
  notices.splice(0, notices.length, ...notices.filter((notice) => !notice.startsWith(`${failure} `)));
}
