import { strToU8, unzipSync, zipSync } from "fflate";

import { exactly, JsonText, type Check, type Json } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const texts: Readonly<Record<string, string>> = {
  "in/alpha.txt": "first light over the bay\n",
  "in/beta.txt": "the mill, from the north\n",
  "in/gamma.txt": "first light over the bay\n",
  "in/delta.txt": "nets drying\n",
  "in/omega.txt": "",
};
const list = (files: readonly string[]): Json =>
  files.map((name) => ({ name, size: texts[`in/${name}`]?.length ?? 0 }));
const kept = ["alpha.txt", "beta.txt", "delta.txt"];

const archive: Check = (value) => {
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(value instanceof Uint8Array ? value : new Uint8Array());
  } catch (error) {
    return `it is no ZIP archive: ${error instanceof Error ? error.message : String(error)}`;
  }
  const wanted = ["manifest.json", ...kept.map((name) => `texts/${name}`)];
  const names = exactly(wanted)(
    Object.keys(entries)
      .filter((name) => !name.endsWith("/"))
      .sort(),
  );
  if (names !== null) return `its entries: ${names}`;
  const decode = (name: string): string => new TextDecoder().decode(entries[name]);
  for (const name of kept)
    if (decode(`texts/${name}`) !== texts[`in/${name}`]) return `texts/${name} has another content`;
  const manifest = JsonText.safeParse(decode("manifest.json"));
  return manifest.success ? exactly(list(kept))(manifest.data) : "its manifest is no JSON";
};

function zip(files: readonly string[], manifest = list(files)): Uint8Array {
  const entries = files.map((name): [string, Uint8Array] => [`texts/${name}`, strToU8(texts[`in/${name}`] ?? "")]);
  return zipSync({ ...Object.fromEntries(entries), "manifest.json": strToU8(JSON.stringify(manifest)) });
}

export const photoBundle: EvalTask = {
  name: "photo-bundle",
  level: 3,
  prompt:
    "Pack the captions in /workspace/in into an archive. Empty files are left out; of files with the same content only the " +
    "first by name is packed. Which files are not packed?",
  files: texts,
  answer: { format: "json", description: "a list of file names by alphabet", is: exactly(["gamma.txt", "omega.txt"]) },
  artifacts: {
    "captions.zip": {
      mime: "application/zip",
      description:
        'a ZIP archive with texts/<name> for each packed file, and manifest.json: a list of {"name", "size" in bytes} by name',
      is: archive,
    },
  },
  correct: { answer: ["gamma.txt", "omega.txt"], artifacts: { "captions.zip": zip(kept) } },
  wrong: [
    wrongAnswer("only the empty one", ["omega.txt"]),
    wrongArtifact(
      "both files with the same content packed",
      "captions.zip",
      zip(["alpha.txt", "beta.txt", "delta.txt", "gamma.txt"]),
    ),
    wrongArtifact("a manifest without sizes", "captions.zip", zip(kept, kept)),
    wrongArtifact("no archive", "captions.zip", JSON.stringify(list(kept))),
  ],
};
