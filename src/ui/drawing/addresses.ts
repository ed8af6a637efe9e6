import type { DOMPurify } from "dompurify";

/** Pictures made of pixels, in their own address. */
export const RASTER_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i;

/** Carries the target from the cleaning to the button; DOMPurify would not let a foreign one through. */
export const TARGET = "data-vitrine-target";

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

export interface AddressOptions {
  /** The images that may stay: addresses that carry them. */
  readonly images: RegExp;
  /** Called for each link. */
  readonly onLink?: (link: Element, target: string) => void;
  /** Whether links get a {@link TARGET}. */
  readonly keepTargets?: boolean;
}

/** Takes out of all that DOMPurify cleans whatever could lead elsewhere. */
export function keepNoAddresses(purify: DOMPurify, { images, onLink, keepTargets = false }: AddressOptions): void {
  purify.addHook("beforeSanitizeAttributes", (node) => {
    if (node instanceof Element) node.removeAttribute(TARGET);
  });
  purify.addHook("afterSanitizeAttributes", (node) => {
    const target = node.getAttribute("href") ?? node.getAttribute("xlink:href") ?? "";
    for (const name of ADDRESSES) {
      const value = node.getAttribute(name);
      if (value === null) continue;
      const inside = value.startsWith("#") && name.endsWith("href");
      if (!inside && !(name === "src" && images.test(value))) node.removeAttribute(name);
    }
    if (!/^(?:https?|mailto):/i.test(target)) return;
    onLink?.(node, target);
    if (keepTargets) node.setAttribute(TARGET, target);
  });
}
