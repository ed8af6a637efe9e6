import { z } from "zod";

import { functionTool, type ToolAdapter } from "../../../tools/index.js";
import { messageOf } from "../../../protocol/index.js";
import type { SiteTexts } from "./texts/site-texts.js";

const MOST_PASSAGES = 10;

const Search = z.object({
  query: z.string().describe("Words that the text should have."),
  limit: z.number().int().min(1).max(MOST_PASSAGES).default(5),
});
const Read = z.object({
  url: z.string().describe("As site_texts gives it."),
  start: z.number().int().min(0).default(0).describe("From which character on; `next` of the part before."),
});

/**
 * The texts of a site as tools of its page: `tools.site_texts(query="…")` and `tools.site_text(url="…")`. They change nothing, so
 * that a person is never asked about them.
 */
export function siteTools(texts: Promise<SiteTexts>): readonly ToolAdapter[] {
  return [
    functionTool({
      name: "site_texts",
      description: "Searches the texts of this site. Gives the best passages as a list of {title, url, text}.",
      input: Search,
      hints: { readOnly: true },
      run: async ({ query, limit }) => (await texts).search(query, limit).map((passage) => ({ ...passage })),
    }),
    functionTool({
      name: "site_text",
      description:
        "Reads a page of this site by an address that site_texts gave: {title, url, text, next}. `next` is where a long page goes on, else None.",
      input: Read,
      hints: { readOnly: true },
      ownTime: true,
      run: async ({ url, start }, { signal }) => {
        try {
          return { ...(await (await texts).read(url, start, signal)) };
        } catch (error) {
          // The code reads the sentence; it has no class for it.
          throw new Error(messageOf(error), { cause: error });
        }
      },
    }),
  ];
}
