import { messageOf } from "../../protocol/index.js";
import { TypeCheckerLostError, TypeCheckerStartError } from "./errors.js";
import { ConfigurationRequest, PublishedDiagnostics, ServerMessage, type Diagnostic } from "./server-messages.js";

/** Where the files lie that the checker knows of; nothing outside of it exists for it. */
const ROOT = "/project";

/** One for the server, one for the analysis. */
const MOST_WORKERS = 2;

/**
 * Which rules hold is said in a file. Errors that come of a narrower platform or of hints that Python ignores are not
 * wanted.
 */
const PROJECT = {
  pythonVersion: "3.14",
  pythonPlatform: "All",
  typeCheckingMode: "standard",
  strictParameterNoneValue: false,
  // Where the script unpacks the types of the standard library that it carries.
  typeshedPath: "/typeshed",
};

const SETTINGS = new Map<string, object>([
  ["basedpyright.analysis", { diagnosticMode: "openFilesOnly", typeshedPaths: ["/typeshed"] }],
  ["basedpyright", { disableLanguageServices: true }],
]);

const CAPABILITIES = {
  // Not asked for (`textDocument/diagnostic`): 1.39 waits for its second worker at a port that it never opens in a browser.
  textDocument: { publishDiagnostics: { versionSupport: true } },
  workspace: { configuration: true, workspaceFolders: true },
};

/**
 * Stands before the text of what is checked. That the checker complains of it shows that it has come to it: before, it may
 * publish what it knows of the syntax alone.
 */
