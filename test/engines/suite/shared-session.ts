import {
  memorySecrets,
  memoryStorage,
  type Session,
  type SessionOptions,
  type SourceFile,
} from "../../../src/index.js";
import { knownAddress, type ServerName } from "./server-address.js";

/** The secret of the shared session, under the name `KEY`. */
export const SECRET = "k3y-of-the-town-library";

/** Nothing listens there, and browsers refuse to ask. */
export const DEAD_HOST = "127.0.0.1:1";

const allowed: readonly ServerName[] = ["tools", "everything", "everythingSse", "stateless", "scripted"];

/**
 * The session that cases share which add tools to it and leave nothing else behind: an interpreter takes seconds to start
 * in some engines.
 */
export function sharedOptions(): Partial<SessionOptions> {
  const addresses = allowed.map(knownAddress).filter((address) => address !== null);
  return {
    storage: memoryStorage(),
    // Agents and programs below it start interpreters, too.
    spare: "one",
    allowedHosts: [...addresses.map((address) => new URL(address).host), DEAD_HOST],
    secrets: memorySecrets({ KEY: SECRET }),
    mcp: { onElicitation: () => Promise.resolve({ action: "accept", content: { colour: "blue" } }) },
    // What is wrong with a server is what some cases are about; they look at the call's error.
    onProblem: () => undefined,
  };
}

/** Adds the tools of these files, each `tools/<name>.yaml`, that the session does not have yet. */
export async function addTools(session: Session, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    if (session.tools.get(name) !== undefined) continue;
    const source: SourceFile = { file: `tools/${name}.yaml`, text: `name: ${name}\n${text}` };
    await session.tools.addFile(source);
  }
}
