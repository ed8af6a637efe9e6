import { z } from "zod";

import type { Session } from "../../../src/session/index.js";
import { functionTool, type FileProposal, type ToolAdapter, type ToolContext } from "../../../src/tools/index.js";
import type { FileToWrite } from "../../../src/write-code/writing/files-to-write.js";
import { writeBatch, type BatchWriting, type WrittenBatch } from "../../../src/write-code/writing/write-batch.js";

/** A tool that writes files as `write_code` does, with what a model would have said in its arguments. */
export class WritingTool {
  readonly adapter: ToolAdapter;
  /** The files of each question, as they are shown before anything is written. */
  readonly proposed: (readonly FileProposal[])[] = [];
  /** What became of the last batch. */
  written: WrittenBatch | undefined;
  /** What happens while the models write. */
  meanwhile: (context: ToolContext) => Promise<unknown> = () => Promise.resolve();
  merge: BatchWriting["merge"] = () => Promise.reject(new Error("Nothing was to be merged."));

  /** @param session - that has the tool. */
  constructor(session: () => Pick<Session, "writingSessionOf">) {
    this.adapter = functionTool({
      name: "write_files",
      description: "Writes files.",
      input: z.object({
        files: z.record(z.string(), z.union([z.string(), z.instanceof(Uint8Array)])),
        batch: z.string(),
      }),
      hints: { destructive: true },
      asksItself: true,
      ownTime: true,
      run: async ({ files, batch }, context) => {
        const { callId, signal, askAbout } = context;
        const writing = session().writingSessionOf(callId);
        await writing.files.collect();
        const toWrite = await Promise.all(
          Object.entries(files).map(async ([path, content]): Promise<FileToWrite> => {
            const read = (await writing.files.readVersion(path).catch(() => undefined)) ?? null;
            const wanted =
              typeof content === "string"
                ? ({ kind: "text", text: content } as const)
                : ({ kind: "image", mime: "image/png", bytes: new Uint8Array(content) } as const);
            return { path, filename: path, content: wanted, read, notes: [] };
          }),
        );
        await this.meanwhile(context);
        this.written = await writeBatch(toWrite, {
          session: writing,
          batchId: batch,
          ask: askAbout,
          merge: (file, versions) => this.merge(file, versions),
          report: (event) => {
            if (event.type === "proposed") this.proposed.push(event.files);
          },
          signal,
        });
        return Object.fromEntries(Array.from(this.written.outcomes, ([path, { kind }]) => [path, kind]));
      },
    });
  }
}

/** A call of it, as code writes it. */
export function writing(files: Readonly<Record<string, string>>, batch = "batch-1"): string {
  return `tools.write_files(files=${JSON.stringify(files)}, batch=${JSON.stringify(batch)})`;
}
