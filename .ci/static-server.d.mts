export interface StaticServer {
  readonly url: string;
  close(): Promise<void>;
}
export declare function serveFolder(
  folder: string,
  options?: { base?: string; headers?: Record<string, string>; port?: number },
): Promise<StaticServer>;
