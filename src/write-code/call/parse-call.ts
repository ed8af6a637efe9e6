import { z } from "zod";

import { isRecord, shorten } from "../../protocol/index.js";
import { findClash } from "../../storage/index.js";
import { readFilePath, readRoot } from "./file-path.js";
import type { FileRequest, ImageRequest } from "./file-request.js";
import { imageFormatOf, IMAGE_FORMATS, readImageFormat } from "./image-formats.js";
import { WRITE_CODE_COMMAND } from "./input-schema.js";
import {
  LARGEST_SIDE,
  LONGEST_DESCRIPTION,
  LONGEST_IMPORT,
  MOST_FILES_OF_CALL,
  MOST_IMPORTS,
  SMALLEST_SIDE,
  USUAL_SIDE,
} from "./limits.js";

/** A call as it is to be carried out, or why it is not. */
export type ParsedCall =
  | { readonly kind: "batch"; readonly files: readonly FileRequest[] }
  | { readonly kind: "refused"; readonly command: string; readonly error: string };

/**
 * Reads the arguments of a call; of a call with anything wrong in it nothing is taken.
 *
 * @param options.root - the folder of `/workspace` that names of files are relative to. Default: `/workspace` itself.
 */
export function parseCall(args: unknown, { root = "" }: { readonly root?: string } = {}): ParsedCall {
  const given = isRecord(args) ? args : {};
  const command = typeof given.command === "string" ? shorten(given.command, LONGEST_QUOTE) : "";
  try {
    return { kind: "batch", files: readFiles(given, root) };
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return { kind: "refused", command, error: error.message };
  }
}

/** Never leaves this file. */
class CallFault extends Error {}

/** Characters of what a caller wrote that an error repeats. */
const LONGEST_QUOTE = 200;
/** Faults of one call that its error names. */
const MOST_FAULTS = 4;

const Imports = z
  .array(z.string().max(LONGEST_IMPORT, `is longer than ${String(LONGEST_IMPORT)} characters`))
  .max(MOST_IMPORTS, `has more than ${String(MOST_IMPORTS)} entries`)
  .nullish()
  .transform((list) => (list ?? []).map((name) => name.trim()).filter((name) => name !== ""));

const BOUNDS = `must be a whole number of pixels between ${String(SMALLEST_SIDE)} and ${String(LARGEST_SIDE)}`;
const Side = z.number(BOUNDS).int(BOUNDS).min(SMALLEST_SIDE, BOUNDS).max(LARGEST_SIDE, BOUNDS).nullish();

const FileDetail = z.strictObject({
  filename: z.string(),
  code_description: z
    .string()
    .max(LONGEST_DESCRIPTION, `is longer than ${String(LONGEST_DESCRIPTION)} characters`)
    .refine((text) => text.trim() !== "", "must not be blank"),
  external_imports: Imports,
  internal_imports: Imports,
  width: Side,
  height: Side,
  format: z
    .string()
    .transform((word) => readImageFormat(word))
    .refine((format) => format !== undefined, `must be one of ${IMAGE_FORMATS.join(", ")}`)
    .nullish(),
});
type FileDetail = z.infer<typeof FileDetail>;

function readFiles(args: Readonly<Record<string, unknown>>, rootOption: string): FileRequest[] {
  const { command, files, ...others } = args;
  if (command !== WRITE_CODE_COMMAND) {
    throw new CallFault(`Unsupported command: ${quote(command)}. Only '${WRITE_CODE_COMMAND}' is supported.`);
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new CallFault(`Unknown argument '${quote(unknown)}': a call has 'command' and 'files', and nothing else.`);
  }
  const root = readRoot(rootOption);
  if (root.kind === "fault") {
    throw new CallFault(`Configuration Error in WriteCodeTool: the root '${quote(rootOption)}' ${root.problem}.`);
  }
  if (!Array.isArray(files)) throw invalid(`it must be a list of objects, not ${kindOf(files)}`);
  const list: readonly unknown[] = files;
  if (list.length === 0) throw new CallFault(`No files specified for ${WRITE_CODE_COMMAND} command`);
  if (list.length > MOST_FILES_OF_CALL) {
    throw new CallFault(
      `Too many files: a call writes at most ${String(MOST_FILES_OF_CALL)}, and this one names ${String(list.length)}. ` +
        "Nothing was written; make several calls.",
    );
  }
  return requestsOf(list, root.path);
}

