import { framePolicy, sealedDocument } from "../../../src/executor/hosts/sealed-frame-documents.js";
import { createFrame } from "../../../src/executor/hosts/sealed-frame-host.js";
import type { Attempt, Place } from "../attempts/index.js";

/** Milliseconds for a promise that may never settle: a refused load often says nothing. */
const SETTLING = 1000;

/** Frames of this batch and of the one before: what comes late comes too. */
const frames: HTMLIFrameElement[] = [];
const KEPT = 40;

export interface Outcome {
  readonly gained: boolean;
  readonly text: string;
}

/** Runs the attempt as the script of the inner document. */
export async function attemptInFrame(
  attempt: Attempt,
  { place, sealed }: { place: Place; sealed: boolean },
): Promise<Outcome> {
  const script = reporting(attempt.code(place));
  const hash = await hashOf(script);
  const frame = createFrame(sealedDocument(script, hash));
  if (!sealed) unseal(frame, hash);
  // What is not drawn does not load everything; the seal must hold without that.
  frame.style.display = "block";
  const loaded = new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
  });
  for (const old of frames.splice(0, frames.length - KEPT)) old.remove();
  frames.push(frame);
  document.body.append(frame);
  await loaded;
  const { port1, port2 } = new MessageChannel();
  const outcome = new Promise<Outcome>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Outcome>) => {
      resolve(data);
    };
    setTimeout(() => {
      resolve({ gained: false, text: "it did not settle" });
    }, SETTLING);
  });
  frame.contentWindow?.postMessage(null, "*", [port2]);
  const ended = await outcome;
  if (attempt.leaves === true) frame.remove();
  return ended;
}

/** Ends what still goes on in frames of attempts. */
export function removeFrames(): void {
  for (const frame of frames.splice(0)) frame.remove();
}

/** The script as the shipped one begins: it waits for one message, and tells on its port how it went. */
function reporting(code: string): string {
  return `
const violations = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective }) => violations.push(effectiveDirective));
onmessage = ({ ports: [report] }) => {
  onmessage = null;
  const tell = (gained, value) => setTimeout(() => report.postMessage({ gained, text: [value, ...violations].join(" ") }), 50);
  (async () => { ${code.replaceAll("</", "<\\/")} })().then((value) => tell(true, String(value)), (error) => tell(false, String(error)));
};`;
}

/** As a policy names the script. */
async function hashOf(script: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}

/** Takes the seal off the documents. */
function unseal(frame: HTMLIFrameElement, hash: string): void {
  frame.removeAttribute("sandbox");
  frame.className = "unsealed";
  const content = frame.srcdoc
    .replaceAll(framePolicy(hash), "")
    .replaceAll('sandbox="allow-scripts"', "")
    .replaceAll(/<base [^>]*>/g, "");
  if (content.includes("default-src") || content.includes("sandbox"))
    throw new Error("The seal is still on the frame.");
  frame.srcdoc = content;
}
