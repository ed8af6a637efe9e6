import createDOMPurify, { type DOMPurify } from "dompurify";
import { Marked } from "marked";

/** A link that a document had. It is opened by the page, after its whole target was shown. */
export interface FoundLink {
  readonly text: string;
  readonly target: string;
}

export interface CleanHtml {
  readonly html: string;
  readonly links: readonly FoundLink[];
}

const DATA_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;

/**
 * Foreign HTML for a sealed frame. The frame's policy stops scripts and loads;
 * taken out here is what no policy stops: look-ups ahead of time, and links.
 */
export function cleanHtml(html: string): CleanHtml {
  const links: FoundLink[] = [];
  const purify = createDOMPurify(window);
  keepNoAddresses(purify, { onLink: (link) => links.push(link) });
  const clean = purify.sanitize(html, {
    WHOLE_DOCUMENT: true,
    FORBID_TAGS: ["link", "meta", "base", "form", "iframe", "object", "embed", "audio", "video", "source", "track"],
    ALLOW_DATA_ATTR: false,
  });
  return { html: clean, links };
}

const marked = new Marked({ gfm: true, async: false });

/**
 * Markdown as a fragment of the page: no styles, no classes, no pictures but
 * those that carry their data, and buttons in the place of links.
 */
export function drawMarkdown(markdown: string, onLink: (target: string) => void): DocumentFragment {
  // Of an inert document, where nothing runs or loads, and of the same one each time: a long transcript has hundreds
  // of texts, and a document for each, as DOMPurify makes it for a string, is what the page would then wait to be rid of.
  const root = INERT.createElement("blockquote");
  root.innerHTML = marked.parse(markdown, { async: false });
  markdownPurify().sanitize(root, {
    IN_PLACE: true,
    ALLOWED_TAGS: MARKDOWN_TAGS,
    // `href` only as far as the hook, which turns it into a target.
    ALLOWED_ATTR: ["href", "src", "alt", "title", "start", "align", TARGET],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
  const fragment = document.createDocumentFragment();
  fragment.append(...root.childNodes);
  for (const anchor of fragment.querySelectorAll("a")) anchor.replaceWith(linkButton(anchor, onLink));
  for (const image of fragment.querySelectorAll("img")) {
    if (!image.hasAttribute("src")) image.replaceWith(missingPicture(image.alt));
    else image.loading = "lazy";
  }
  // A wide table scrolls by itself, not with the page.
  for (const table of fragment.querySelectorAll("table")) {
    const scroller = document.createElement("div");
    scroller.className = "scroller";
    scroller.tabIndex = 0;
    scroller.role = "region";
    scroller.ariaLabel = "Table";
    table.replaceWith(scroller);
    scroller.append(table);
  }
  return fragment;
}

const INERT = document.createElement("template").content.ownerDocument;

let purifyOfMarkdown: DOMPurify | undefined;

function markdownPurify(): DOMPurify {
  if (purifyOfMarkdown === undefined) {
    purifyOfMarkdown = createDOMPurify(window);
    keepNoAddresses(purifyOfMarkdown, { keepTargets: true });
  }
  return purifyOfMarkdown;
}

const MARKDOWN_TAGS = [
  ..."p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del s sub sup br hr a img".split(" "),
  ..."table thead tbody tr th td kbd details summary".split(" "),
];

/** Carries the target from the cleaning to the button; DOMPurify would not let a foreign one through. */
const TARGET = "data-vitrine-target";

const ADDRESSES = [
  "href",
  "xlink:href",
  "src",
  "srcset",
  "action",
  "formaction",
  "ping",
  "poster",
  "background",
  "cite",
];

function keepNoAddresses(
  purify: DOMPurify,
  { onLink, keepTargets = false }: { onLink?: (link: FoundLink) => void; keepTargets?: boolean },
): void {
  purify.addHook("beforeSanitizeAttributes", (node) => {
    if (node instanceof Element) node.removeAttribute(TARGET);
  });
  purify.addHook("afterSanitizeAttributes", (node) => {
    const target = node.getAttribute("href") ?? node.getAttribute("xlink:href") ?? "";
    for (const name of ADDRESSES) {
      const value = node.getAttribute(name);
      if (value === null) continue;
      const inside = value.startsWith("#") && name.endsWith("href");
      if (!inside && !(name === "src" && DATA_IMAGE.test(value))) node.removeAttribute(name);
    }
    if (!/^(?:https?|mailto):/i.test(target)) return;
    onLink?.({ text: node.textContent.trim(), target });
    if (keepTargets) node.setAttribute(TARGET, target);
  });
}

function linkButton(anchor: Element, onLink: (target: string) => void): Element {
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
  return element;
}

function missingPicture(alt: string): Element {
  const note = document.createElement("span");
  note.className = "missing-picture";
  note.textContent = `[picture not loaded${alt === "" ? "" : `: ${alt}`}]`;
  return note;
}
