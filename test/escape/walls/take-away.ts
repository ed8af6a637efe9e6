import type { Plugin } from "vite";

import { walls, type Edit } from "./walls.js";

/**
 * Puts a switch beside each wall, which the page's address turns: for a build of the suite's page alone.
 *
 * @throws {Error} from the build, when a source does not hold the text that an edit replaces, or none of its sources is seen.
 */
export function takeAwayWalls(edits: readonly Edit[] = walls.flatMap((wall) => wall.edits)): Plugin {
  return {
    name: "vitrine-escape:take-away-walls",
    // Before types are taken out: the edits are about what people read.
    enforce: "pre",
    transform(code, id) {
      const own = edits.filter(({ file }) => id.replaceAll("\\", "/").endsWith(`/${file}`));
      return own.length === 0 ? undefined : { code: own.reduce(edited, code), map: null };
    },
  };
}

/** The source with one edit. */
export function edited(code: string, { file, find, replace, times = 1 }: Edit): string {
  const parts = code.split(find);
  if (parts.length - 1 !== times) {
    throw new Error(`${file} holds ${JSON.stringify(find)} ${String(parts.length - 1)} times, not ${String(times)}.`);
  }
  return parts.join(replace);
}
