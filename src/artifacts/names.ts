import { pathFault, type PathFault } from "../storage/index.js";
import { ArtifactNameError } from "./errors.js";

/** The folder that session code sees artifacts in. */
export const ARTIFACTS_PATH = "/artifacts";

/** Kept texts of cut outputs: artifacts to whoever reads them, hidden and reserved otherwise. */
export const OUTPUTS_FOLDER = "outputs/";

export const INDEX_PREFIX = "artifacts/index/";
export const DATA_PREFIX = "artifacts/data/";

const messages: Record<PathFault, (name: string) => string> = {
  empty: () => "An artifact needs a name",
  // The text that py-code-mode's callers match.
  traversal: () => "Path traversal attempt detected",
  segment: (name) => `Artifact name '${name}' has an empty or '.' folder in it`,
  character: (name) =>
    `Artifact name ${JSON.stringify(name)} has a control character, a mark of the reading direction, or a backslash in it`,
  length: () => "The artifact name is longer than 1024 characters",
};

/** @throws {ArtifactNameError} */
export function checkReadableName(name: string): void {
  const fault = pathFault(name);
  if (fault !== null) throw new ArtifactNameError(name, messages[fault](name));
  // The index of a py-code-mode store: an artifact of that name would destroy it on the way back.
  if (name === ".artifacts.json") throw new ArtifactNameError(name, "Artifact name '.artifacts.json' is reserved");
}

/** @throws {ArtifactNameError} */
export function checkWritableName(name: string): void {
  checkReadableName(name);
  if (name.startsWith(OUTPUTS_FOLDER) || `${name}/` === OUTPUTS_FOLDER) {
    throw new ArtifactNameError(
      name,
      `Artifact name '${name}' is reserved: 'outputs/' holds the full texts of outputs`,
    );
  }
}
