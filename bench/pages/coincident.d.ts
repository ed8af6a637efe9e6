// The package brings no types.

/** What the two ends of coincident offer each other. */
interface CoincidentEnds {
  readonly page: object;
  readonly worker: object;
}

declare module "coincident/main" {
  export default function coincident<Ends extends CoincidentEnds>(): {
    readonly native: boolean;
    readonly Worker: new (
      url: string,
      options?: WorkerOptions & { serviceWorker?: string },
    ) => Worker & { readonly proxy: Ends["page"] & import("./remote.js").Asynchronous<Ends["worker"]> };
  };
}

declare module "coincident/worker" {
  export default function coincident<Ends extends CoincidentEnds>(): Promise<{
    readonly native: boolean;
    readonly sync: boolean;
    readonly proxy: Ends["page"] & Ends["worker"];
  }>;
}
