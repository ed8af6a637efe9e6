import { VitrineError, type Problem, type Value } from "../protocol/index.js";

/** A skill cannot be used or saved. What was stored before is unchanged. */
export abstract class SkillError extends VitrineError {
  /** @param line - where in the source, counted from 1. */
  constructor(
    readonly skillName: string,
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }

  override details(): Readonly<Record<string, Value>> {
    return { skill_name: this.skillName, line: this.line ?? null };
  }

  /** The error as it stands in a listing. */
  toProblem(file: string): Problem {
    const { message, code, line } = this;
    return { file, message, code, ...(line === undefined ? {} : { line }) };
  }
}

/** There is no skill of that name. */
export class SkillNotFoundError extends SkillError {
  override readonly name = "SkillNotFoundError";
  readonly code = "SKILL_NOT_FOUND";

  constructor(skillName: string) {
    super(skillName, `Skill not found: ${skillName}`);
  }
}

/** There is no room for another skill, or for one of that size. Nothing was stored. */
export class SkillsFullError extends SkillError {
  override readonly name = "SkillsFullError";
  readonly code = "SKILLS_FULL";

  constructor(
    skillName: string,
    /** Bytes of all sources, or how many skills there may be. */
    readonly limit: number,
    of: "total" | "count",
  ) {
    const most = limit.toLocaleString("en-US");
    const reason = of === "total" ? `the sources of all skills may have ${most} bytes` : `there may be ${most} skills`;
    super(
      skillName,
      `Skill '${skillName}' does not fit: ${reason}. Delete those that are not needed with \`skills.delete\`.`,
    );
  }
}

/** The name cannot be a skill's, or the source has no usable `run`. In Python it is a `ValueError`. */
export class SkillValidationError extends SkillError {
  override readonly name = "SkillValidationError";
  readonly code = "SKILL_INVALID";
}

/** The source is not Python. In Python it is a `SyntaxError`. */
export class SkillSyntaxError extends SkillError {
  override readonly name = "SkillSyntaxError";
  readonly code = "SKILL_SYNTAX";

  constructor(skillName: string, reason: string, line?: number) {
    super(skillName, `Syntax error in skill code: ${reason}`, line);
  }
}
