export interface Plan {
  readonly unitPaths: readonly string[];
  readonly browserFiles: readonly string[];
  readonly ownPageFiles: readonly string[];
  readonly demoSpecs: readonly string[];
  readonly engineCase: string | null;
  readonly left: readonly string[];
}
export declare const PARTS_OF_SPECS: Readonly<Record<string, readonly string[]>>;
export declare const ORDINARY_SPECS: readonly string[];
export declare const SPECS_LEFT: readonly string[];
export declare function planFor(changed: readonly string[]): Plan;
/** Whether a part of {@link PARTS_OF_SPECS} means the file, whose path has slashes. */
export declare function isAbout(file: string, part: string): boolean;
