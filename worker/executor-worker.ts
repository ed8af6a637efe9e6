import { expose, transfer, wrap, type Endpoint } from "comlink";

import {
  MailboxReader,
  withBlobs,
  type BootReport,
  type BootRequest,
  type BridgeEvent,
  type PageApi,
  type RunPhase,
  type WorkerApi,
} from "../src/protocol/index.js";
import { describeCspViolation, watchCspViolations } from "./csp-violations.js";
import { createHostModule } from "./host-module.js";
import { InterruptSignal } from "./interrupt-signal.js";
import { Interpreter, type PythonInterpreter } from "./interpreter.js";
import { keepErrors, lockDown, quietenTowardsDocument } from "./lockdown.js";
import { OutputStream } from "./output-stream.js";
import { makeBaseSnapshot, prepareInterpreter, type PreparedInterpreter } from "./prepare-interpreter.js";
import { PageRequests } from "./page-requests.js";
import { beforeFatalError, setInterruptSignal } from "./pyodide-loader.js";
import { resolveRelativeUrls } from "./relative-urls.js";
import { threadSleep } from "./thread-sleep.js";
import { BesideWait } from "./transports/beside-wait.js";
import { canReadBlobUrls, chooseTransport, hasJspi } from "./transports/choose-transport.js";
import type { BridgeTransport } from "./transports/transport.js";
import { InterpreterWorkspace } from "./interpreter-workspace.js";
import { wholeChanges, wholeEvent } from "./whole-contents.js";
import { serveFirstPort } from "./first-port.js";

// Pyodide refuses a classic worker, which it knows by this function; a module worker cannot be
// made from a blob in a frame without an origin (Chromium). Undefined, it stays out of reach too.
Object.defineProperty(self, "importScripts", { value: undefined });
watchCspViolations();

serveFirstPort(serve);

interface Running {
  readonly interpreter: Interpreter;
  readonly transport: BridgeTransport | null;
  readonly signal: InterruptSignal;
}

const sleep = threadSleep();

/** Gives the page a turn, between pieces of a large message. */
const pause = (): void => {
  sleep(3);
};

/** The port to the page as Comlink uses it. */
function endpointOf(port: MessagePort): Endpoint {
  return {
    postMessage: (message: unknown, transferred: Transferable[] = []) => {
      // What is handed over is not copied.
      port.postMessage(transferred.length > 0 ? message : withBlobs(message, pause), transferred);
    },
    addEventListener: port.addEventListener.bind(port),
    removeEventListener: port.removeEventListener.bind(port),
    start: port.start.bind(port),
  };
}

function serve(port: MessagePort): void {
  const endpoint = endpointOf(port);
  const page = wrap<PageApi>(endpoint);
  const requests = new PageRequests(port, pause);
  let prepared: PreparedInterpreter | undefined;
  let readsBlobUrls: boolean | undefined;
  let running: Running | undefined;
  let runId = "";
  /** Events whose blobs are being read. */
  let reading: Promise<void> | undefined;
  const started = (): Running => {
    if (running === undefined) throw new Error("The interpreter was asked before it was booted.");
    return running;
  };
  const api: WorkerApi = {
    prepare: async (request) => {
      const { interpreter, report } = await withCspViolations(prepareInterpreter(request));
      prepared = interpreter;
      return report;
    },
    makeBaseSnapshot: async (files) => {
      const snapshot = await withCspViolations(makeBaseSnapshot(files));
      return transfer(snapshot, [snapshot.buffer]);
    },
    tryBlobUrls: (blobBatch) => {
      readsBlobUrls = canReadBlobUrls(blobBatch);
    },
    boot: (request) => {
      if (prepared === undefined) throw new Error("The interpreter was booted before it was prepared.");
      const currentRunId = (): string => runId;
      const { report, ...parts } = boot(request, { page, requests, prepared, readsBlobUrls, currentRunId });
      running = parts;
      return report;
    },
    run: async (request, { files, ...context }) => {
      runId = request.runId;
      return await started().interpreter.run(request, { ...context, files: await wholeChanges(files) });
    },
    complete: (code) => started().interpreter.complete(code),
    check: (requests) => started().interpreter.check(requests),
    inspectSkill: (name, source) => started().interpreter.inspectSkill(name, source),
    deliver: (event) => {
      const { transport, signal } = started();
      const deliver = (whole: BridgeEvent): void => transport?.deliver(whole);
      if (event.kind !== "interrupt") {
        const whole = wholeEvent(event);
        if (reading === undefined && !(whole instanceof Promise)) {
          deliver(whole);
          return undefined;
        }
        // In the order in which they were sent.
        const delivered = Promise.all([whole, reading]).then(([read]) => {
          deliver(read);
        });
        reading = delivered.finally(() => {
          if (reading === delivered) reading = undefined;
        });
        return delivered;
      }
      signal.requestStop();
      transport?.wake();
      return undefined;
    },
  };
  expose(api, endpoint);
}

