import { describe, expect, test } from "vitest";

import { BARE_PATCH, patchInCommand, patchInScript } from "../../../../src/file-tools/patch/index.js";

const PATCH = "*** Begin Patch\n*** Add File: foo\n+hi\n*** End Patch";
const heredoc = (before = "", after = ""): string => `${before}apply_patch <<'PATCH'\n${PATCH}\nPATCH${after}`;

describe("a command that is a patch", () => {
  test.each([
    ["apply_patch", [PATCH]],
    ["applypatch", [PATCH]],
    ["bash", ["-lc", heredoc()]],
    ["bash", ["-c", heredoc()]],
    ["/usr/bin/zsh", ["-lc", heredoc()]],
    ["sh", ["-c", heredoc()]],
    ["pwsh", ["-NoProfile", "-Command", heredoc()]],
    ["powershell.exe", ["-Command", heredoc()]],
    ["cmd.exe", ["/c", heredoc()]],
    ["bash", ["-lc", heredoc().replace("<<'PATCH'", "<<PATCH")]],
    ["bash", ["-lc", heredoc().replace("<<'PATCH'", '<< "PATCH"')]],
    ["bash", ["-lc", `\n${heredoc("", "\n\n")}`]],
  ])("by %s %j is taken as one", (name, args) => {
    expect(patchInCommand([name, ...args])).toEqual({ kind: "patch", patch: PATCH, folder: null });
  });

  test.each([
    ["cd sub && ", "sub"],
    ["cd sub/deep.er && ", "sub/deep.er"],
    ["cd 'foo bar' && ", "foo bar"],
    ['cd "foo bar"&&', "foo bar"],
  ])("after %j is applied in that folder (X109)", (before, folder) => {
    expect(patchInCommand(["bash", "-lc", heredoc(before)])).toEqual({ kind: "patch", patch: PATCH, folder });
    expect(patchInScript(heredoc(before))).toEqual({ kind: "patch", patch: PATCH, folder });
  });

  test.each([
    heredoc("cd sub; "),
    heredoc("cd sub | "),
    heredoc("cd sub || "),
    heredoc("cd sub && cd deeper && "),
    heredoc("cd sub deeper && "),
    heredoc("cd $HOME && "),
    heredoc('cd "$HOME" && '),
    heredoc("cd ~ && "),
    heredoc("cd - && "),
    heredoc("echo x && "),
    heredoc("echo x; cd sub && "),
    heredoc("", " && echo done"),
    heredoc("", "\necho done"),
    heredoc().replace("apply_patch", "apply_patch file"),
    heredoc().replace("<<'PATCH'", "<<'PATCH' | cat"),
    heredoc().replace("<<'PATCH'", "<<'PATCH\""),
    heredoc().replace(/PATCH$/, ""),
    "apply_patch <<'PATCH'",
    "apply_patch",
  ])("with more to it is run by the shell: %j (X109)", (script) => {
    expect(patchInCommand(["bash", "-lc", script])).toBeNull();
    expect(patchInScript(script)).toBeNull();
  });

  test.each([{ command: [PATCH] }, { command: ["bash", "-lc", PATCH] }, { command: ["bash", "-lc", `\n${PATCH}\n`] }])(
    "without its name is not run, and the answer says how to call it: $command (X110)",
    ({ command }) => {
      expect(patchInCommand(command)).toEqual({ kind: "bare" });
      expect(BARE_PATCH).toBe(
        'patch detected without explicit call to apply_patch. Rerun as ["apply_patch", "<patch>"]',
      );
    },
  );

  test.each([
    { command: [] },
    { command: ["ls"] },
    { command: ["*** Begin Patch\nno patch"] },
    { command: ["apply_patch", PATCH, "more"] },
    { command: ["bash", "-x", heredoc()] },
    { command: ["bash", "-lc", heredoc(), "more"] },
    { command: ["cat", "-c", heredoc()] },
    { command: ["echo", PATCH] },
  ])("is no other: $command", ({ command }) => {
    expect(patchInCommand(command)).toBeNull();
  });
});
