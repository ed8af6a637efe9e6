import { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "../../csp/index.js";

/**
 * The documents of the sealed frame. Scripts in them stay short and plain: they
 * are text that is read nowhere but in a frame without an origin.
 */

/**
 * What the frame's own scripts and the worker below them may do; the worker inherits it. The inner document inherits that
 * of the outer one, so both name both scripts.
 */
export function framePolicy(innerHash: string): string {
  const scripts = `${OUTER_SCRIPT_HASH} ${innerHash}`;
  return `default-src 'none'; script-src ${scripts} 'wasm-unsafe-eval' blob:; worker-src blob:; connect-src blob: data:`;
}

/**
 * The inner document. It takes one message: the worker's script, a port for the
 * worker, a port on which it tells how the start went, and one on which it makes
 * and revokes blob URLs for the page. From then on its window listens to nobody;
 * the other ends of its ports are the page's alone. Only its parent is heard:
 * other sessions' frames can find this one from the top window, and would take
 * the start away with a message of their own.
 */
export const INNER_SCRIPT = `
onmessage = (event) => {
  if (event.source !== parent) return;
  onmessage = null;
  const [workerPort, status, urls] = event.ports;
  urls.onmessage = ({ data: { blob, count, revoked } }) => {
    for (const url of revoked) URL.revokeObjectURL(url);
    if (count > 0) urls.postMessage(Array.from({ length: count }, () => URL.createObjectURL(blob)));
  };
  try {
    const worker = new Worker(URL.createObjectURL(new Blob([event.data], { type: "text/javascript" })));
    worker.onerror = (error) => status.postMessage({ kind: "failed", reason: String(error.message || "its script could not be run") });
    worker.postMessage(null, [workerPort]);
    status.postMessage({ kind: "started" });
  } catch (error) {
    status.postMessage({ kind: "failed", reason: String(error) });
  }
};
`;

/** The outer document hands one message on to the inner one. It is there so that the inner frame cannot leave by navigating. */
export const OUTER_SCRIPT = `
onmessage = (event) => {
  if (event.source !== parent) return;
  onmessage = null;
  document.querySelector("iframe").contentWindow.postMessage(event.data, "*", event.ports);
};
`;

/** The document for the frame that the page makes. */
export const OUTER_DOCUMENT = sealedDocument(INNER_SCRIPT, INNER_SCRIPT_HASH);

/** The two documents with another script in the inner one: what a hostile one may do is tried with it. */
export function sealedDocument(script: string, hash: string): string {
  // The base of the inner document is that of the outer one, and without this the page's address with all it carries.
  const head = `<!doctype html><base href="about:blank"><meta http-equiv="Content-Security-Policy" content="${framePolicy(hash)}">`;
  const inner = `${head}<script>${script}</script>`;
  return `${head}<iframe sandbox="allow-scripts" srcdoc="${escapeAttribute(inner)}"></iframe><script>${OUTER_SCRIPT}</script>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
