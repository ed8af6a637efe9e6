/**
 * Lines of the page that its plugins do not see: front matter, which the site's tool takes off before.
 *
 * @param page - all of it.
 * @param seen - what the plugins see of it.
 * @returns 0 where one is not the end of the other, and so nothing is known.
 */
export function linesBefore(page: string, seen: string): number {
  const text = asLines(page);
  const end = asLines(seen);
  return text.endsWith(end) ? lineCount(text) - lineCount(end) : 0;
}

/** As markdown-it has it, whose lines are counted. */
function asLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function lineCount(text: string): number {
  return text.split("\n").length;
}
