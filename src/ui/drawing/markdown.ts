import createDOMPurify, { type DOMPurify } from "dompurify";
import { Marked } from "marked";

import { keepNoAddresses, RASTER_IMAGE, TARGET } from "./addresses.js";

const marked = new Marked({ gfm: true, async: false });

export interface MarkdownDrawing {
  /** Called with the target of a link that was clicked. */
  readonly onLink: (target: string) => void;
  /** Whether each link has the host that it leads to behind it. Default: false. */
  readonly showsHosts?: boolean;
}

/**
 * A piece of Markdown as nodes of the page: no styles, no classes, no pictures but those that carry their pixels, and
 * buttons in the place of links. A piece that cannot be read is shown as it is.
 */
export function drawMarkdown(piece: string, drawing: MarkdownDrawing): DocumentFragment {
  // Of an inert document, where nothing runs or loads, and of the same one each time: a long transcript has hundreds
  // of texts, and a document for each, as DOMPurify makes it for a string, is what the page would then wait to be rid of.
  const root = INERT.createElement("blockquote");
  try {
    root.innerHTML = marked.parse(piece, { async: false });
  } catch (error) {
    // marked calls itself for each level of quotes and lists.
    if (!(error instanceof RangeError)) throw error;
    return asText(piece);
  }
  purify().sanitize(root, {
    IN_PLACE: true,
    ALLOWED_TAGS: TAGS,
    // `href` only as far as the hook, which turns it into a target.
    ALLOWED_ATTR: ["href", "src", "alt", "title", "start", "align", TARGET],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
  const fragment = document.createDocumentFragment();
  fragment.append(...root.childNodes);
  for (const anchor of fragment.querySelectorAll("a")) anchor.replaceWith(...linkButton(anchor, drawing));
  for (const image of fragment.querySelectorAll("img")) {
    if (!image.hasAttribute("src")) image.replaceWith(missingPicture(image.alt));
    else image.loading = "lazy";
  }
  for (const table of fragment.querySelectorAll("table")) putInScroller(table);
  return fragment;
}

const INERT = document.createElement("template").content.ownerDocument;

let purifyOfMarkdown: DOMPurify | undefined;

function purify(): DOMPurify {
  if (purifyOfMarkdown === undefined) {
    purifyOfMarkdown = createDOMPurify(window);
    keepNoAddresses(purifyOfMarkdown, { images: RASTER_IMAGE, keepTargets: true });
  }
  return purifyOfMarkdown;
}

const TAGS = [
  ..."p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del s sub sup br hr a img".split(" "),
  ..."table thead tbody tr th td kbd details summary".split(" "),
];

function asText(piece: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const why = document.createElement("p");
  why.className = "hint";
  why.textContent = "Nested too deeply to be formatted:";
  const text = document.createElement("pre");
  text.tabIndex = 0;
  text.textContent = piece;
  fragment.append(why, text);
  return fragment;
}

/** A wide table scrolls by itself, not with the page. */
function putInScroller(table: Element): void {
  const scroller = document.createElement("div");
  scroller.className = "scroller";
  scroller.tabIndex = 0;
  scroller.role = "group";
  scroller.ariaLabel = "Table";
  table.replaceWith(scroller);
  scroller.append(table);
}

function linkButton(anchor: Element, { onLink, showsHosts = false }: MarkdownDrawing): Element[] {
  const target = anchor.getAttribute(TARGET);
  const element = document.createElement(target === null ? "span" : "button");
  element.append(...anchor.childNodes);
  if (target !== null && element instanceof HTMLButtonElement) {
    element.type = "button";
    element.className = "link";
    element.title = target;
    element.addEventListener("click", () => {
      onLink(target);
    });
  }
  const host = target === null || !showsHosts ? "" : hostOf(target);
  // An address that is its own text says it already.
  return host === "" || element.textContent.includes(host) ? [element] : [element, hostNote(host)];
}

function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).host : "";
}

function hostNote(host: string): Element {
  const note = document.createElement("span");
  note.className = "link-host";
  note.dir = "ltr";
  note.textContent = ` (${host})`;
  return note;
}

function missingPicture(alt: string): Element {
  const note = document.createElement("span");
  note.className = "missing-picture";
  note.textContent = `[picture not loaded${alt === "" ? "" : `: ${alt}`}]`;
  return note;
}
