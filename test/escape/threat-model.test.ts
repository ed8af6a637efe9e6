import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { allowed, attempts, everyAttempt, markOf, slugOf, withoutTwin, type Attempt } from "./attempts/index.js";

const page = await readFile(fileURLToPath(new URL("../../docs/threat-model.md", import.meta.url)), "utf8");

test("at least 80 attempts are counted, each with a name of its own", () => {
  const marks = everyAttempt.map(markOf);

  expect(attempts.length).toBeGreaterThanOrEqual(80);
  expect(new Set(everyAttempt.map(slugOf)).size).toBe(everyAttempt.length);
  // A trap knows whose it is by the beginning of a name.
  expect(marks.filter((mark) => marks.some((other) => other !== mark && other.startsWith(mark)))).toEqual([]);
});

test("the threat model counts the attempts that are made", () => {
  const rows = [...page.matchAll(/^\| (\w+) +\| ([\w ]+?) +\| +(\d+) \|$/gm)].map(([, ring, group, count]) => {
    return [`${String(ring)}, ${String(group)}`, Number(count)] as const;
  });
  const counts = new Map<string, number>();
  for (const { ring, group } of attempts) {
    const key = `${ring}, ${group}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  expect(new Map(rows)).toEqual(counts);
  expect(page).toContain(`${String(attempts.length)} attempts are counted`);
});

test.each(allowed.map(({ name }) => name))("the threat model says that browsers allow %s", (name) => {
  expect(page).toContain(`| ${name} `);
});

test("the threat model says which engine allows what", () => {
  const [, section = ""] = /^## What a browser lets the script of a frame do[^\n]*\n(.*?)^## /ms.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| (.+?) +\| (Chromium|Firefox|WebKitGTK)(.*?) +\|$/gm)].map(
    ([, name, first, more]) => `${String(name)}: ${String(first)}${String(more)}`,
  );

  expect(rows).toEqual(allowed.map((attempt) => `${attempt.name}: ${enginesOf(attempt)}`));
});

test("the threat model names what is tried without being counted", () => {
  const text = page.replaceAll(/\s+/g, " ");
  for (const { name } of withoutTwin) expect(text).toContain(name);
});

const labels = { chromium: "Chromium", firefox: "Firefox", webkitgtk: "WebKitGTK" } as const;

function enginesOf({ allowedBy = [] }: Attempt): string {
  return allowedBy.map((engine) => labels[engine]).join(", ");
}
