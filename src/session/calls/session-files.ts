import type { CallingSession, SessionFiles } from "../../file-tools/index.js";
import type { FileRecord } from "../../workspace/index.js";
import type { CommandWorkspace, WaitingCode } from "./command-workspace.js";
import type { ForeignContents, SessionWorkspace } from "./foreign-content.js";

interface SessionFilesParts extends SessionWorkspace {
  readonly foreign: ForeignContents;
  readonly commandFiles: CommandWorkspace;
}

/** Takes a picture for a caller outside of any run of code. */
export type PictureViewer = (mime: string, bytes: Uint8Array<ArrayBuffer>) => void;

/** Shows pictures with the other output of the run whose code asks for it, or to the client that called. */
export function pictureView({
  currentRun,
  waitingCode,
  viewers,
}: {
  readonly currentRun: () => string | undefined;
  readonly waitingCode: () => WaitingCode | undefined;
  /** Of clients, by the run that stands for their calls. */
  readonly viewers: ReadonlyMap<string, PictureViewer>;
}): CallingSession["showPicture"] {
  return (runId, mime, bytes) => {
    const viewer = viewers.get(runId);
    if (viewer !== undefined) {
      viewer(mime, bytes);
      return true;
    }
    const code = currentRun() === runId ? waitingCode() : undefined;
    code?.give({ kind: "display", source: "display", data: { [mime]: bytes } });
    return code !== undefined;
  };
}

/** What file tools find: the stored files, without those that are kept from the session's interpreter. */
export function sessionFiles({ workspace, foreign, commandFiles, trust, recording }: SessionFilesParts): SessionFiles {
  const mayRead = (path: string, record: FileRecord): boolean => !foreign.withholds(path, record);
  const readVersion: SessionFiles["readVersion"] = async (path) => {
    const record = await workspace.record(path);
    if (record === undefined || !mayRead(path, record)) return undefined;
    const found = await workspace.readVersion(path);
    // What something else has written since it was looked at may be kept from this session.
    return found.version === record.version ? found : readVersion(path);
  };
  return {
    collect: () => commandFiles.collect(),
    exchange: () => commandFiles.exchange(),
    find: async (path) => {
      const record = await workspace.record(path);
      return record !== undefined && mayRead(path, record) ? record : undefined;
    },
    list: async () => {
      const records = await workspace.records();
      return new Map([...records].filter(([path, record]) => mayRead(path, record)));
    },
    read: (path) => workspace.read(path),
    readVersion,
    writeAll: async (files, ifVersion) => {
      await workspace.writeForRun(files, { trust, ifVersion, recording });
    },
  };
}
