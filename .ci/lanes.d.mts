export interface Job {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly after?: readonly string[];
  readonly alone?: boolean;
}
export declare function runInLanes(jobs: readonly Job[], lanes: number): Promise<void>;
