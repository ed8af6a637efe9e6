import { CspBlockedError } from "../errors.js";
import { FRAME_SCRIPTS } from "./sealed-frame-documents.js";

/** What a host needs from the policy of the page it runs on. */
export type CspNeed = "wasm" | "worker" | "import" | "inline-script" | "connect";

/** The smallest WebAssembly module: its magic number and version. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** Milliseconds in which a script of the page that is refused has been reported. */
const REPORT_LIMIT = 1000;
/** Milliseconds after its frame's load in which a script that ran there is heard of: a busy machine passes messages late. */
const WORD_LIMIT = 5000;

const PROBE_SCRIPT = 'parent.postMessage("vitrine-ran", "*")';

interface Probe {
  /** What to add to the policy, in its own words. */
  readonly directive: string | (() => Promise<string>);
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
  "inline-script": { directive: inlineDirective, attempt: runFrameScript },
  connect: { directive: "connect-src blob:", attempt: fetchEmptyBlob },
};

/**
 * Tries what the host is about to do, on the page, whose policy frames and
 * workers inherit. A page without a policy passes at once.
 * @throws {CspBlockedError} naming every directive that is missing.
 */
export async function throwIfCspBlocks(needs: readonly CspNeed[]): Promise<void> {
  if (!takesText())
    throw new CspBlockedError(["workers and frames from text, without require-trusted-types-for 'script'"]);
  const outcomes = await Promise.all(needs.map(isBlocked));
  const missing = needs.filter((_need, index) => outcomes[index]).map((need) => probes[need].directive);
  if (missing.length === 0) return;
  const directives = missing.map(async (directive) => (typeof directive === "string" ? directive : directive()));
  throw new CspBlockedError(await Promise.all(directives));
}

/** False where the page has Trusted Types enforced, with which every other probe would fail for the wrong reason. */
function takesText(): boolean {
  try {
    document.createElement("iframe").srcdoc = "";
    return true;
  } catch {
    return false;
  }
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

/**
 * In a frame whose parser meets the script, as the sealed frame's does: a page's policy may trust what its scripts put in,
 * and not that.
 */
function runFrameScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const frame = document.createElement("iframe");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (isRun: boolean): void => {
      removeEventListener("message", hear);
      clearTimeout(timer);
      frame.remove();
      if (isRun) resolve();
      else reject(new Error("the script did not run"));
    };
    const hear = ({ source }: MessageEvent): void => {
      if (source === frame.contentWindow) finish(true);
    };
    addEventListener("message", hear);
    frame.sandbox.add("allow-scripts");
    frame.style.display = "none";
    frame.srcdoc = `<!doctype html><script>${PROBE_SCRIPT}</script>`;
    // The frame may be of another process, whose message comes after the event.
    frame.addEventListener("load", () => (timer = setTimeout(finish, WORD_LIMIT, false)), { once: true });
    document.body.append(frame);
  });
}

/** Whether the page's policy goes by nonces or hashes, with which browsers overlook `'unsafe-inline'`. */
function goesByHashes(): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    const finish = (byHashes: boolean): void => {
      document.removeEventListener("securitypolicyviolation", blocked);
      script.remove();
      resolve(byHashes);
    };
    const blocked = (event: SecurityPolicyViolationEvent): void => {
      if (event.effectiveDirective.startsWith("script-src"))
        finish(/'(nonce-|sha\d+-|strict-dynamic)/.test(event.originalPolicy));
    };
    document.addEventListener("securitypolicyviolation", blocked);
    // One that runs although the frame's did not is trusted by 'strict-dynamic'.
    script.addEventListener("vitrine-ran", () => {
      finish(true);
    });
    script.textContent = "document.currentScript.dispatchEvent(new Event('vitrine-ran'))";
    document.head.append(script);
    setTimeout(finish, REPORT_LIMIT, false);
  });
}

async function inlineDirective(): Promise<string> {
  if (!(await goesByHashes())) return "script-src 'unsafe-inline'";
  const hashes = await Promise.all([PROBE_SCRIPT, ...FRAME_SCRIPTS].map(hashOf));
  return `script-src ${hashes.join(" ")}`;
}

async function hashOf(script: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}
