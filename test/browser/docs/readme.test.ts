import { describe, expect, test } from "vitest";

import readme from "../../../README.md?raw";
import { quickStart } from "./readme-samples.js";
import samples from "./readme-samples.ts?raw";

/** The text of a region as the README shows it: from the package, and without the function around it. */
function sampleText(region: string): string {
  const [, body = ""] = new RegExp(`// #region ${region}\\n([\\s\\S]*?)\\n *// #endregion`).exec(samples) ?? [];
  const lines: string[] = [];
  let insideFunction = false;
  for (const line of body.replaceAll("../../../src/index.js", "vitrine").split("\n")) {
    if (line.startsWith("export async function")) insideFunction = true;
    else if (insideFunction && line === "}") insideFunction = false;
    else lines.push(insideFunction ? line.replace(/^ {2}/, "") : line);
  }
  return lines.join("\n");
}

describe("the README", () => {
  test.each(["session", "agent"])("shows the %s sample as it is compiled here", (region) => {
    expect(sampleText(region).length).toBeGreaterThan(100);
    expect(readme).toContain(sampleText(region));
  });

  test("promises the result that its first sample gives", async () => {
    expect(await quickStart()).toBe(44.6);
    expect(readme).toContain("// 44.6 1");
  });
});
