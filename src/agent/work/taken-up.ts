/** What has become of the names that a task had made in its interpreter, when it is taken up. */
export interface TakenUp {
  /** They are not there any more. */
  readonly gone: readonly string[];
  /** It could not be found out whether they are there. */
  readonly unknown: readonly string[];
}

export const NOTHING_LOST: TakenUp = { gone: [], unknown: [] };
