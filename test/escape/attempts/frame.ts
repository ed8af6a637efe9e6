import type { Attempt, Need, Place } from "./attempt.js";
import { needs } from "./needs.js";

type Case = readonly [name: string, code: (place: Place) => string];

/** An element that loads something, put into the document. */
function markup(html: (place: Place) => string): (place: Place) => string {
  return (place) =>
    `const holder = document.createElement("div"); holder.innerHTML = ${JSON.stringify(html(place))}; document.documentElement.append(holder)`;
}

function styled(css: (place: Place) => string): (place: Place) => string {
  return (place) =>
    `const style = document.createElement("style"); style.textContent = ${JSON.stringify(css(place))}; document.documentElement.append(style, Object.assign(document.createElement("p"), { textContent: "text" }))`;
}

function link(rel: string, more = ""): (place: Place) => string {
  return ({ url }) =>
    `const link = document.createElement("link"); link.rel = "${rel}"; ${more} link.href = "${url}"; document.documentElement.append(link)`;
}

const network: readonly Case[] = [
  ["sendBeacon", ({ url }) => `if (!navigator.sendBeacon("${url}", "secret")) throw new Error("refused")`],
  ["fetchLater", ({ url }) => `fetchLater("${url}", { activateAfter: 0 })`],
  [
    "a script element",
    ({ url }) =>
      `await new Promise((resolve, reject) => { const script = document.createElement("script"); script.src = "${url}"; script.onload = resolve; script.onerror = () => reject(new Error("refused")); document.documentElement.append(script); })`,
  ],
  [
    "a module script element",
    ({ url }) =>
      `const script = document.createElement("script"); script.type = "module"; script.src = "${url}"; document.documentElement.append(script)`,
  ],
  [
    "an inline module that imports",
    ({ url }) =>
      `const script = document.createElement("script"); script.type = "module"; script.textContent = 'import "${url}"'; document.documentElement.append(script)`,
  ],
  ["a picture", ({ url }) => `new Image().src = "${url}"`],
  ["a picture with srcset", markup(({ url }) => `<img srcset="${url} 1x, ${url} 2x">`)],
  ["a source of a picture", markup(({ url }) => `<picture><source srcset="${url}"><img></picture>`)],
  [
    "a picture below a base",
    ({ url }) =>
      `const base = document.createElement("base"); base.href = "${url}/"; document.head.append(base); const image = new Image(); image.src = "x"`,
  ],
  ["an input of type image", markup(({ url }) => `<input type="image" src="${url}">`)],
  ["a video", markup(({ url }) => `<video src="${url}" autoplay muted preload="auto"></video>`)],
  ["a poster of a video", markup(({ url }) => `<video poster="${url}"></video>`)],
  ["an audio", markup(({ url }) => `<audio src="${url}" preload="auto"></audio>`)],
  [
    "a track of a video",
    ({ ownUrl }) =>
      `const video = document.createElement("video"); const track = document.createElement("track"); track.default = true; track.src = "${ownUrl}"; video.append(track); document.documentElement.append(video); track.track.mode = "showing"`,
  ],
  ["an SVG image", markup(({ url }) => `<svg><image href="${url}" width="9" height="9"/></svg>`)],
  ["an SVG use", markup(({ ownUrl }) => `<svg width="9" height="9"><use href="${ownUrl}#a"/></svg>`)],
  [
    "an SVG filter image",
    markup(
      ({ url }) =>
        `<svg width="9" height="9"><filter id="f"><feImage href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
    ),
  ],
  ["a table's background", markup(({ url }) => `<table background="${url}"><tr><td>x</td></tr></table>`)],
  ["a CSS background", styled(({ url }) => `p { background: url("${url}") }`)],
  ["a CSS import", styled(({ url }) => `@import "${url}";`)],
  ["a CSS font", styled(({ url }) => `@font-face { font-family: x; src: url("${url}") } p { font-family: x }`)],
  [
    "a CSS cursor, content and mask",
    styled(
      ({ url }) => `p { mask-image: url("${url}") } p::before { content: url("${url}"); cursor: url("${url}"), auto }`,
    ),
  ],
  ["a CSS image-set", styled(({ url }) => `p { background: image-set("${url}" 1x) }`)],
  [
    "a constructed style sheet",
    ({ url }) =>
      `const sheet = new CSSStyleSheet(); sheet.replaceSync('html { background: url("${url}") }'); document.adoptedStyleSheets = [sheet]`,
  ],
  ["a style attribute", ({ url }) => `document.documentElement.style.backgroundImage = 'url("${url}")'`],
  ["a style sheet link", link("stylesheet")],
  ["a prefetch link", link("prefetch")],
  ["a preload link for a fetch", link("preload", `link.as = "fetch"; link.crossOrigin = "anonymous";`)],
  ["a preload link for a picture", link("preload", `link.as = "image";`)],
  ["a modulepreload link", link("modulepreload")],
  ["a paint worklet", ({ url }) => `await CSS.paintWorklet.addModule("${url}")`],
  ["an audio worklet", ({ url }) => `await new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule("${url}")`],
  ["an iframe", markup(({ url }) => `<iframe src="${url}"></iframe>`)],
  ["an iframe with a picture inside", markup(({ url }) => `<iframe srcdoc="<img src='${url}'>"></iframe>`)],
  ["an iframe of a data URL", markup(({ url }) => `<iframe src="data:text/html,<img src='${url}'>"></iframe>`)],
  [
    "an iframe of a blob",
    ({ url }) =>
      `const frame = document.createElement("iframe"); frame.src = URL.createObjectURL(new Blob(["<img src='${url}'>"], { type: "text/html" })); document.documentElement.append(frame)`,
  ],
  [
    "the fetch of a fresh iframe",
    ({ url }) =>
      `const frame = document.createElement("iframe"); document.documentElement.append(frame); await frame.contentWindow.fetch("${url}")`,
  ],
  ["an object", markup(({ url }) => `<object data="${url}"></object>`)],
  ["an embed", markup(({ url }) => `<embed src="${url}">`)],
];

const leaving: readonly Case[] = [
  [
    "a beacon when the frame is removed",
    ({ url }) => `addEventListener("pagehide", () => { navigator.sendBeacon("${url}") })`,
  ],
  [
    "a fetch when the frame is removed",
    ({ url }) => `addEventListener("pagehide", () => { fetch("${url}", { keepalive: true }) })`,
  ],
];

const navigation: readonly Case[] = [
  ["location.href", ({ url }) => `location.href = "${url}"`],
  ["location.replace", ({ url }) => `location.replace("${url}")`],
  ["the navigation API", ({ url }) => `await navigation.navigate("${url}").committed`],
  [
    "a meta refresh",
    ({ url }) =>
      `const meta = document.createElement("meta"); meta.httpEquiv = "refresh"; meta.content = "0;url=${url}"; document.head.append(meta)`,
  ],
  [
    "a form that gets",
    ({ url }) =>
      `const form = document.createElement("form"); form.action = "${url}"; document.documentElement.append(form); form.submit()`,
  ],
  [
    "a form that posts",
    ({ url }) =>
      `const form = document.createElement("form"); form.action = "${url}"; form.method = "post"; document.documentElement.append(form); form.submit()`,
  ],
  [
    "a form for the top window",
    ({ url }) =>
      `const form = document.createElement("form"); form.action = "${url}"; form.target = "_top"; document.documentElement.append(form); form.submit()`,
  ],
  [
    "a form for a new window",
    ({ url }) =>
      `const form = document.createElement("form"); form.action = "${url}"; form.target = "_blank"; document.documentElement.append(form); form.submit()`,
  ],
  ["a link to itself", ({ url }) => `Object.assign(document.createElement("a"), { href: "${url}" }).click()`],
  [
    "a link to the top window",
    ({ url }) =>
      `const anchor = Object.assign(document.createElement("a"), { href: "${url}", target: "_top" }); document.documentElement.append(anchor); anchor.click()`,
  ],
  [
    "a link to the parent",
    ({ url }) =>
      `const anchor = Object.assign(document.createElement("a"), { href: "${url}", target: "_parent" }); document.documentElement.append(anchor); anchor.click()`,
  ],
  [
    "a link's ping",
    ({ url }) =>
      `const anchor = Object.assign(document.createElement("a"), { href: "#here", ping: "${url}" }); document.documentElement.append(anchor); anchor.click()`,
  ],
  ["a window that opens", ({ url }) => `if (open("${url}") === null) throw new Error("refused")`],
  ["the top window's location", ({ url }) => `top.location = "${url}"`],
  ["the parent's location", ({ url }) => `parent.location = "${url}"`],
  ["the outer frame's own script", ({ url }) => `parent.eval('location.href = "${url}"')`],
  [
    "another session's frame",
    ({ url }) => `for (let at = 0; at < top.length; at += 1) { if (top[at] !== parent) top[at].location = "${url}" }`,
  ],
  [
    "a nested frame's location",
    ({ url }) =>
      `const frame = document.createElement("iframe"); document.documentElement.append(frame); frame.contentWindow.location = "${url}"`,
  ],
];

const storage: readonly Case[] = [
  ["reading localStorage", () => `return localStorage.secret`],
  ["reading sessionStorage", () => `return sessionStorage.secret`],
  ["reading cookies", () => `return document.cookie`],
];

const pageSecrets: readonly Case[] = [
  ["reading the page's variables", () => `return top.secret`],
  ["reading the page's address as a base", () => `document.querySelector("base")?.remove(); return document.baseURI`],
  ["reading the page's document", () => `return top.document.getElementById("private").textContent`],
  [
    "reading the page through its frame element",
    () => `return parent.frameElement.ownerDocument.getElementById("private").textContent`,
  ],
  [
    "a shared worker of the page's origin",
    ({ pageOrigin }) =>
      `return await new Promise((resolve, reject) => { const worker = new SharedWorker("${pageOrigin}/shared-worker.js"); worker.onerror = () => reject(new Error("refused")); worker.port.onmessage = ({ data }) => resolve(data); })`,
  ],
  [
    "a worker of the page's origin",
    ({ pageOrigin }) =>
      `return await new Promise((resolve, reject) => { const worker = new Worker("${pageOrigin}/private-worker.js"); worker.onerror = () => reject(new Error("refused")); worker.onmessage = ({ data }) => resolve(data); })`,
  ],
];

const pageEffects: readonly Case[] = [
  ["writing to localStorage", ({ mark }) => `localStorage.setItem("${mark}", "1")`],
  [
    "writing a cookie",
    ({ mark }) => `document.cookie = "${mark}=1"; if (!document.cookie.includes("${mark}")) throw new Error("refused")`,
  ],
  ["the page's title", ({ mark }) => `top.document.title = "${mark}"`],
  [
    "an element on the page",
    ({ mark }) => `top.document.body.append(Object.assign(top.document.createElement("i"), { id: "${mark}" }))`,
  ],
  ["a variable of the page", ({ mark }) => `top["${mark}"] = 1`],
  ["the page's eval", ({ mark }) => `top.eval('self["${mark}"] = 1')`],
  ["the page's Function", ({ mark }) => `new top.Function('self["${mark}"] = 1')()`],
  ["the page's prototypes", ({ mark }) => `top.Object.prototype["${mark}"] = 1`],
  ["a javascript: address for the page", ({ mark }) => `top.location = "javascript:void(self['${mark}'] = 1)"`],
  ["the page's address", ({ mark }) => `top.location.hash = "${mark}"`],
  ["the page's history", ({ mark }) => `top.history.pushState(null, "", "#${mark}")`],
  [
    "a service worker of the page's origin",
    ({ pageOrigin, mark }) => `await navigator.serviceWorker.register("${pageOrigin}/service-worker.js?${mark}")`,
  ],
  ["an alert", ({ mark }) => `alert("${mark}")`],
  ["a question", ({ mark }) => `prompt("${mark}")`],
  [
    "a download",
    ({ mark }) =>
      `const anchor = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob(["x"])), download: "${mark}" }); document.documentElement.append(anchor); anchor.click()`,
  ],
  [
    "an inline script",
    ({ mark }) =>
      `const script = document.createElement("script"); script.textContent = 'top.postMessage("${mark}", "*")'; document.documentElement.append(script)`,
  ],
  [
    "an inline script that the parser meets",
    ({ mark }) => `document.write('<script>top.postMessage("${mark}", "*")</' + 'script>')`,
  ],
  [
    "an inline module",
    ({ mark }) =>
      `const script = document.createElement("script"); script.type = "module"; script.textContent = 'top.postMessage("${mark}", "*")'; document.documentElement.append(script)`,
  ],
  ["an error handler in markup", markup(({ mark }) => `<img src="data:," onerror="top.postMessage('${mark}', '*')">`)],
  [
    "a javascript: address for itself",
    ({ mark }) => `location.href = "javascript:void top.postMessage('${mark}', '*')"`,
  ],
  ["an empty window that opens", () => `if (open("about:blank") === null) throw new Error("refused")`],
];

/** They move the top window or open another, or a dialog stops it. */
const disturbing = new Set([
  "a form for the top window",
  "a form for a new window",
  "a link to the top window",
  "a window that opens",
  "the top window's location",
  "another session's frame",
  "an alert",
  "a question",
  "a download",
  "an empty window that opens",
]);

const needed: ReadonlyMap<string, Need> = new Map([
  ["fetchLater", needs.fetchLater],
  ["a prefetch link", needs.prefetch],
  ["a paint worklet", needs.paintWorklet],
  ["an iframe with a picture inside", needs.thirdSrcdoc],
  ["the navigation API", needs.navigationApi],
  ["a link's ping", needs.ping],
  ["a form for a new window", needs.windows],
  ["a window that opens", needs.windows],
  ["an empty window that opens", needs.windows],
  ["a service worker of the page's origin", needs.serviceWorkerOfSrcdoc],
]);

function attempts(
  cases: readonly Case[],
  more: Pick<Attempt, "group" | "sign"> & { leaves?: boolean },
): readonly Attempt[] {
  return cases.map(([name, code]) => {
    const need = needed.get(name);
    return {
      name,
      code,
      ring: "frame",
      language: "javascript",
      twin: "plain frame",
      ...(disturbing.has(name) ? { disturbs: true } : {}),
      ...(need && { needs: need }),
      ...more,
    };
  });
}

export const frame: readonly Attempt[] = [
  ...attempts(network, { group: "network", sign: "bytes" }),
  ...attempts(leaving, { group: "network", sign: "bytes", leaves: true }),
  ...attempts(navigation, { group: "navigation", sign: "bytes" }),
  ...attempts(storage, { group: "storage", sign: "secret" }),
  ...attempts(pageSecrets, { group: "page", sign: "secret" }),
  ...attempts(pageEffects, { group: "page", sign: "effect" }),
];
