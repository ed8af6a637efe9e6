import { optionCheck, type OptionKinds } from "../options/index.js";
import { TOOL_SCOPE } from "../tools/index.js";
import { WRITE_CODE_OPTIONS } from "../write-code/index.js";
import { SessionOptionsError } from "./errors.js";
import { checkPackages } from "./package-options.js";
import type { SessionLimits, SessionOptions } from "./session-options.js";

/** Milliseconds that a timer can take, less the second until code that resists is killed. */
export const LONGEST_TIMEOUT = 2 ** 31 - 60_000;

/** Python alone takes about half of it. */
const SMALLEST_HEAP = 64 * 2 ** 20;

/** The smallest value of each limit that makes sense. */
const LEAST: Readonly<Record<keyof SessionLimits, number>> = {
  outputLength: 0,
  outputBytes: 1,
  valueSize: 0,
  artifactsSize: 0,
  packagesSize: 0,
  packagesFiles: 0,
  heapSize: SMALLEST_HEAP,
  callsPerRun: 0,
  openCalls: 1,
  concurrentCalls: 1,
  nestingDepth: 1,
};

/** Each is looked over by itself, with an error that says what it may be. */
export const SESSION_LIMITS: OptionKinds<SessionLimits> = {
  outputLength: "any?",
  outputBytes: "any?",
  valueSize: "any?",
  artifactsSize: "any?",
  packagesSize: "any?",
  packagesFiles: "any?",
  heapSize: "any?",
  callsPerRun: "any?",
  openCalls: "any?",
  concurrentCalls: "any?",
  nestingDepth: "any?",
};

const checkNames = optionCheck<SessionOptions>("Session.open", {
  storage: "object",
  trust: "string?",
  timeout: "number|null?",
  limits: SESSION_LIMITS,
  spare: "string?",
  tools: "array?",
  fileTools: "boolean?",
  writeCode: WRITE_CODE_OPTIONS,
  commands: "object?",
  shell: "boolean?",
  seeds: "array?",
  pyodideBaseURL: "string?",
  packages: "array?",
  packagesURL: "string?",
  autoInstall: "string?",
  deps: "array?",
  allowRuntimeDeps: "boolean?",
  allowedHosts: "array?",
  corsProxy: "string?",
  secrets: "object?",
  mcp: { onElicitation: "function?", onSampling: "function?", authFor: "function?" },
  policy: "function?",
  approvals: "object?",
  onApproval: "function?",
  scope: TOOL_SCOPE,
  imports: "array?",
  middleware: "array?",
  onInput: "function?",
  onProgress: "function?",
  onProblem: "function?",
  host: "object?",
  useSnapshot: "boolean?",
  transport: "string?",
});

const TRUST_LEVELS = ["local", "isolated", "sandboxed"];
const AUTO_INSTALL = ["never", "ask", "allow"];
const SPARE_POLICIES = ["none", "one"];

/**
 * Callers without a type checker get the guidance that the type would have given.
 *
 * @throws {OptionError} for an option that there is not, or a value of the wrong kind.
 * @throws {SessionOptionsError} for a value that no session can have.
 */
export function checkOptions(options: Partial<SessionOptions> | null | undefined): void {
  checkTimeout(options?.timeout);
  checkLimits(options?.limits);
  checkChoice("trust", options?.trust, TRUST_LEVELS);
  checkChoice("autoInstall", options?.autoInstall, AUTO_INSTALL);
  checkChoice("spare", options?.spare, SPARE_POLICIES);
  checkSecrets(options?.secrets);
  checkSeeds(options?.seeds);
  const storage: unknown = options?.storage;
  if (typeof storage === "object" && storage !== null && "get" in storage && "write" in storage) {
    checkNames(options);
    checkPackages(options ?? {});
    return;
  }
  throw new SessionOptionsError(
    `Session.open needs a storage, not ${storage === null ? "null" : typeof storage}: ` +
      'pass `storage: indexedDBStorage("name")` or `storage: memoryStorage()`.',
  );
}

/** @throws {SessionOptionsError} */
export function checkTimeout(timeout: unknown): void {
  if (timeout === undefined || timeout === null) return;
  if (typeof timeout === "number" && timeout > 0 && timeout <= LONGEST_TIMEOUT) return;
  throw new SessionOptionsError(
    `A timeout is a number of milliseconds from 1 to ${String(LONGEST_TIMEOUT)}, or null for none; not ${JSON.stringify(timeout)}.`,
  );
}

function checkSecrets(secrets: object | undefined): void {
  if (secrets === undefined || ("get" in secrets && "names" in secrets)) return;
  throw new SessionOptionsError(
    "secrets is a store with `get` and `names`: `memorySecrets({ NAME: value })` or `localStorageSecrets()`.",
  );
}

function checkSeeds(seeds: unknown): void {
  if (seeds === undefined) return;
  const form = '`{ file: "tools/weather.yaml", text: "name: weather …" }`';
  if (!Array.isArray(seeds))
    throw new SessionOptionsError(`seeds is a list of files such as ${form}, not ${kindOf(seeds)}.`);
  seeds.forEach((seed: unknown, index) => {
    const given = typeof seed === "object" && seed !== null ? seed : {};
    const isFile = "file" in given && typeof given.file === "string" && given.file !== "";
    if (isFile && "text" in given && typeof given.text === "string") return;
    const keys = Object.entries(given).map(([key, value]) => `${key}: ${kindOf(value)}`);
    const what = seed === given ? `an object with ${keys.join(", ") || "nothing"}` : kindOf(seed);
    throw new SessionOptionsError(`seeds[${String(index)}] is a file with its text, such as ${form}; not ${what}.`);
  });
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}

function checkLimits(limits: object | undefined): void {
  for (const [name, value] of Object.entries<unknown>({ ...limits })) {
    // One that does not exist is found below.
    if (!isLimit(name) || value === undefined || (Number.isSafeInteger(value) && Number(value) >= LEAST[name]))
      continue;
    throw new SessionOptionsError(
      `limits.${name} is a whole number of at least ${String(LEAST[name])}, not ${JSON.stringify(value)}.`,
    );
  }
}

function isLimit(name: string): name is keyof SessionLimits {
  return Object.hasOwn(LEAST, name);
}

function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  throw new SessionOptionsError(`${option} is one of ${choices.join(", ")}; not ${JSON.stringify(value)}.`);
}
