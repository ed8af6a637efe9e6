import { checkArgument, OptionError, type OptionKinds } from "../options/index.js";
import type { Session } from "../session/index.js";
import { TOOL_SCOPE, type ToolScope } from "../tools/index.js";
import { CLIENT_TOOLS, clientTools, type ClientTool, type ClientToolOptions } from "./client-tools.js";
import { fileTools } from "./file-tools.js";
import { writingTools } from "./writing-tools.js";

/** What of a session is offered to a program that has a protocol of its own for tools. */
export interface OfferOptions extends ClientToolOptions {
  /**
   * Offers the tools on files as well, `read_file`, `shell`, `apply_patch` and their like, whether or not the session was
   * opened with `fileTools`; with `"only"` those alone. Default: false.
   */
  readonly fileTools?: boolean | "only";
  /** The tools that the client's code sees of those that the session's code sees, and the tools on files that it is offered. Default: all of them. */
  readonly scope?: ToolScope;
}

export const OFFER: OptionKinds<OfferOptions> = {
  ...CLIENT_TOOLS,
  fileTools: "boolean|string?",
  scope: TOOL_SCOPE,
};

/** @param of - what was called with the options, and under what name the client's runs stand in the journal. */
export function offeredTools(
  session: Session,
  options: OfferOptions,
  { of, name }: { readonly of: string; readonly name: string },
): ClientTool[] {
  checkArgument(of, "session", session, "object");
  const { scope, fileTools: files = false, canChangeDeps = session.supports("deps_install") } = options;
  const given: unknown = files;
  if (typeof given === "string" && given !== "only") {
    throw new OptionError('`fileTools` must be true, false or "only".', {
      of,
      option: "fileTools",
      accepted: ["boolean", "only"],
    });
  }
  const client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  return [
    ...(files === "only" ? [] : clientTools(client, { ...options, canChangeDeps })),
    ...(files === false ? [] : fileTools(client, options)),
    ...writingTools(client, options),
  ];
}
