import { z } from "zod";

import { JsonText } from "../../checks.js";
import type { DocumentCheck } from "../batch.js";
import services from "./tree/services.json?raw";

const Services = JsonText.pipe(z.array(z.object({ name: z.string(), state: z.string(), since: z.string() })));

/** The rows that the table has to have. */
const rows = Services.parse(services).map(({ name, state, since }) => [name, state, since]);

/** The page as a browser reads it. Its script, if it has one, does not run. */
export const pageCheck: DocumentCheck = (text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  const image = page.querySelector("img");
  const found = Array.from(page.querySelectorAll("tbody tr"), (row) =>
    Array.from(row.querySelectorAll("td, th"), textOf),
  );
  const classes = Array.from(page.querySelectorAll("tbody tr"), (row) => row.className);
  if (page.compatMode !== "CSS1Compat") return "it has no doctype";
  if (page.documentElement.lang !== "en") return "it does not say that it is English";
  if (page.querySelector("script, style, [style]") !== null) return "it has a script or styles of its own";
  if (page.querySelector('link[rel="stylesheet"]')?.getAttribute("href") !== "style.css")
    return "it has not its style sheet";
  if (image?.getAttribute("src") !== "logo.svg" || image.alt === "")
    return "it has not its picture, with a text for it";
  if (textOf(page.querySelector("h1")) !== "Status of our services") return "its heading is another one";
  if (textOf(page.querySelector("table caption")) !== "1 of 3 services is down") return "the caption is another one";
  if (JSON.stringify(found) !== JSON.stringify(rows)) return `its rows are ${JSON.stringify(found)}`;
  const states = rows.map(([, state]) => state);
  return classes.join() === states.join() ? null : "the rows have not the classes of their states";
};

/** The colours that the style sheet gives a page of these rows. */
export const styleCheck: DocumentCheck = (text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const colours = ["up", "down"].map((state) =>
    Array.from(sheet.cssRules)
      .flatMap((rule) =>
        rule instanceof CSSStyleRule && rule.selectorText.includes(`.${state}`) ? [rule.style.color] : [],
      )
      .find((colour) => colour !== ""),
  );
  if (colours.includes(undefined)) return "not every state has a colour";
  return colours[0] === colours[1] ? "both states have the same colour" : null;
};

export const logoCheck: DocumentCheck = (text) => {
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (picture.getAttribute("viewBox") !== "0 0 48 48") return "its view box is another one";
  if (textOf(picture.querySelector("title")) !== "Lighthouse") return "it has no title, or another one";
  const outside = Array.from(picture.querySelectorAll("image, script, foreignObject, use"));
  if (outside.length > 0) return "it has more than shapes";
  return picture.querySelector("circle") === null ? "it has no circle" : null;
};

function textOf(element: Element | null): string {
  return element?.textContent.trim().replace(/\s+/g, " ") ?? "";
}
