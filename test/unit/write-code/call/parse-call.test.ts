import { describe, expect, test } from "vitest";

import {
  WRITE_CODE_DESCRIPTION,
  WRITE_CODE_NAME,
  WRITE_CODE_SCHEMA,
} from "../../../../src/write-code/call/input-schema.js";
import { parseCall } from "../../../../src/write-code/call/parse-call.js";

const file = (more: Record<string, unknown> = {}) => ({ filename: "a.py", code_description: "Adds.", ...more });
const call = (...files: unknown[]) => ({ command: "write_codebase", files });
const errorOf = (args: unknown, root?: string): string => {
  const parsed = parseCall(args, root === undefined ? {} : { root });
  return parsed.kind === "refused" ? parsed.error : `a batch of ${String(parsed.files.length)}`;
};
const pathsOf = (args: unknown, root = ""): readonly string[] => {
  const parsed = parseCall(args, { root });
  return parsed.kind === "batch" ? parsed.files.map(({ path }) => path) : [parsed.error];
};

describe("what the tool says of itself", () => {
  test("has the name, the command and the required arguments that callers know (W1)", () => {
    expect(WRITE_CODE_NAME).toBe("write_codebase_tool");
    expect(WRITE_CODE_DESCRIPTION).toContain("5 files");
    expect(WRITE_CODE_SCHEMA).toMatchObject({
      type: "object",
      required: ["command", "files"],
      properties: {
        command: { type: "string", enum: ["write_codebase"] },
        files: {
          type: "array",
          items: {
            type: "object",
            required: ["filename", "code_description"],
            properties: {
              external_imports: { type: "array", items: { type: "string" }, default: [] },
              internal_imports: { type: "array", items: { type: "string" }, default: [] },
            },
          },
        },
      },
    });
  });

  test("is strict: no other arguments, one file at least and five at most (W2)", () => {
    expect(WRITE_CODE_SCHEMA).toMatchObject({
      additionalProperties: false,
      properties: { files: { minItems: 1, maxItems: 5, items: { additionalProperties: false } } },
    });
  });
});

describe("a call that is refused", () => {
  test("for another command, naming it (W3)", () => {
    const parsed = parseCall({ command: "invalid_command", files: [file()] }, {});

    expect(parsed).toEqual({
      kind: "refused",
      command: "invalid_command",
      error: "Unsupported command: invalid_command. Only 'write_codebase' is supported.",
    });
  });

  test("for no files (W4)", () => {
    expect(errorOf(call())).toBe("No files specified for write_codebase command");
  });

  test.each([
    ["a description that is missing", { filename: "a.py" }, "files[1].code_description: is missing"],
    ["a filename that is missing", { code_description: "Adds." }, "files[1].filename: is missing"],
    ["a filename that is a number", file({ filename: 7 }), "files[1].filename: must be a string, not a number"],
  ])("for %s, naming index and field (W5)", (_, bad, words) => {
    expect(errorOf(call(file(), bad))).toMatch(/^Invalid format for 'files' parameter: /);
    expect(errorOf(call(file(), bad))).toContain(words);
  });

  test.each([
    ["a string", "os", "files[0].external_imports: must be a list of strings, not a string"],
    ["a number", 7, "files[0].external_imports: must be a list of strings, not a number"],
    ["a list with a number", ["os", 7], "files[0].external_imports[1]: must be a string, not a number"],
  ])("for imports that are %s (W6)", (_, imports, words) => {
    const error = errorOf(call(file({ external_imports: imports })));

    expect(error).toMatch(/^Invalid format for 'files' parameter: /);
    expect(error).toContain(words);
  });

  test("for a key that no file has, naming it (W7)", () => {
    expect(errorOf(call(file({ mode: "x" })))).toContain("files[0]: unknown key 'mode'");
  });

  test("for an argument that it does not know, naming it (W8)", () => {
    expect(errorOf({ ...call(file()), dry_run: true })).toContain("Unknown argument 'dry_run'");
  });

  test.each([
    ["null", null],
    ["missing", undefined],
    ["an object", {}],
    ["a list of strings", ["a.py"]],
    ["a list of null", [null]],
  ])("for files that are %s (W10)", (_, files) => {
    expect(errorOf({ command: "write_codebase", files })).toMatch(/^Invalid format for 'files' parameter: /);
  });

  test.each(["", "  ", ".", "./", "dir/", "dir/.", "/workspace", "/workspace/"])(
    "for the filename '%s', which names no file (W11)",
    (filename) => {
      expect(errorOf(call(file({ filename })))).toContain("files[0].filename: ");
    },
  );

  test("for six files, naming limit and count (W12)", () => {
    const files = Array.from({ length: 6 }, (_, index) => file({ filename: `${String(index)}.py` }));

    expect(errorOf(call(...files))).toMatch(/at most 5.*names 6/);
    expect(errorOf(call(...files.slice(1)))).toBe("a batch of 5");
  });

  test("for one bad file of three; the others are not taken (W13)", () => {
    const files = [file(), file({ filename: "b.py", code_description: 1 }), file({ filename: "c.py" })];

    expect(errorOf(call(...files))).toContain("files[1].code_description");
  });

  test.each([
    ["a.py", "./a.py"],
    ["pkg/a.py", "pkg//a.py"],
    ["a.py", "/workspace/a.py"],
  ])("for '%s' and '%s', which are one file, naming both (W21)", (first, second) => {
    const error = errorOf(call(file({ filename: first }), file({ filename: second })));

    expect(error).toContain(`files[0].filename '${first}' and files[1].filename '${second}' name the same file`);
  });

  test("for a path that would be a file and a folder at once (W21)", () => {
    expect(errorOf(call(file({ filename: "a" }), file({ filename: "a/b.py" })))).toContain("both a file and a folder");
  });

  test.each([
    "../x.py",
    "a/../../x.py",
    "a/../b.py",
    "/etc/passwd",
    "/workspace/../x",
    "/workspaces/x",
    "a\\b.py",
    "a\0.py",
  ])("for the path '%s', naming index and field", (filename) => {
    expect(errorOf(call(file(), file({ filename })))).toContain("files[1].filename: ");
  });

  test.each(["", " \n\t "])("for a description that is blank (W81)", (code_description) => {
    expect(errorOf(call(file({ code_description })))).toContain("files[0].code_description: must not be blank");
  });

  test.each([
    ["width", { width: 8 }],
    ["width", { width: 100_000 }],
    ["height", { height: 10.5 }],
    ["height", { height: "1024" }],
    ["format", { format: "doc" }],
  ])("for an image whose %s is out of bounds (W65)", (field, more) => {
    expect(errorOf(call(file({ filename: "a.png", ...more })))).toContain(`files[0].${field}: must be `);
  });

  test("for the width of a file of text (W65)", () => {
    expect(errorOf(call(file({ width: 512 })))).toContain("files[0].width: is for images alone");
  });

  test.each([undefined, null, 7, "text", [], { command: 7 }, { command: "write_codebase" }])(
    "and never by throwing, whatever it is (%s)",
    (args) => {
      expect(parseCall(args, {}).kind).toBe("refused");
    },
  );

  test("in a few words, however long what it was given is", () => {
    const long = "x".repeat(100_000);
    const keys = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`${long.slice(0, 50)}${String(index)}`, 1]),
    );

    expect(errorOf({ command: long }).length).toBeLessThan(500);
    expect(errorOf(call(file(keys))).length).toBeLessThan(2000);
  });
});

