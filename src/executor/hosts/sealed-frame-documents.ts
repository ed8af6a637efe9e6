/**
 * The documents of the sealed frame. Scripts in them stay short and plain: they
 * are text that is read nowhere but in a frame without an origin.
 */

/** What the frame's own script and the worker below it may do; the worker inherits it. */
export const FRAME_POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; connect-src blob: data:";

/**
 * The inner document. It takes one message: the worker's script, a port for the
 * worker, a port on which it tells how the start went, and one on which it makes
 * and revokes blob URLs for the page. From then on its window listens to nobody;
 * the other ends of its ports are the page's alone. Only its parent is heard:
 * other sessions' frames can find this one from the top window, and would take
 * the start away with a message of their own.
 */
const innerScript = `
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
const outerScript = `
onmessage = (event) => {
  if (event.source !== parent) return;
  onmessage = null;
  document.querySelector("iframe").contentWindow.postMessage(event.data, "*", event.ports);
};
`;

/** For pages whose policy allows scripts by their hashes. */
export const FRAME_SCRIPTS: readonly string[] = [outerScript, innerScript];

// The base of the inner document is that of the outer one, and without this the page's address with all it carries.
const head = `<!doctype html><base href="about:blank"><meta http-equiv="Content-Security-Policy" content="${FRAME_POLICY}">`;

/** The document for the frame that the page makes. */
export const OUTER_DOCUMENT = sealedDocument(innerScript);

/** The two documents with another script in the inner one: what a hostile one may do is tried with it. */
export function sealedDocument(script: string): string {
  const inner = `${head}<script>${script}</script>`;
  return `${head}<iframe sandbox="allow-scripts" srcdoc="${escapeAttribute(inner)}"></iframe><script>${outerScript}</script>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
