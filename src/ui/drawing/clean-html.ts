import createDOMPurify, { type Config } from "dompurify";

import { Slices } from "../../protocol/index.js";
import { keepNoAddresses } from "./addresses.js";
import { ElementBatches } from "./element-batches.js";
import { parseHtml } from "./parse-html.js";

/** A link that a document had. It is opened by the page, after its whole target was shown. */
export interface FoundLink {
  readonly text: string;
  readonly target: string;
}

export interface CleanHtml {
  readonly html: string;
  /** The first of them. */
  readonly links: readonly FoundLink[];
  /** All there were. */
  readonly linkCount: number;
  /** Whether it had more styles than are drawn. */
  readonly lacksStyles: boolean;
  /** Whether it would hold up the page: it takes long to lay out and paint, and the page does that itself. */
  readonly holdsUpPage: boolean;
}

/** Links that are listed, and characters of their text. */
const MOST_LINKS = 50;
const LONGEST_LINK = 200;

/** In the sealed frame, where a drawing cannot hold up the page. */
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;

/** How DOMPurify cleans a document, or a part of one. */
export const CLEANING = {
  IN_PLACE: true,
  WHOLE_DOCUMENT: true,
  FORBID_TAGS: ["link", "meta", "base", "form", "iframe", "object", "embed", "audio", "video", "source", "track"],
  ALLOW_DATA_ATTR: false,
} satisfies Config & { IN_PLACE: true };

/**
 * Foreign HTML for a sealed frame. The frame's policy stops scripts and loads;
 * taken out here is what no policy stops: look-ups ahead of time, and links.
 *
 * @returns null where it is too large to be drawn.
 */
export async function cleanHtml(html: string): Promise<CleanHtml | null> {
  const parsed = await parseHtml(html);
  if (parsed === null) return null;
  const links: FoundLink[] = [];
  let linkCount = 0;
  const purify = createDOMPurify(window);
  keepNoAddresses(purify, {
    images: IMAGE,
    onLink: (link, target) => {
      linkCount += 1;
      if (links.length < MOST_LINKS) links.push({ text: linkText(link), target });
    },
  });
  const clean = (root: Element): void => {
    purify.sanitize(root, CLEANING);
  };
  const batches = new ElementBatches(parsed);
  const slices = new Slices();
  for (const batch of batches.take()) {
    clean(batch);
    await slices.rest();
  }
  clean(parsed.documentElement);
  await slices.rest();
  batches.putBack();
  const { dropCostly } = await import("./costly-elements.js");
  dropCostly(parsed);
  const drawn = await parsedAgain(parsed);
  if (drawn === null) return null;
  const { cleanStyles } = await import("./foreign-styles.js");
  const { isOver, weight } = await cleanStyles(drawn);
  const { holdsUpPage } = await import("./drawing-weight.js");
  return {
    html: drawn.documentElement.outerHTML,
    links,
    linkCount,
    lacksStyles: isOver,
    holdsUpPage: await holdsUpPage(drawn, weight),
  };
}

/**
 * As the frame parses it: without what was taken out, and in another mode, a parser may make more of it, which is counted as
 * well. Null where that is too much, or more each time.
 */
async function parsedAgain(parsed: Document): Promise<Document | null> {
  let last = parsed;
  for (let times = 0; times < 4; times += 1) {
    const again = await parseHtml(`<!doctype html>${last.documentElement.outerHTML}`);
    if (again === null || again.getElementsByTagName("*").length === last.getElementsByTagName("*").length)
      return again;
    last = again;
  }
  return null;
}

/** The beginning: a link may hold a whole document. */
function linkText(link: Element): string {
  const texts = link.ownerDocument.createTreeWalker(link, NodeFilter.SHOW_TEXT);
  let text = "";
  while (text.length < LONGEST_LINK && texts.nextNode() !== null) text += texts.currentNode.nodeValue ?? "";
  return text.slice(0, LONGEST_LINK).trim();
}
