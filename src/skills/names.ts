import { SkillValidationError } from "./errors.js";

/** Names that `skills.<name>` already means something else by. */
const RESERVED_SKILL_NAMES: ReadonlySet<string> = new Set([
  "list",
  "search",
  "get",
  "invoke",
  "create",
  "delete",
  "invoke_async",
  "call_sync",
  "call_async",
]);

/** Python's keywords: no attribute and no function can be called so. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

const MAX_LENGTH = 128;

/** @throws {SkillValidationError} */
export function checkSkillName(name: string): void {
  const fault = nameFault(name);
  if (fault !== null) throw new SkillValidationError(name, fault);
}

function nameFault(name: string): string | null {
  const quoted = JSON.stringify(name);
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
    return `Skill name ${quoted} is not a valid Python identifier`;
  // Python reads attribute names in this form: any other spelling could never be called.
  if (name.normalize("NFKC") !== name) return `Skill name ${quoted} is not a normalised Python identifier`;
  if (name.length > MAX_LENGTH) return `The skill name is longer than ${String(MAX_LENGTH)} characters`;
  if (RESERVED_SKILL_NAMES.has(name)) return `Reserved skill name: ${quoted}`;
  if (KEYWORDS.has(name)) return `Skill name ${quoted} is a Python keyword, not an identifier`;
  if (name.startsWith("_")) return `Skill name ${quoted} starts with "_": such files are not skills`;
  return null;
}
