import type { LoadTaskOptions, SavedTask } from "../../agent/index.js";
import { messageOf, type SourceFile } from "../../protocol/index.js";
import type { StorageBackend } from "../../storage/index.js";
import { parseToolFile } from "../../tools/index.js";
import type { ShippedTask } from "../tasks/index.js";
import { addTool, type AddToolOptions } from "./session/add-tool.js";
import { Announcements } from "./session/announcements.js";
import { Approvals } from "./questions/approvals.js";
import { DemoSecrets } from "./session/demo-secrets.js";
import { DemoSession } from "./session/demo-session.js";
import { formatBytes } from "./text/format.js";
import { addGivenFiles, type GivenFile } from "./task/given-files.js";
import { Models } from "./session/models.js";
import { Observable } from "./text/observable.js";
import { hostsIn, packageSources } from "./session/package-settings.js";
import { PythonConsole } from "./console/python-console.js";
import { Questions } from "./questions/questions.js";
import { SavedTasks } from "./task/saved-tasks.js";
import { ServerLogins, type ServerAuth } from "./session/server-logins.js";
import { ServerQuestions } from "./questions/server-questions.js";
import { restartNote, Settings, type DemoSettings, type KeyValueStore } from "./session/settings.js";
import { Shelf } from "./shelf/shelf.js";
import { leavesRoom } from "./session/task-limits.js";
import type { FetchFile } from "./task/task-files.js";
import type { TaskView } from "./task/task-view.js";
import { Tasks } from "./task/tasks.js";

export interface AppStateOptions {
  readonly openStorage: () => StorageBackend;
  readonly seeds: readonly SourceFile[];
  readonly shipped: readonly ShippedTask[];
  readonly keyValueStore: () => KeyValueStore;
  readonly fetchFile: FetchFile;
  readonly serverAuth: ServerAuth;
}

/** A task whose conversation another one continues. */
export interface FollowedTask {
  readonly taskId: string;
  readonly task: string;
}

/** What is run again, or goes on, takes nothing of the artifacts that came with a file. */
const WORDS_ALONE: LoadTaskOptions = { attachments: false };

/** Everything the page is about, without a page. */
export class AppState extends Observable {
  readonly settings: Settings;
  readonly models: Models;
  readonly session: DemoSession;
  readonly tasks: Tasks;
  readonly saved: SavedTasks;
  readonly console: PythonConsole;
  readonly shelf: Shelf;
  readonly approvals: Approvals;
  readonly serverQuestions: ServerQuestions;
  readonly questions = new Questions();
  readonly logins = new ServerLogins();
  readonly secrets = new DemoSecrets();

  /** What the text box holds. */
  draft = "";
  /** What the next task of the text box follows up on; null where it stands alone. */
  following: FollowedTask | null = null;
  /** A sentence for the user about what could not be done; empty otherwise. */
  trouble = "";
  readonly #shippedTools: ReadonlySet<string>;
  readonly #announcements = new Announcements();

  constructor({ openStorage, seeds, shipped, keyValueStore, fetchFile, serverAuth }: AppStateOptions) {
    super();
    this.settings = new Settings(keyValueStore);
    this.models = new Models(this.settings, shipped);
    this.#shippedTools = new Set(seeds.map(({ file }) => file));
    this.approvals = new Approvals(() => this.tasks.runningId);
    this.approvals.onChange(() => {
      const { pending } = this.approvals;
      if (pending !== null) this.announce(`${pending.request.name} waits for your approval.`);
    });
    this.serverQuestions = new ServerQuestions({
      runningTask: () => this.tasks.runningId,
      hostsOf: (tool) => this.session.current?.tools.get(tool)?.hosts ?? [],
      models: this.models,
    });
    this.serverQuestions.onChange(() => {
      const { pending } = this.serverQuestions;
      if (pending !== null) this.announce(`${pending.asker.name} asks you something.`);
    });
    this.session = new DemoSession({
      openStorage,
      seeds,
      corsProxy: () => this.settings.current.corsProxy,
      allowedHosts: () => hostsIn(this.settings.current.allowedHosts),
      packages: () => packageSources(this.settings.current.packages),
      secrets: this.secrets,
      onInput: (prompt, { signal }) => this.questions.ask(prompt, { signal }),
      onApproval: (request, options) => this.approvals.ask(request, options),
      mcp: { ...this.serverQuestions.answers, authFor: (server) => serverAuth(server, this.logins) },
    });
    this.console = new PythonConsole(this.session);
    this.shelf = new Shelf(this.session);
    this.saved = new SavedTasks(this.session);
    this.tasks = new Tasks({
      session: this.session,
      settings: this.settings,
      models: this.models,
      shipped,
      fetchFile,
      onQuestion: (question, { id, agent, signal }) => {
        const asker = agent === undefined ? "The code" : `The code of ${agent}`;
        this.announce(`${asker} asks: ${question}`);
        return this.questions.ask(question, { id: this.tasks.tells(id) ? id : null, asker, signal });
      },
      isImported: (taskId) => this.saved.isImported(taskId),
      announce: (text) => {
        this.announce(text);
      },
    });
  }

