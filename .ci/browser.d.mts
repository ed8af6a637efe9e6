export declare const chromiumFlags: string[];
export declare const playwrightFlags: string[];
export declare const withoutOptimizing: string;
export declare const withoutOptimizingScripts: string;
export declare function findChromium(): Promise<string | null>;
export declare function ensureChromium(say?: (text: string) => void): Promise<string>;
export declare function findFirefox(): string | null;
export declare function ensureFirefox(say?: (text: string) => void): string | null;
export interface WebKitParts {
  readonly driver: string;
  readonly browser: string;
  readonly xvfb: string | null;
}
export declare function findWebKit(): WebKitParts | null;
export declare function ensureWebKit(say?: (text: string) => void): WebKitParts | null;
export declare const installAdvice: Readonly<Record<"chromium" | "firefox" | "webkitgtk", string>>;
