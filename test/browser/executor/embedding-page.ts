import { memoryStorage, Session, VitrineError, type TrustLevel } from "../../../src/index.js";

/** What the page reports to the window that opened it. */
export interface EmbeddingReport {
  readonly value: unknown;
  readonly code: string | null;
  readonly message: string;
  readonly directives: unknown;
}

// The tests load this file twice: for its type, and as the script of an embedding page.
const trust = new URLSearchParams(location.search).get("options");
if (location.pathname === "/page" && trust !== null) {
  // Vitest's server rewrites `import()` to go through its runner, which such a page does not have.
  Object.assign(globalThis, {
    __vitest_browser_runner__: { wrapDynamicImport: (load: () => Promise<unknown>) => load() },
  });
  parent.postMessage({ embeddingReport: await report(trust as TrustLevel) }, "*");
}

async function report(trust: TrustLevel): Promise<EmbeddingReport> {
  try {
    const session = await Session.open({ storage: memoryStorage(), trust });
    const { value, error } = await session.run("1 + 1");
    await session.close();
    return { value, code: error?.code ?? null, message: String(error), directives: null };
  } catch (error) {
    if (!(error instanceof VitrineError))
      return { value: null, code: "NONE", message: String(error), directives: null };
    return { value: null, code: error.code, message: error.message, directives: error.details().directives };
  }
}
