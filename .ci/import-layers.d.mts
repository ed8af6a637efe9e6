export declare function whyForbidden(from: string, to: string): string | null;
