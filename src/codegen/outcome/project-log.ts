import type { Contract } from "../../contract/index.js";
import type { ArtifactPayload } from "./program-state.js";

/** What of a program the log tells. */
export interface LoggedProgram {
  readonly objective: string;
  readonly status: string;
  readonly story: readonly string[];
  readonly artifacts: ReadonlyMap<string, ArtifactPayload>;
  /** Whether nobody said that the artifacts are finished, though the program has ended. */
  readonly areDrafts?: boolean;
}

/** The live log of a run as Markdown: objective, status, story, and what was made so far. */
export function projectLog(
  { objective, status, story, artifacts, areDrafts = false }: LoggedProgram,
  contract: Contract,
): string {
  const made = Array.from(artifacts, ([id, payload]) => {
    return artifactLines(id, areDrafts ? { ...payload, draft: true } : payload, contract);
  });
  return [
    "# Project Log",
    `## Objective\n${objective}`,
    `## Status\n${status}`,
    `## Story\n${story.join(" ")}`,
    "## Produced Artifacts",
    ...made,
  ]
    .join("\n\n")
    .trimEnd();
}

function artifactLines(id: string, payload: ArtifactPayload, contract: Contract): string {
  const entry = contract.get(id);
  const type = payload.type === "file" ? "file" : (entry?.type ?? "inline");
  const description = text(payload.description) || (entry?.description ?? "");
  const facts = type === "file" ? fileFacts(payload) : fact("Format", payload.format);
  const heading = `### ${id} (${type})${payload.draft === true ? " [DRAFT]" : ""}`;
  return [heading, description, ...facts].filter((line) => line !== "").join("\n");
}

function fileFacts(payload: ArtifactPayload): string[] {
  return [...fact("Mime", payload.mime), ...fact("Filename", payload.filename ?? payload.path)];
}

function fact(name: string, value: unknown): string[] {
  return text(value) === "" ? [] : [`**${name}:** ${text(value)}`];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