  /** Opens the session. A failure is shown, not thrown. */
  async start(): Promise<void> {
    try {
      await this.session.open();
      this.announce("Python is ready.");
    } catch {
      this.announce("Python did not start.");
    }
  }

  /** Said to those who listen instead of looking. */
  get announcement(): string {
    return this.#announcements.text;
  }

  announce(text: string): void {
    this.#announcements.add(text);
    this.changed();
  }

  /** The announcement is drawn. */
  hear(): void {
    this.#announcements.hear();
  }

  setDraft(text: string): void {
    this.draft = text;
    this.changed();
  }

  setTrouble(text: string): void {
    this.trouble = text;
    this.changed();
  }

  async runTask(text: string): Promise<void> {
    if (text.trim() === "" || this.tasks.current !== undefined) return;
    if (this.draft.trim() === text.trim()) this.setDraft("");
    this.announce("The task has started.");
    await this.#follow(this.tasks.run(text));
  }

  /** Has what is written in the text box next continue the conversation of a task; null: has it stand alone. */
  followUp(task: FollowedTask | null): void {
    this.following = task;
    this.announce(task === null ? "The next task starts fresh." : `The next task follows up on: ${task.task}`);
  }

  /** Runs what the text box holds. One that follows up on another, and has its answer, is followed up on next. */
  async runDraft(): Promise<void> {
    const text = this.draft;
    const { following } = this;
    if (following === null || !this.tasks.modelCanGoOn) return this.runTask(text);
    if (text.trim() === "" || this.tasks.current !== undefined) return;
    let after: SavedTask;
    try {
      after = await this.saved.load(following.taskId, WORDS_ALONE);
    } catch (error) {
      this.setTrouble(`It cannot follow up on that task: ${messageOf(error)}`);
      return;
    }
    this.setTrouble("");
    if (this.draft === text) this.setDraft("");
    this.announce("The task has started.");
    const view = await this.#follow(this.tasks.run(text, after));
    const taskId = view?.taskId ?? null;
    if (view === null || taskId === null || view.answer === null || this.following !== following) return;
    this.following = { taskId, task: view.task };
    this.changed();
  }

  /** Tells the model of the task that runs something, which it reads before its next step. */
  say(text: string): void {
    if (text.trim() === "") return;
    try {
      this.tasks.say(text.trim());
      this.setDraft("");
      this.announce("The model reads it before its next step, if it makes one.");
    } catch (error) {
      this.setTrouble(messageOf(error));
    }
  }

