export declare const chromiumFlags: string[];
export declare function findChromium(): Promise<string | null>;
export declare function ensureChromium(say?: (text: string) => void): Promise<string>;
