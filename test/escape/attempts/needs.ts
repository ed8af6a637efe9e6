import type { Need } from "./attempt.js";

/**
 * What engines lack. By presence where that says it; where an engine has the name and not the behaviour, the probe does the
 * plainest form of it.
 */
export const needs = {
  webTransport: { name: "WebTransport", probe: `"WebTransport" in self` },
  fetchLater: { name: "fetchLater", probe: `"fetchLater" in self` },
  paintWorklet: { name: "paint worklet", probe: `"paintWorklet" in CSS` },
  navigationApi: { name: "navigation API", probe: `"navigation" in self` },
  privateFiles: { name: "private files of the origin", probe: `"getDirectory" in (navigator.storage ?? {})` },
  prefetch: { name: "prefetch links", probe: `document.createElement("link").relList.supports("prefetch")` },
  fontFaceOfWorker: {
    name: "loading of fonts in workers",
    probe: `comes((url) => new FontFace("x", "url(" + url + ")").load().catch(() => undefined))`,
  },
  ping: {
    name: "pings of links",
    probe: `comes((url) => {
      const anchor = Object.assign(document.createElement("a"), { href: "#here", ping: url });
      document.documentElement.append(anchor);
      anchor.click();
    })`,
  },
  windows: {
    name: "windows that open without a click",
    probe: `(() => { const opened = open("about:blank"); opened?.close(); return opened !== null; })()`,
  },
  thirdSrcdoc: {
    name: "third frame by srcdoc inside two others",
    probe: `comes((url) => {
      const inside = (html) => '<iframe srcdoc="' + html.replaceAll("&", "&amp;").replaceAll('"', "&quot;") + '"></iframe>';
      document.body.insertAdjacentHTML("beforeend", inside(inside(inside('<img src="' + url + '">'))));
    })`,
  },
  serviceWorkerOfSrcdoc: {
    name: "service workers for documents by srcdoc",
    probe: `new Promise((resolve, reject) => {
      const frame = Object.assign(document.createElement("iframe"), { srcdoc: "<p>" });
      frame.onload = async () => {
        try {
          const workers = frame.contentWindow.navigator.serviceWorker;
          await (await workers.register(location.origin + "/service-worker.js?probe")).unregister();
          resolve(true);
        } catch (error) {
          reject(error);
        }
      };
      document.body.append(frame);
    })`,
  },
  animatedAddress: {
    name: "animation of an SVG image's address",
    probe: `comes((url) => {
      document.body.insertAdjacentHTML("beforeend",
        '<svg viewBox="0 0 10 10"><image width="9" height="9"><set attributeName="href" to="' + url + '"/></image></svg>');
    })`,
  },
} satisfies Readonly<Record<string, Need>>;
