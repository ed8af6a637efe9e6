export interface Job {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly after?: readonly string[];
}
export declare function runInLanes(jobs: readonly Job[], lanes: number): Promise<void>;