const MARK = "vitrine_is_checked";
const MARK_LINE = 0;

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** basedpyright as a language server in two workers of its script. What they say is parsed; what they get is text. */
export class LanguageServer {
  readonly #spawn: () => Worker;
  readonly #workers: Worker[] = [];
  readonly #answers = new Map<number, Waiting<unknown>>();
  /** Who waits for what is said of a document, by its address. */
  readonly #documents = new Map<string, Waiting<readonly Diagnostic[]>>();
  /** The version of each file that changed. */
  readonly #versions = new Map<string, number>();
  #requests = 0;
  #checks = 0;
  #hasStarted = false;
  #ended: Error | undefined;

  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
  }

  /** Why it is over; undefined while it is not. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  /**
   * @param files - contents by name.
   * @throws {TypeCheckerStartError}
   */
  async start(files: ReadonlyMap<string, string>): Promise<void> {
    this.#startWorker({ type: "browser/boot", mode: "foreground" });
    const contents = new Map([["pyrightconfig.json", JSON.stringify(PROJECT)], ...files]);
    await this.#request("initialize", {
      processId: null,
      locale: "en",
      rootUri: addressOf(""),
      workspaceFolders: [{ uri: addressOf(""), name: "project" }],
      capabilities: CAPABILITIES,
      initializationOptions: {
        files: Object.fromEntries(Array.from(contents, ([name, text]) => [`${ROOT}/${name}`, text])),
      },
    });
    this.#notify("initialized", {});
    for (const [name, text] of files) this.#open(addressOf(name), text);
    this.#hasStarted = true;
  }

  /** Replaces a file that was there at the start. */
  write(name: string, text: string): void {
    const uri = addressOf(name);
    const version = (this.#versions.get(name) ?? 1) + 1;
    this.#versions.set(name, version);
    this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  /**
   * What the checker says of a module that is there for so long, but for its first line.
   *
   * @throws {TypeCheckerLostError}
   */
  async diagnose(text: string): Promise<readonly Diagnostic[]> {
    const uri = addressOf(`checked_${String(++this.#checks)}.py`);
    const said = new Promise<readonly Diagnostic[]>((resolve, reject) => {
      if (this.#ended !== undefined) reject(this.#ended);
      else this.#documents.set(uri, { resolve, reject });
    });
    this.#open(uri, `(0).${MARK}; ${text}`);
    try {
      return (await said).filter(({ range }) => range.start.line !== MARK_LINE);
    } finally {
      this.#documents.delete(uri);
      this.#notify("textDocument/didClose", { textDocument: { uri } });
    }
  }

  /** Ends the workers; who waits hears of the reason. */
  end(reason: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const worker of this.#workers) worker.terminate();
    const waiting = [...this.#answers.values(), ...this.#documents.values()];
    this.#answers.clear();
    this.#documents.clear();
    for (const { reject } of waiting) reject(reason);
  }

  #startWorker(boot: object, ports: readonly MessagePort[] = []): void {
    if (this.#workers.length === MOST_WORKERS) {
      this.#fail("it asks for more workers than it needs");
      return;
    }
    let worker: Worker;
    try {
      worker = this.#spawn();
    } catch (error) {
      this.end(new TypeCheckerStartError(messageOf(error), { cause: error }));
      return;
    }
    this.#workers.push(worker);
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      // Of a script that does not load nothing is said; it is not even an ErrorEvent.
      this.#fail(event instanceof ErrorEvent && event.message !== "" ? event.message : "its script does not load");
    });
    worker.addEventListener("messageerror", () => this.#fail("a message of it cannot be read"));
    worker.addEventListener("message", (event: MessageEvent<unknown>) => this.#receive(event.data));
    worker.postMessage(boot, [...ports]);
  }

  #fail(reason: string): void {
    this.end(this.#hasStarted ? new TypeCheckerLostError(reason) : new TypeCheckerStartError(reason));
  }

  #receive(data: unknown): void {
    if (this.#ended !== undefined) return;
    const parsed = ServerMessage.safeParse(data);
    if (!parsed.success) {
      this.#fail("it says what the protocol does not know");
      return;
    }
    const message = parsed.data;
    if ("type" in message) {
      const { initialData, port } = message;
      this.#startWorker({ type: "browser/boot", mode: "background", initialData, port }, [port]);
    } else if (!("method" in message)) {
      const waiting = this.#answers.get(message.id);
      if (message.error === undefined) {
        this.#answers.delete(message.id);
        waiting?.resolve(message.result);
      }
      // All that it is asked is to start; one that refuses would be there and never answer.
      else this.#fail(message.error.message);
    } else if (message.id !== undefined) {
      this.#post({ id: message.id, result: answerTo(message.method, message.params) });
    } else if (message.method === "textDocument/publishDiagnostics") {
      this.#hear(message.params);
    }
  }

  #hear(params: unknown): void {
    const parsed = PublishedDiagnostics.safeParse(params);
    if (!parsed.success) {
      this.#fail("its findings have another form");
      return;
    }
    const { uri, diagnostics } = parsed.data;
    if (diagnostics.some(({ range, message }) => range.start.line === MARK_LINE && message.includes(MARK))) {
      this.#documents.get(uri)?.resolve(diagnostics);
    }
  }

  #open(uri: string, text: string): void {
    this.#notify("textDocument/didOpen", { textDocument: { uri, languageId: "python", version: 1, text } });
  }

  #request(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended);
        return;
      }
      const id = ++this.#requests;
      this.#answers.set(id, { resolve, reject });
      this.#post({ id, method, params });
    });
  }

  #notify(method: string, params: object): void {
    this.#post({ method, params });
  }

  #post(message: object): void {
    if (this.#ended === undefined) this.#workers[0]?.postMessage({ jsonrpc: "2.0", ...message });
  }
}

function addressOf(name: string): string {
  return `file://${ROOT}${name === "" ? "" : `/${name}`}`;
}

/** Null says that there is nothing to say. */
function answerTo(method: string, params: unknown): unknown {
  if (method !== "workspace/configuration") return null;
  const asked = ConfigurationRequest.safeParse(params);
  return asked.success ? asked.data.items.map(({ section = "" }) => SETTINGS.get(section) ?? null) : null;
}
