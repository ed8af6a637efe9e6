export interface Plan {
  readonly unitFolders: readonly string[];
  readonly browserFiles: readonly string[];
  readonly demoSpecs: readonly string[];
  readonly engineCase: string | null;
  readonly left: readonly string[];
}
export declare const PARTS_OF_SPECS: Readonly<Record<string, readonly string[]>>;
export declare function planFor(changed: readonly string[]): Plan;
