/**
 * Documents for foreign HTML and SVG: no script runs in them, nothing is loaded
 * from anywhere, and they have no origin. The content sits in a frame inside a
 * frame: the policy of the outer one keeps the inner one from navigating, which
 * `<meta http-equiv=refresh>` could do without any script.
 */

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:";

const head =
  `<!doctype html><html lang="en"><meta charset="utf-8">` +
  `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
  // Browsers look up the hosts of links ahead of time, and a host name can carry data.
  `<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">`;

/**
 * The policy of an embedding page holds in the frames, too, and may refuse styles. Attributes then say where the one thing is
 * that a document of ours holds; a height in per cent of the frame is nothing that they can say.
 */
const bare = `<body marginwidth="0" marginheight="0">`;
const filling = `width="100%" align="top"`;

/** Pixels of a frame that is cut off where the one around it ends: more than any drawing has. */
const ENOUGH = 4000;

const outerStyle = "html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%;display:block}";

const innerStyle =
  // The margin is the root's, because documents set that of their body.
  ":root{color-scheme:light;background:#fff;color:#1c1f21;padding:12px 14px}" +
  "body{margin:0;font:13.5px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}" +
  "table{border-collapse:collapse;font-variant-numeric:tabular-nums}" +
  "td,th{padding:4px 10px 4px 2px;border-block-end:1px solid #e2e2da;text-align:start}" +
  "img,svg{max-width:100%;height:auto}pre{overflow:auto}";

/**
 * The outer document, for `srcdoc` of a frame with an empty `sandbox`. `html` has been cleaned by `cleanHtml`.
 *
 * @param height - pixels of that frame, where styles are refused.
 */
export function sealedHtml(html: string, title: string, height: number): string {
  return nest(`${head}<title>${escapeText(title)}</title><style>${innerStyle}</style>${html}`, { title, height });
}

/**
 * An SVG as a picture in such a document. As an image a browser draws it without
 * scripts, links and loads, so nothing has to be taken out of it.
 */
export function sealedSvg(svg: string, title: string): string {
  const style =
    "html,body{margin:0;height:100%;background:#fff}img{display:block;width:100%;height:100%;object-fit:contain}";
  const image = `${bare}<img ${filling} alt="${escapeAttribute(title)}" src="data:image/svg+xml;base64,${base64(new TextEncoder().encode(svg))}">`;
  return nest(`${head}<title>${escapeText(title)}</title><style>${style}</style>${image}`, { title, height: ENOUGH });
}

export interface SvgShape {
  /** The text as an image reads it: with the namespace that documents may leave out. */
  readonly text: string;
  /** Width by height; 2 when it says nothing. */
  readonly ratio: number;
  /** Pixels, as it says itself; undefined where it does not. */
  readonly width: number | undefined;
}

/** What the root element says about the picture. */
export function svgShape(text: string): SvgShape {
  const begin = text.search(/<svg\b/i);
  // Two searches: one pattern for both would begin anew at every `<svg` of a text without an end.
  const end = begin < 0 ? -1 : text.indexOf(">", begin);
  const root = end < 0 ? "" : text.slice(begin, end + 1);
  const number = (name: string): number =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px|pt)?\\s*["']`).exec(root)?.[1]);
  const box = /\sviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(root);
  const fromBox = Number(box?.[1]) / Number(box?.[2]);
  const width = number("width");
  const ratio = width / number("height");
  const named = /\sxmlns\s*=/.test(root) ? text : text.replace(/<svg\b/i, '<svg xmlns="http://www.w3.org/2000/svg"');
  return {
    text: named,
    ratio: [fromBox, ratio].find((value) => value > 0 && Number.isFinite(value)) ?? 2,
    width: width > 0 ? width : undefined,
  };
}

function base64(bytes: Uint8Array): string {
  let text = "";
  // In pieces: an argument list has a limit.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function nest(inner: string, { title, height }: { readonly title: string; readonly height: number }): string {
  const frame = `${bare}<iframe sandbox="" title="${escapeAttribute(title)}" ${filling} height="${String(height)}" frameborder="0" srcdoc="${escapeAttribute(inner)}"></iframe>`;
  return `${head}<title>${escapeText(title)}</title><style>${outerStyle}</style>${frame}`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}
