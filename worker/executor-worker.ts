import { expose, wrap } from "comlink";

import {
  MailboxReader,
  type BootReport,
  type BootRequest,
  type PageApi,
  type RunPhase,
  type TransportKind,
  type WorkerApi,
} from "../src/protocol/index.js";
import { describeCspViolation, watchCspViolations } from "./csp-violations.js";
import { createHostModule } from "./host-module.js";
import { InterruptSignal } from "./interrupt-signal.js";
import { Interpreter, type PythonInterpreter } from "./interpreter.js";
import { lockDown } from "./lockdown.js";
import { OutputStream } from "./output-stream.js";
import { loadInterpreter, setInterruptSignal } from "./pyodide-loader.js";
import { importsOfLockfile, installPythonPackage } from "./python-package.js";
import { JspiTransport } from "./transports/jspi-transport.js";
import { SharedMemoryTransport } from "./transports/shared-memory-transport.js";
import type { BridgeTransport } from "./transports/transport.js";
import { InterpreterWorkspace } from "./interpreter-workspace.js";

// Pyodide refuses a classic worker, which it knows by this function; a module worker cannot be
// made from a blob in a frame without an origin (Chromium). Undefined, it stays out of reach too.
Object.defineProperty(self, "importScripts", { value: undefined });
watchCspViolations();

self.addEventListener(
  "message",
  (event: MessageEvent) => {
    const port = event.ports[0];
    if (port !== undefined) serve(port);
  },
  { once: true },
);

interface Running {
  readonly interpreter: Interpreter;
  readonly transport: BridgeTransport | null;
  readonly signal: InterruptSignal;
}

function serve(port: MessagePort): void {
  const page = wrap<PageApi>(port);
  let running: Running | undefined;
  let runId = "";
  const started = (): Running => {
    if (running === undefined) throw new Error("The interpreter was asked before it was booted.");
    return running;
  };
  const api: WorkerApi = {
    boot: async (request) => {
      const { report, ...parts } = await boot(request, { page, currentRunId: () => runId });
      running = parts;
      return report;
    },
    run: (request) => {
      runId = request.runId;
      return started().interpreter.run(request);
    },
    complete: (code) => started().interpreter.complete(code),
    inspectSkill: (name, source) => started().interpreter.inspectSkill(name, source),
    deliver: (event) => {
      const { transport, signal } = started();
      if (event.kind !== "interrupt") {
        transport?.deliver(event);
        return;
      }
      signal.requestStop();
      transport?.wake();
    },
  };
  expose(api, port);
}

/** The Python package `vitrine`, as far as it is called from here. */
interface PythonPackage {
  create_interpreter(trust: string, imports: unknown): PythonInterpreter;
}

interface BootParts {
  readonly page: ReturnType<typeof wrap<PageApi>>;
  readonly currentRunId: () => string;
}

async function boot(
  request: BootRequest,
  { page, currentRunId }: BootParts,
): Promise<Running & { report: BootReport }> {
  const start = performance.now();
  const stages: Record<string, number> = {};
  const mark = (stage: string): void => {
    stages[stage] = performance.now() - start;
  };
  const pyodide = await loadInterpreter(request.pyodide).catch((error: unknown) => {
    throw describeCspViolation() ?? error;
  });
  mark("pyodide");
  const output = new OutputStream((chunks) => void page.output(chunks));
  const mailbox = request.mailbox === null ? null : new MailboxReader(request.mailbox);
  const signal = new InterruptSignal(
    () => mailbox?.takeInterrupt() ?? false,
    (now) => {
      output.flushIfDue(now);
    },
  );
  const { kind, reason } = chooseTransport(request, { mailbox: mailbox !== null, jspi: hasJspi() });
  let transport: BridgeTransport | null = null;
  if (kind === "shared-memory" && mailbox !== null) transport = new SharedMemoryTransport(page, mailbox);
  else if (kind === "jspi") transport = new JspiTransport(page);

  const onPhase = (phase: RunPhase): void => void page.phase(currentRunId(), phase);
  installPythonPackage(pyodide);
  pyodide.registerJsModule("_vitrine_host", createHostModule({ transport, output, signal, currentRunId, onPhase }));
  pyodide.setStdout({ raw: forward(output, "stdout") });
  pyodide.setStderr({ raw: forward(output, "stderr") });
  const workspace = new InterpreterWorkspace(pyodide);
  const imports: unknown = pyodide.toPy(importsOfLockfile(await request.pyodide.lockfile.text()));
  const vitrine = pyodide.pyimport("vitrine") as PythonPackage;
  const python = vitrine.create_interpreter(request.trust, imports);
  setInterruptSignal(pyodide, signal);
  mark("vitrine");
  const report: BootReport = {
    python: String(pyodide.runPython("import platform; platform.python_version()")),
    pyodide: pyodide.version,
    transport: kind,
    transportReason: reason,
    stages,
  };
  if (request.trust === "isolated") lockDown();
  const interpreter = new Interpreter(python, { output, workspace, suspends: kind === "jspi" });
  return { interpreter, transport, signal, report };
}

/** Text that C code writes past Python's own streams. */
function forward(output: OutputStream, stream: "stdout" | "stderr"): (byte: number) => void {
  const decoder = new TextDecoder();
  return (byte) => {
    const text = decoder.decode(Uint8Array.of(byte), { stream: true });
    if (text !== "") output.write(stream, text);
  };
}

function hasJspi(): boolean {
  return "Suspending" in WebAssembly && "promising" in WebAssembly;
}

function chooseTransport(
  request: BootRequest,
  available: { mailbox: boolean; jspi: boolean },
): { kind: TransportKind; reason: string } {
  const { transport: wanted } = request;
  if ((wanted === "shared-memory" && !available.mailbox) || (wanted === "jspi" && !available.jspi)) {
    throw new Error(`The transport "${wanted}" is not available here.`);
  }
  if (wanted !== null) return { kind: wanted, reason: "chosen by the page" };
  if (available.mailbox) return { kind: "shared-memory", reason: "the page is cross-origin isolated" };
  if (available.jspi) return { kind: "jspi", reason: "memory cannot be shared with this worker" };
  return { kind: "none", reason: "memory cannot be shared with this worker and the browser has no JSPI" };
}
