import type { JsonSchema } from "../../tools/index.js";
import { IMAGE_FORMATS } from "./image-formats.js";
import { LARGEST_SIDE, MOST_FILES_OF_CALL, SMALLEST_SIDE } from "./limits.js";

export const WRITE_CODE_NAME = "write_codebase_tool";
export const WRITE_CODE_COMMAND = "write_codebase";

export const WRITE_CODE_DESCRIPTION =
  "Writes up to 5 files of a project at once. Each is described in words; language models write the code, and an image model " +
  "the images. Say in code_description all that the file must do: names, signatures, behaviour, errors. Name what it " +
  "imports: external_imports for packages, internal_imports for files of the project, those of this call included. " +
  "Files that are there are replaced. Answers with a JSON object: status, message, results for each file, errors.";

const imports = (description: string): JsonSchema => ({
  type: "array",
  items: { type: "string" },
  default: [],
  description,
});
const side = (description: string): JsonSchema => ({
  type: "integer",
  minimum: SMALLEST_SIDE,
  maximum: LARGEST_SIDE,
  description,
});

/** What the tool takes, as callers read it. `parseCall` is what checks it. */
export const WRITE_CODE_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    command: { type: "string", enum: [WRITE_CODE_COMMAND], description: "Always write_codebase." },
    files: {
      type: "array",
      minItems: 1,
      maxItems: MOST_FILES_OF_CALL,
      description: "The files to write, 5 at most.",
      items: {
        type: "object",
        properties: {
          filename: {
            type: "string",
            minLength: 1,
            description:
              "Path of the file relative to the project: src/app.py. With an ending of an image, an image is made.",
          },
          code_description: {
            type: "string",
            minLength: 1,
            description: "All that the file must do, in detail; of an image, what it shows.",
          },
          external_imports: imports("Packages that the file imports."),
          internal_imports: imports("Files or modules of the project that the file imports."),
          width: side("Of an image: its width in pixels. Default 1024."),
          height: side("Of an image: its height in pixels. Default 1024."),
          format: {
            type: "string",
            enum: IMAGE_FORMATS,
            description: "Of an image: its format. Default: as the filename ends.",
          },
        },
        required: ["filename", "code_description"],
        additionalProperties: false,
      },
    },
  },
  required: ["command", "files"],
  additionalProperties: false,
};