  /** Draws a saved task as it was left, and brings it into view. */
  async openTask(taskId: string): Promise<void> {
    await this.#withSaved(taskId, async (saved) => {
      await this.saved.refresh();
      const runsElsewhere = this.saved.isRunning(taskId);
      await this.tasks.open(saved, { runsElsewhere });
      this.announce(
        runsElsewhere
          ? "The task is shown as far as it has come. It still runs."
          : "The saved task is shown. Nothing of it runs.",
      );
    });
  }

  /** Draws a saved task as it came. Nothing of it is run. */
  async replayTask(taskId: string): Promise<void> {
    await this.#withSaved(taskId, async (saved) => {
      this.announce("The replay has started. Nothing runs.");
      await this.tasks.replay(saved);
      this.announce("The replay has ended.");
    });
  }

  /** Has what the model said in a saved task set real code going again. */
  async rerunTask(taskId: string): Promise<void> {
    await this.#withSaved(
      taskId,
      async (saved) => {
        this.announce("The task is run again.");
        await this.#follow(this.tasks.rerun(saved));
      },
      WORDS_ALONE,
    );
  }

  /** Takes a saved task up where it was left. */
  async goOn(taskId: string): Promise<void> {
    await this.#withSaved(
      taskId,
      async (saved) => {
        const { steps, usage } = saved;
        if (!leavesRoom(this.settings.current.limits, { steps: steps.length, usage })) {
          // It would end at once, as it did before.
          this.setTrouble("It can go on once the settings allow it more.");
          await this.tasks.open(saved);
          return;
        }
        this.announce("The task goes on.");
        await this.#follow(this.tasks.goOn(saved));
      },
      WORDS_ALONE,
    );
  }

  /** Keeps the task of a file that somebody shared, and shows it. @throws what is wrong with it. */
  async importTask(file: GivenFile): Promise<void> {
    const text = new TextDecoder().decode(await file.arrayBuffer());
    const saved = await this.saved.import(text);
    await this.tasks.open(saved);
    this.announce("The task of the file is kept and shown. Nothing of it runs.");
  }

  async #withSaved(
    taskId: string,
    act: (saved: SavedTask) => Promise<void>,
    options: LoadTaskOptions = {},
  ): Promise<void> {
    try {
      const saved = await this.saved.load(taskId, options);
      this.setTrouble("");
      await act(saved);
    } catch (error) {
      this.setTrouble(messageOf(error));
    }
  }

  /** Says the answer of a task once it is there, which may be long before its end, or how it ended without one. */
  async #follow(task: Promise<TaskView | null>): Promise<TaskView | null> {
    let isSaid = false;
    const stopListening = this.tasks.onChange(() => {
      const answer = this.tasks.current?.answer ?? null;
      if (answer === null || isSaid) return;
      isSaid = true;
      this.announce(`Answer: ${answer.text}`);
    });
    const view = await task.finally(stopListening);
    this.approvals.endTask();
    this.serverQuestions.endTask();
    void this.saved.refresh();
    this.shelf.refresh();
    if (view === null) return null;
    const { state, answer, error } = view;
    if (answer !== null) return view;
    if (state === "cancelled") this.announce("The task was stopped.");
    else this.announce(`The task has no answer. ${error?.message ?? ""}`);
    return view;
  }

  /** Ends what runs and starts a clean interpreter. */
  async reset(): Promise<void> {
    this.tasks.stop();
    try {
      await this.session.reset();
      await this.tasks.stopAndWait();
      this.#noteClean("Reset: Python is clean, its variables are gone. Artifacts, files, tools and skills stay.");
    } catch {
      this.announce("Python did not start again.");
    }
  }

  /** @returns what the user should know about keeping them; null when all is well. */
  async saveSettings(settings: DemoSettings): Promise<string | null> {
    const note = restartNote(this.settings.current, settings);
    const problem = this.settings.save(settings);
    if (note !== null) {
      await this.tasks.stopAndWait();
      await this.session.reopen();
      this.#noteClean(note);
    }
    return problem;
  }

  async goOnInMemory(): Promise<void> {
    await this.tasks.stopAndWait();
    await this.session.goOnInMemory();
    this.#noteClean("From here on everything is kept in memory only, and gone when you leave the page.");
  }

  /** Puts files into the workspace, and shows them. @returns the paths of those that are there now. */
  async addFiles(files: readonly GivenFile[]): Promise<readonly string[]> {
    const { added, problems } = await addGivenFiles(files, {
      open: () => this.session.open(),
      show: (file) => {
        this.tasks.showFile(file);
      },
      hide: (file) => {
        this.tasks.hideFile(file);
      },
      place: (file) => {
        this.tasks.placeFile(file);
        this.announce(`${file.path}, ${formatBytes(file.size)}, is in /workspace.`);
      },
    });
    this.setTrouble(problems.join(" "));
    return added;
  }

  /** Lays cells ready in the console: what a visitor without a model can do with `task`, or with a file. */
  async tryInPython(task: string): Promise<void> {
    const session = await this.session.open();
    const { readyCells } = await import("./console/ready-cells.js");
    const files = await session.workspace.list();
    this.console.suggest(await readyCells(task, { files, read: (path) => session.workspace.read(path) }));
  }

  /** As `addTool`. @throws what is wrong with the file, or why nothing of the tool can be called. */
  async addTool(source: SourceFile, options: AddToolOptions): Promise<void> {
    const session = await this.session.open();
    const { name } = parseToolFile(source);
    const alias = await this.logins.during(name, () => addTool(session, source, options));
    if (alias === undefined) return;
    this.announce(`tools.${alias} is there.`);
    this.shelf.refresh();
  }

  /** Connects to the server of a tool, which may ask for a login. @throws why it does not let the user in. */
  async logIn(name: string): Promise<void> {
    const { tools } = await this.session.open();
    await this.logins.during(name, () => tools.whenKnown(name));
    this.announce(`You are logged in to ${name}.`);
  }

  async removeTool(name: string): Promise<void> {
    await this.session.current?.tools.remove(name);
    this.logins.forget(name);
    this.announce(`The tool ${name} is gone.`);
  }

  /** Whether a tool came with the page, whose tasks need it. */
  isShipped(tool: string): boolean {
    return this.#shippedTools.has(`tools/${tool}.yaml`) || this.tasks.offers(tool);
  }

  /** Writes the files' paths into the text box, for the user to go on. */
  askAbout(paths: readonly string[]): void {
    const names = paths.map((path) => `/workspace/${path}`).join(" and ");
    const before = this.draft.trimEnd();
    this.setDraft(before === "" ? `In ${names}: ` : `${before} ${names} `);
  }

  #noteClean(text: string): void {
    this.tasks.note(text);
    this.console.note(text);
    this.announce(text);
  }
}
