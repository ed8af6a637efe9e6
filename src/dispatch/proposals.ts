import { OptionError } from "../options/index.js";
import type { CallProposal, FileDecision, FileProposal, ProposalAnswer } from "../tools/index.js";
import type { AnsweredDecision } from "./call.js";

/**
 * What becomes of the files of a call: none is written where it is refused. Where it is allowed, what was decided about each,
 * and of the others those that are in no conflict are written: that a call is allowed does not say which of two versions of
 * a file is to be lost.
 */
export function answerAbout({ files }: CallProposal, decision: AnsweredDecision): ProposalAnswer {
  if (decision.kind !== "allow") {
    const { reason } = decision;
    return new Map(files.map(({ path }) => [path, { decision: "refuse", reason }]));
  }
  const decided = new Map(Object.entries(decision.files ?? {}));
  return new Map(
    files.map(({ path, conflict }) => {
      const own = decided.get(path);
      if (own !== undefined) return [path, { decision: own, reason: reasonOf(own, decision.said) }];
      if (conflict !== undefined) return [path, { decision: "keep", reason: UNDECIDED }];
      return [path, { decision: "accept", reason: "" }];
    }),
  );
}

const UNDECIDED = "it was changed meanwhile, and nothing was decided about which version is to be kept";

function reasonOf(decision: FileDecision, said = ""): string {
  if (said.trim() !== "") return said;
  if (decision === "refuse") return "the person who was asked said no";
  return decision === "keep" ? "the person who was asked kept the version that is there" : "";
}

/** A file in conflict may be written over only where that is said of it. */
const OF_CONFLICT: readonly FileDecision[] = ["keep", "overwrite", "merge"];
const OF_OTHERS: readonly FileDecision[] = ["accept", "refuse"];

/** @throws {OptionError} for a file that was not asked about, or no decision about it. */
export function checkFileDecisions(decisions: unknown, files: readonly FileProposal[] = []): void {
  if (decisions === undefined) return;
  if (typeof decisions !== "object" || decisions === null || Array.isArray(decisions)) {
    const accepted = ["object"];
    throw new OptionError("`files` must be an object with a decision for each path.", {
      ...OF,
      option: "files",
      accepted,
    });
  }
  const asked = new Map(files.map((file) => [file.path, file]));
  for (const [path, decision] of Object.entries(decisions)) {
    const option = `files[${JSON.stringify(path.slice(0, 200))}]`;
    const file = asked.get(path);
    if (file === undefined) {
      throw new OptionError(`\`${option}\` is about a file that was not asked about.`, {
        ...OF,
        option,
        accepted: [...asked.keys()].slice(0, 20),
      });
    }
    const accepted = file.conflict === undefined ? OF_OTHERS : OF_CONFLICT;
    if (accepted.some((known) => known === decision)) continue;
    const given = typeof decision === "string" ? JSON.stringify(decision.slice(0, 40)) : typeof decision;
    const all = accepted.map((known) => JSON.stringify(known)).join(" or ");
    throw new OptionError(`\`${option}\` must be ${all}, not ${given}.`, { ...OF, option, accepted });
  }
}

const OF = { of: "onApproval" };
