import { CspBlockedError } from "../errors.js";

/** What a host needs from the policy of the page it runs on. */
export type CspNeed = "wasm" | "worker" | "import" | "inline-script" | "connect";

/** The smallest WebAssembly module: its magic number and version. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

interface Probe {
  /** What to add to the policy, in its own words. */
  readonly directive: string;
  attempt(): Promise<void> | void;
}

const probes: Readonly<Record<CspNeed, Probe>> = {
  wasm: {
    directive: "script-src 'wasm-unsafe-eval'",
    attempt: () => {
      new WebAssembly.Module(EMPTY_MODULE);
    },
  },
  worker: { directive: "worker-src blob:", attempt: startEmptyWorker },
  import: { directive: "script-src blob:", attempt: importEmptyModule },
  "inline-script": { directive: "script-src 'unsafe-inline'", attempt: runInlineScript },
  connect: { directive: "connect-src blob:", attempt: fetchEmptyBlob },
};

/**
 * Tries what the host is about to do, on the page, whose policy frames and
 * workers inherit. A page without a policy passes at once.
 * @throws {CspBlockedError} naming every directive that is missing.
 */
export async function throwIfCspBlocks(needs: readonly CspNeed[]): Promise<void> {
  const outcomes = await Promise.all(needs.map(isBlocked));
  const missing = needs.filter((_need, index) => outcomes[index]).map((need) => probes[need].directive);
  if (missing.length > 0) throw new CspBlockedError(missing);
}

const passed = new Set<CspNeed>();

async function isBlocked(need: CspNeed): Promise<boolean> {
  // A page's policy can only grow stricter, which a later failure to start would show.
  if (passed.has(need)) return false;
  try {
    await probes[need].attempt();
    passed.add(need);
    return false;
  } catch {
    return true;
  }
}

async function withBlobUrl(text: string, use: (url: string) => Promise<void>): Promise<void> {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    await use(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function startEmptyWorker(): Promise<void> {
  return withBlobUrl("postMessage(null)", (url) => {
    return new Promise((resolve, reject) => {
      const worker = new Worker(url);
      worker.onmessage = () => {
        worker.terminate();
        resolve();
      };
      worker.onerror = () => {
        reject(new Error("worker refused"));
      };
    });
  });
}

function importEmptyModule(): Promise<void> {
  return withBlobUrl("export {}", async (url) => {
    await import(/* @vite-ignore */ url);
  });
}

async function fetchEmptyBlob(): Promise<void> {
  await withBlobUrl("", async (url) => {
    await fetch(url);
  });
}

function runInlineScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const blocked = (event: SecurityPolicyViolationEvent): void => {
      if (event.effectiveDirective.startsWith("script-src")) finish(new Error(event.effectiveDirective));
    };
    const finish = (error?: Error): void => {
      document.removeEventListener("securitypolicyviolation", blocked);
      script.remove();
      if (error === undefined) resolve();
      else reject(error);
    };
    document.addEventListener("securitypolicyviolation", blocked);
    // The script proves that it ran by an event on itself; no name on the page is used.
    script.addEventListener("vitrine-ran", () => {
      finish();
    });
    script.textContent = "document.currentScript.dispatchEvent(new Event('vitrine-ran'))";
    document.head.append(script);
    setTimeout(() => {
      finish(new Error("the script did not run"));
    }, 1000);
  });
}
