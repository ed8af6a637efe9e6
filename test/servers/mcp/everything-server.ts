import { fork, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The official `@modelcontextprotocol/server-everything`, in a process of its own, over both of its HTTP transports. */
export interface EverythingServer {
  readonly streamableHttp: string;
  readonly sse: string;
  close(): Promise<void>;
}

export async function startEverythingServer(): Promise<EverythingServer> {
  const [streamableHttp, sse] = await Promise.all([start("streamableHttp"), start("sse")]);
  return {
    streamableHttp: `http://127.0.0.1:${String(streamableHttp.port)}/mcp`,
    sse: `http://127.0.0.1:${String(sse.port)}/sse`,
    close: async () => {
      await Promise.all([end(streamableHttp.child), end(sse.child)]);
    },
  };
}

const preload = join(dirname(fileURLToPath(import.meta.url)), "listen-on-loopback.mjs");

async function start(transport: string): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve("@modelcontextprotocol/server-everything/package.json"));
  const child = fork(join(folder, "dist", "index.js"), [transport], {
    execArgv: ["--import", `file://${preload}`],
    env: { ...process.env, PORT: "0" },
    stdio: "ignore",
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message: { port: number }) => {
      resolve(message.port);
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      reject(new Error(`server-everything ended with ${String(code)} before it listened.`));
    });
  });
  return { child, port };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
