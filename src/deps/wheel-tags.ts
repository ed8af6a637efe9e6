import { PLATFORM, PYTHON_VERSION } from "./interpreter.js";

const PYTHON_MINOR = Number(PYTHON_VERSION.split(".")[1]);

/** What this interpreter runs (PEP 425), the most particular first: compiled for it, for any of its platform, pure Python. */
const ranks = new Map(supportedTags().map((tag, rank) => [tag, rank]));

/** What a wheel must be built for, as it is said in errors. */
export const TAGS_IN_WORDS = `cp3${String(PYTHON_MINOR)}-cp3${String(PYTHON_MINOR)}-${PLATFORM} or py3-none-any`;

/**
 * How well what a wheel is built for suits this interpreter: 0 is best, null does not run.
 *
 * @param tag - `python-abi-platform`, each of them several with dots in between, as in `py2.py3-none-any`.
 */
export function rankOf(tag: string): number | null {
  const [pythons = [], abis = [], platforms = []] = tag.split("-").map((part) => part.split("."));
  let best: number | null = null;
  for (const python of pythons) {
    for (const abi of abis) {
      for (const platform of platforms) {
        const rank = ranks.get(`${python}-${abi}-${platform}`);
        if (rank !== undefined && (best === null || rank < best)) best = rank;
      }
    }
  }
  return best;
}

function supportedTags(): string[] {
  const own = `3${String(PYTHON_MINOR)}`;
  const older = Array.from({ length: PYTHON_MINOR }, (_, index) => `3${String(PYTHON_MINOR - 1 - index)}`);
  const pythons = [`py${own}`, "py3", ...older.map((version) => `py${version}`)];
  return [
    `cp${own}-cp${own}-${PLATFORM}`,
    ...[own, ...older].map((version) => `cp${version}-abi3-${PLATFORM}`),
    `cp${own}-none-${PLATFORM}`,
    ...pythons.map((python) => `${python}-none-${PLATFORM}`),
    `cp${own}-none-any`,
    ...pythons.map((python) => `${python}-none-any`),
  ];
}
