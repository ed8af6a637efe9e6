import type { Engine, EngineName } from "../test/engines/drivers/index.js";
import type { Claim, Comparison, Effort, Outcome } from "./comparison.js";
import type { ServerOptions } from "./server.js";

/** What a part of the benchmark is measured with. */
export interface Measuring {
  readonly engine: EngineName;
  readonly effort: Effort;
  /** Whether any of the claims was asked for. */
  readonly wants: (...claims: readonly Pick<Claim, "name">[]) => boolean;
  readonly launch: (profileFolder?: string) => Promise<Engine>;
  /** Compares, and adds what comes out. */
  readonly compare: (comparison: Comparison, effort?: Effort) => Promise<void>;
  readonly add: (outcomes: readonly Outcome[]) => void;
  readonly folders: ServerOptions["folders"];
  /** Bytes per second of the server of first visits. */
  readonly rate: number;
  /** An empty folder for the profile of the browser that comes back. */
  readonly profileFolder: string;
}
