import "./node-globals.js";

import { Bash, defineCommand, getCommandNames, getNetworkCommandNames } from "just-bash/browser";

import {
  MAX_COMMAND_OUTPUT,
  messageOf,
  type ShellOrder,
  type ShellReport,
  type ShellRun,
} from "../../src/protocol/index.js";
import { serveFirstPort } from "../first-port.js";
import { binaryText, encodeText } from "./bytes.js";
import { PageRequests } from "./page-requests.js";
import { ShellWorkspace } from "./shell-workspace.js";
import { sqliteCommand } from "./sqlite-command.js";
import { WasiPrograms } from "./wasi-programs.js";

serveFirstPort(serve);

const OUTPUT = "/tmp/.standard-output";

interface ShellParts {
  readonly bash: Bash;
  readonly workspace: ShellWorkspace;
  readonly programs: WasiPrograms;
}

interface Outcome {
  readonly exitCode: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
}

function serve(port: MessagePort): void {
  const tell = (report: ShellReport): void => {
    port.postMessage(report);
  };
  const requests = new PageRequests(tell);
  const sqlite = sqliteCommand(() => requests.sqliteScript());
  const bash = new Bash({
    cwd: "/workspace",
    fetch: (url, options) => requests.fetch(url, options),
    customCommands: [defineCommand("sqlite3", sqlite)],
    // It patches this realm's globals against code that got out. Here the browser is the wall.
    defenseInDepth: false,
  });
  const workspace = new ShellWorkspace(bash.fs);
  const parts: ShellParts = { bash, workspace, programs: new WasiPrograms(workspace) };
  // One after the other: they share the files.
  let last: Promise<unknown> = Promise.resolve();
  port.onmessage = ({ data }: MessageEvent<ShellOrder>) => {
    if (data.kind !== "run") requests.settle(data);
    else last = last.then(async () => tell(await report(data, parts)));
  };
  tell({ kind: "ready", commands: [...getCommandNames(), ...getNetworkCommandNames(), "sqlite3"] });
}

async function report(order: ShellRun, parts: ShellParts): Promise<ShellReport> {
  const { id } = order;
  try {
    await parts.workspace.apply(order.files);
    const { program } = order;
    const outcome = program === null ? await runCommand(order, parts.bash) : await parts.programs.run(order, program);
    const size = Math.max(outcome.stdout.byteLength, outcome.stderr.byteLength);
    if (size > MAX_COMMAND_OUTPUT) throw new RangeError(`it wrote more than ${String(MAX_COMMAND_OUTPUT)} bytes`);
    return { kind: "ended", id, ...outcome, files: await parts.workspace.collect() };
  } catch (error) {
    return { kind: "broke", id, reason: messageOf(error) };
  }
}

async function runCommand({ command, argv, stdin, env, cwd, isMerged }: ShellRun, bash: Bash): Promise<Outcome> {
  if (!(await isFolder(cwd, bash))) {
    const complaint = encodeText(`bash: cd: ${cwd}: No such file or directory\n`);
    const nothing = new Uint8Array();
    return { exitCode: 1, stdout: isMerged ? complaint : nothing, stderr: isMerged ? nothing : complaint };
  }
  // The shell answers with a text and does not say whether its characters stand for bytes; a file has the bytes.
  const { stderr, exitCode } = await bash.exec(`${quoted(command)} > ${OUTPUT}${isMerged ? " 2>&1" : ""}`, {
    cwd,
    args: [...argv],
    stdin: binaryText(stdin),
    stdinKind: "bytes",
    env: { ...env },
  });
  const stdout = new Uint8Array(await bash.fs.readFileBuffer(OUTPUT));
  await bash.fs.rm(OUTPUT, { force: true });
  return { exitCode, stdout, stderr: encodeText(stderr) };
}

async function isFolder(path: string, { fs }: Bash): Promise<boolean> {
  return (await fs.exists(path)) && (await fs.stat(path)).isDirectory;
}

/** As the shell reads a word literally. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