function requestsOf(list: readonly unknown[], root: string): FileRequest[] {
  const faults: string[] = [];
  const requests: FileRequest[] = [];
  for (const [index, file] of list.entries()) {
    const parsed = FileDetail.safeParse(file);
    if (!parsed.success) faults.push(...parsed.error.issues.flatMap((issue) => describeIssue(index, file, issue)));
    const name = nameOf(file);
    const path = name === undefined ? undefined : readFilePath(name, root);
    if (path?.kind === "fault") faults.push(`files[${String(index)}].filename: '${quote(name)}' ${path.problem}`);
    if (!parsed.success || path?.kind !== "path") continue;
    faults.push(...misplaced(index, parsed.data, path.path));
    requests.push(requestOf(index, parsed.data, path.path));
  }
  faults.push(...sameFiles(requests));
  if (faults.length > 0) {
    const more = faults.length > MOST_FAULTS ? `; and ${String(faults.length - MOST_FAULTS)} more` : "";
    throw invalid(faults.slice(0, MOST_FAULTS).join("; ") + more);
  }
  return requests;
}

function requestOf(index: number, file: FileDetail, path: string): FileRequest {
  const { filename, code_description: description, external_imports, internal_imports, width, height, format } = file;
  const usual = imageFormatOf(path);
  const image: ImageRequest | undefined =
    usual === undefined
      ? undefined
      : { width: width ?? USUAL_SIDE, height: height ?? USUAL_SIDE, format: format ?? usual };
  return {
    index,
    filename,
    path,
    kind: image === undefined ? "code" : "image",
    description,
    externalImports: external_imports,
    internalImports: internal_imports,
    ...(image === undefined ? {} : { image }),
  };
}

/** Settings of an image that a file of text has. */
function misplaced(index: number, file: FileDetail, path: string): string[] {
  if (imageFormatOf(path) !== undefined) return [];
  return (["width", "height", "format"] as const)
    .filter((field) => file[field] !== undefined && file[field] !== null)
    .map((field) => `files[${String(index)}].${field}: is for images alone, and '${quote(path)}' is a file of text`);
}

/** Files of which one would overwrite another, or would have to be a folder as well. */
function sameFiles(requests: readonly FileRequest[]): string[] {
  return requests.flatMap((request, at) => {
    const before = requests.slice(0, at);
    const same = before.find(({ path }) => path === request.path);
    if (same !== undefined) return [`${inWords(same)} and ${inWords(request)} name the same file`];
    const clash = findClash(
      request.path,
      before.map(({ path }) => path),
    );
    const other = before.find(({ path }) => path === clash);
    return other === undefined
      ? []
      : [`${inWords(other)} and ${inWords(request)} make one path both a file and a folder`];
  });
}

function inWords({ index, filename }: FileRequest): string {
  return `files[${String(index)}].filename '${quote(filename)}'`;
}

function describeIssue(index: number, file: unknown, issue: z.core.$ZodIssue): string[] {
  const at = [
    `files[${String(index)}]`,
    ...issue.path.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${String(step)}`)),
  ].join("");
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${at}: unknown key '${quote(key)}'`);
  if (issue.code !== "invalid_type") return [`${at}: ${issue.message}`];
  if (issue.path.length === 0) return [`${at}: must be an object, not ${kindOf(file)}`];
  if (issue.message === BOUNDS) return [`${at}: ${BOUNDS}`];
  const value = valueAt(file, issue.path);
  const wanted = issue.expected === "array" ? "a list of strings" : "a string";
  return [value === undefined ? `${at}: is missing (${wanted})` : `${at}: must be ${wanted}, not ${kindOf(value)}`];
}

function valueAt(file: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value) && typeof step === "number") return (value as readonly unknown[])[step];
    return isRecord(value) ? value[String(step)] : undefined;
  }, file);
}

function nameOf(file: unknown): string | undefined {
  const name = isRecord(file) ? file.filename : undefined;
  return typeof name === "string" ? name : undefined;
}

function invalid(detail: string): CallFault {
  return new CallFault(`Invalid format for 'files' parameter: ${detail}. Nothing was written.`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** On one line, and no longer than an error should be. */
function quote(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "(none)" : kindOf(value);
  return shorten(text, LONGEST_QUOTE).replace(/\s/g, " ");
}