describe("a call that is taken", () => {
  test("has no imports where the lists are null or absent (W9)", () => {
    expect(parseCall(call(file({ external_imports: null })), {})).toEqual({
      kind: "batch",
      files: [
        {
          index: 0,
          filename: "a.py",
          path: "a.py",
          kind: "code",
          description: "Adds.",
          externalImports: [],
          internalImports: [],
        },
      ],
    });
  });

  test("has paths within the workspace, whichever way they are written", () => {
    const names = ["./a", "b//c.py", "/workspace/d.py", "e/./f.py"];

    expect(pathsOf(call(...names.map((filename) => file({ filename }))))).toEqual(["a", "b/c.py", "d.py", "e/f.py"]);
  });

  test("has paths below its root, and none elsewhere", () => {
    const inside = call(file({ filename: "a.py" }), file({ filename: "/workspace/site/b.py" }));

    expect(pathsOf(inside, "/workspace/site/")).toEqual(["site/a.py", "site/b.py"]);
    expect(errorOf(call(file({ filename: "/workspace/c.py" })), "site")).toContain("where this tool writes");
    expect(errorOf(call(file()), "../elsewhere")).toMatch(/^Configuration Error in WriteCodeTool: /);
  });

  test("makes an image by the ending of its name, in whichever case (W67)", () => {
    const parsed = parseCall(call(file({ filename: "PHOTO.JPG" })), {});

    expect(parsed).toMatchObject({ files: [{ kind: "image", image: { width: 1024, height: 1024, format: "jpeg" } }] });
  });

  test("makes an image of the size and the format that it says (W65)", () => {
    const parsed = parseCall(call(file({ filename: "a.webp", width: 512, height: 256, format: "PNG" })), {});

    expect(parsed).toMatchObject({ files: [{ image: { width: 512, height: 256, format: "png" } }] });
  });

  test("writes an SVG as text (W66)", () => {
    const parsed = parseCall(call(file({ filename: "icon.svg" })), {});

    expect(parsed).toMatchObject({ files: [{ kind: "code", path: "icon.svg" }] });
    expect(parsed).not.toHaveProperty("files[0].image");
  });
});
