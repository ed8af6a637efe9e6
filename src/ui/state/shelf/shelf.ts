import type { Artifact } from "../../../artifacts/index.js";
import { messageOf, type Problem } from "../../../protocol/index.js";
import type { Session } from "../../../session/index.js";
import type { Skill } from "../../../skills/index.js";
import type { Tool } from "../../../tools/index.js";
import type { WorkspaceFile } from "../../../workspace/index.js";
import type { DemoSession } from "../session/demo-session.js";
import { Observable } from "../text/observable.js";

/** Milliseconds between two readings of the lists, where change follows upon change. */
const PAUSE = 200;

/** What a session keeps: artifacts, files, tools and skills, as they are now. */
export class Shelf extends Observable {
  /** Newest first. */
  artifacts: readonly Artifact[] = [];
  files: readonly WorkspaceFile[] = [];
  tools: readonly Tool[] = [];
  skills: readonly Skill[] = [];
  problems: readonly Problem[] = [];
  /** Why the lists could not be read; empty otherwise. */
  trouble = "";

  #session: Session | undefined;
  #reads = false;
  #stale = false;

  constructor(demo: DemoSession) {
    super();
    demo.onOpen((session) => {
      this.#session = session;
      const refresh = (): void => {
        this.refresh();
      };
      session.artifacts.onChange(refresh);
      session.workspace.onChange(refresh);
      session.tools.onChange(refresh);
      session.skills.onChange(refresh);
      this.refresh();
    });
  }

  /** Reads everything again; changes that come meanwhile lead to one more reading, not to many. */
  refresh(): void {
    this.#stale = true;
    if (!this.#reads) void this.#readWhileStale();
  }

  async #readWhileStale(): Promise<void> {
    this.#reads = true;
    while (this.#stale) {
      this.#stale = false;
      const session = this.#session;
      if (session === undefined || session.state === "closed") break;
      try {
        await this.#read(session);
        this.trouble = "";
      } catch (error) {
        this.trouble = messageOf(error);
      }
      this.changed();
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- changes come while it reads
      if (this.#stale) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    this.#reads = false;
  }

  async #read(session: Session): Promise<void> {
    // One after the other: a browser hands on in one go what storage answers at once, and other work of the page waits.
    const artifacts = await session.artifacts.list();
    const damaged = await session.artifacts.problems();
    const files = await session.workspace.list();
    const lost = await session.workspace.problems();
    const { skills, problems } = await session.skills.list();
    this.artifacts = [...artifacts].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    this.files = files;
    this.tools = session.tools.list();
    this.skills = skills;
    this.problems = [...session.tools.problems(), ...problems, ...damaged, ...lost];
  }
}
