export declare const rooms: Readonly<Record<string, readonly (readonly string[])[]>>;
export declare function whyForbidden(from: string, to: string): string | null;
export declare function roomOf(file: string, folder: string): string | null;
