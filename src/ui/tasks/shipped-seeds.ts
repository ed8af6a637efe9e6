import type { SourceFile } from "../../protocol/index.js";

const texts = import.meta.glob<string>(["/tools/*.yaml", "/skills/*.py"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The repository's `tools/*.yaml` and `skills/*.py`, which a fresh storage is seeded with and the shipped tasks use. */
export const shippedSeeds: readonly SourceFile[] = Object.entries(texts).map(([path, text]) => ({
  file: path.slice(1),
  text,
}));
