import { ProgramAddressError } from "../errors.js";

const PREFIX = "wasi:";
const WORKSPACE = /^(?:\/workspace\/)?(?!\/)/;

/** Where a WASI program comes from. */
export type ProgramAddress =
  | { readonly kind: "stored"; readonly path: string }
  | { readonly kind: "url"; readonly url: string };

/**
 * Reads what stands for a command in a tool file: `wasi:https://…` and `wasi:./programs/x.wasm`, a path of the page's
 * own site, are fetched; `wasi:bin/x.wasm` and `wasi:/workspace/bin/x.wasm` are files of the workspace.
 *
 * @returns undefined for a command that is none.
 * @throws {ProgramAddressError}
 */
export function programAddress(command: string): ProgramAddress | undefined {
  if (!command.startsWith(PREFIX)) return undefined;
  const address = command.slice(PREFIX.length);
  if (/^(?:https?:|\.\.?\/)/i.test(address)) return { kind: "url", url: address };
  if (address === "" || !WORKSPACE.test(address)) {
    throw new ProgramAddressError(
      command,
      "write `wasi:` and an address (https://…, or ./… on the page's own site), or a path below /workspace",
    );
  }
  return { kind: "stored", path: address.replace(WORKSPACE, "") };
}
