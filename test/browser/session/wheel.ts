import { strToU8, zipSync } from "fflate";

interface WheelOptions {
  readonly tag?: string;
  readonly requires?: readonly string[];
}

/** A wheel with one module, as a build tool would make it. */
export async function wheel(
  name: string,
  version: string,
  source: string,
  options: WheelOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { tag = "py3-none-any", requires = [] } = options;
  const info = `${name}-${version}.dist-info`;
  const texts: Record<string, string> = {
    [`${name}.py`]: source,
    [`${info}/METADATA`]: [
      "Metadata-Version: 2.1",
      `Name: ${name}`,
      `Version: ${version}`,
      ...requires.map((requirement) => `Requires-Dist: ${requirement}`),
      "",
    ].join("\n"),
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: ${String(tag.endsWith("none-any"))}\nTag: ${tag}\n`,
  };
  const record = await Promise.all(
    Object.entries(texts).map(
      async ([path, text]) => `${path},sha256=${await digestOf(strToU8(text))},${String(strToU8(text).length)}`,
    ),
  );
  texts[`${info}/RECORD`] = [...record, `${info}/RECORD,,`, ""].join("\n");
  return new Uint8Array(
    zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)]))),
  );
}

/** As RECORD writes it. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", content.slice()));
  return btoa(String.fromCharCode(...hash))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
