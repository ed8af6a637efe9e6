import { memoryStorage, Session, VitrineError } from "../../../src/index.js";

/** What became of a session on a page with a Content Security Policy. */
export interface PolicyReport {
  /** Of `6 * 7`; null where no session opened. */
  readonly value: unknown;
  readonly code: string | null;
  readonly message: string;
  /** What the error says is missing. */
  readonly directives: unknown;
  /** What the policy refused in the page's own document. */
  readonly violations: readonly string[];
  /** Milliseconds until the session was open, or was refused. */
  readonly elapsed: number;
}

declare global {
  interface Window {
    vitrinePolicy: PolicyReport | undefined;
  }
}

const violations: string[] = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective} ${blockedURI}`);
});
window.vitrinePolicy = await report();

async function report(): Promise<PolicyReport> {
  const started = performance.now();
  try {
    const session = await Session.open({ storage: memoryStorage() });
    const elapsed = performance.now() - started;
    const { value, error } = await session.run("6 * 7");
    await session.close();
    return { value, code: error?.code ?? null, message: String(error), directives: null, violations, elapsed };
  } catch (error) {
    if (!(error instanceof VitrineError)) throw error;
    const elapsed = performance.now() - started;
    const { code, message } = error;
    return { value: null, code, message, directives: error.details().directives, violations, elapsed };
  }
}