/** The Python package `vitrine`, as far as it is called from here. */
interface PythonPackage {
  create_interpreter(trust: string, imports: unknown): PythonInterpreter;
}

interface BootParts {
  readonly page: ReturnType<typeof wrap<PageApi>>;
  readonly requests: PageRequests;
  readonly prepared: PreparedInterpreter;
  readonly readsBlobUrls: boolean | undefined;
  readonly currentRunId: () => string;
}

function boot(
  request: BootRequest,
  { page, requests, prepared, readsBlobUrls, currentRunId }: BootParts,
): Running & { readonly report: BootReport } {
  const start = performance.now();
  const stages: Record<string, number> = {};
  const mark = (stage: string): void => {
    stages[stage] = performance.now() - start;
  };
  const { pyodide, memory, stack } = prepared;
  memory.limit = request.heapLimit;
  const output = new OutputStream((chunks) => void page.output(chunks));
  const mailbox = request.mailbox === null ? null : new MailboxReader(request.mailbox);
  const onPhase = (phase: RunPhase): void => void page.phase(currentRunId(), phase);
  const signal = new InterruptSignal(
    () => mailbox?.takeInterrupt() ?? false,
    (now) => {
      output.flushIfDue(now);
    },
    () => {
      onPhase("interrupted");
    },
  );
  const { transport, kind, reason, ...blobs } = chooseTransport(request, {
    page,
    requests,
    mailbox,
    sleep,
    signal,
    readsBlobUrls,
  });

  const workspace = new InterpreterWorkspace(pyodide);
  const beside = new BesideWait(transport, signal);
  pyodide.registerJsModule(
    "_vitrine_host",
    createHostModule({ transport, beside, output, signal, memory, stack, sleep, workspace, currentRunId, onPhase }),
  );
  pyodide.setStdout({ raw: forward(output, "stdout") });
  pyodide.setStderr({ raw: forward(output, "stderr") });
  // A lost interpreter writes of its own state to where the code writes.
  beforeFatalError(pyodide, () => {
    output.end();
  });
  if (request.baseURL !== null) resolveRelativeUrls(request.baseURL);
  const vitrine = pyodide.pyimport("vitrine") as PythonPackage;
  const python = vitrine.create_interpreter(request.trust, prepared.lockfileImports);
  setInterruptSignal(pyodide, signal);
  mark("session");
  const report: BootReport = {
    python: String(pyodide.runPython("import sys; sys.version.partition(' ')[0]")),
    pyodide: pyodide.version,
    transport: kind,
    transportReason: reason,
    ...blobs,
    stages,
  };
  if (request.trust === "sandboxed") quietenTowardsDocument();
  if (request.trust === "isolated") {
    lockDown();
    keepErrors();
  }
  const interpreter = new Interpreter(python, {
    signal,
    output,
    workspace,
    memory,
    suspends: transport !== null && hasJspi(),
  });
  return { interpreter, transport, signal, report };
}

/** A policy that refuses something says so in the error of what it broke. */
async function withCspViolations<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw describeCspViolation() ?? error;
  }
}

/** Text that C code writes past Python's own streams. */
function forward(output: OutputStream, stream: "stdout" | "stderr"): (byte: number) => void {
  const decoder = new TextDecoder();
  return (byte) => {
    const text = decoder.decode(Uint8Array.of(byte), { stream: true });
    if (text !== "") output.write(stream, text);
  };
}
