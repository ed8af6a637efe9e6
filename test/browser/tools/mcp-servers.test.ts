import { afterEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";

import {
  memorySecrets,
  mcpTool,
  type McpAnswers,
  type McpElicitationAnswer,
  type McpSamplingAnswer,
  type McpServerAddress,
  type Problem,
  type ToolAdapter,
  type ToolEnvironment,
  type Value,
} from "../../../src/index.js";
import { loadToolFiles, ToolRegistry, type ToolContext, type ToolProgress } from "../../../src/tools/index.js";
import { callTool } from "../../lone-calls/lone-call.js";
import { RUN, untilShown } from "../../timeouts.mjs";

const { everything = "", everythingSse = "", stateless = "", scripted = "" } = inject("mcpServers");

let registries: ToolRegistry[] = [];

afterEach(async () => {
  await Promise.all(registries.map((registry) => registry.close()));
  registries = [];
});

interface Connected {
  readonly registry: ToolRegistry;
  readonly problems: readonly Problem[];
  call(
    name: string,
    args?: Record<string, Value>,
    options?: Partial<Pick<ToolContext, "signal" | "report">>,
  ): Promise<Value>;
}

/** Waits until each tool is known, or has failed: a busy machine may take longer than a registry waits. */
async function allKnown(registry: ToolRegistry): Promise<void> {
  await registry.settled();
  const hasFailed = (name: string): boolean => registry.problems().some(({ file }) => file.includes(name));
  await vi.waitUntil(
    () => registry.list().every(({ name, callables }) => callables.length > 0 || hasFailed(name)),
    untilShown,
  );
}

/** Registers a tool named `x` and waits until it is connected, or has failed. */
async function connect(
  options: (McpServerAddress & { readonly answerSize?: number }) | ToolAdapter,
  environment: ToolEnvironment = {},
): Promise<Connected> {
  const registry = new ToolRegistry({ environment });
  registries.push(registry);
  registry.register("call" in options ? options : mcpTool({ name: "x", timeout: RUN, ...options }));
  await allKnown(registry);
  return {
    registry,
    get problems() {
      return registry.problems();
    },
    call: async (name, args = {}, options = {}) => {
      await registry.whenKnown("x");
      return callTool(registry, { tool: "x", callable: name, args }, options);
    },
  };
}

function names({ registry }: Connected): string[] | undefined {
  return registry.get("x")?.callables.map(({ name }) => name);
}

describe.each([
  { transport: "streamable_http" as const, url: everything },
  { transport: "sse" as const, url: everythingSse },
])("the official server-everything over $transport", (address) => {
  test("lists its tools, answers calls and hands out resources", async () => {
    const server = await connect(address);

    expect(names(server)).toEqual(expect.arrayContaining(["echo", "get-sum", "list_resources", "get_prompt"]));
    expect(await server.call("echo", { message: "hello" })).toBe("Echo: hello");
    expect(await server.call("get_tiny_image")).toEqual([
      expect.any(String),
      expect.objectContaining({ kind: "image", mimeType: "image/png", data: expect.any(Uint8Array) as Uint8Array }),
      expect.any(String),
    ]);
    expect(await server.call("get-structured-content", { location: "Chicago" })).toMatchObject({
      temperature: expect.any(Number) as number,
    });
    const resources = (await server.call("list_resources")) as { uri?: string; uri_template?: string }[];
    const uri = resources.find((resource) => resource.uri !== undefined)?.uri;
    expect(await server.call("read_resource", { uri: uri! })).toMatchObject({ kind: "resource", uri });
    const prompts = (await server.call("list_prompts")) as { name: string }[];
    expect(prompts.map(({ name }) => name)).toContain("simple-prompt");
    expect(await server.call("get_prompt", { name: "simple-prompt" })).toEqual([
      { role: "user", content: expect.any(String) as string },
    ]);
    expect(server.problems).toEqual([]);
  });

  test("reports the progress of a long call", async () => {
    const server = await connect(address);
    const reports: ToolProgress[] = [];

    await server.call(
      "trigger-long-running-operation",
      { duration: 0.1, steps: 2 },
      { report: (one) => reports.push(one) },
    );

    expect(reports).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  test("asks the page for data and for a model's answer, and offers neither without somebody there", async () => {
    const asked: unknown[] = [];
    const server = await connect(address, {
      mcp: {
        onElicitation: (elicitation) => {
          asked.push(elicitation);
          return Promise.resolve({ action: "accept", content: { name: "Ada", check: true } });
        },
        onSampling: (sampling) => {
          asked.push(sampling);
          return Promise.resolve({ model: "a-model", text: "Forty-two." });
        },
      },
    });
    const alone = await connect(address);

    const elicited = await server.call("trigger-elicitation-request");
    const sampled = await server.call("trigger-sampling-request", { prompt: "What is it?", maxTokens: 10 });

    expect(JSON.stringify(elicited)).toContain("Ada");
    expect(JSON.stringify(sampled)).toContain("Forty-two.");
    expect(asked).toEqual([
      expect.objectContaining({
        kind: "form",
        tool: "x",
        schema: expect.objectContaining({ type: "object" }) as object,
      }),
      expect.objectContaining({ tool: "x", maxTokens: 10 }),
    ]);
    expect(names(alone)).not.toContain("trigger-elicitation-request");
    expect(names(alone)).not.toContain("trigger-sampling-request");
  });
});

describe("what a page answers to a server's questions", () => {
  const sampled = async (answer: unknown): Promise<unknown> => {
    // As plain JavaScript answers, which no type holds back.
    const onSampling = (): Promise<McpSamplingAnswer> => Promise.resolve(answer as McpSamplingAnswer);
    const server = await connect({ url: everything }, { mcp: { onSampling } });
    return server.call("trigger-sampling-request", { prompt: "What is it?", maxTokens: 10 });
  };

  test("may be in the form that MCP has for a model's answer", async () => {
    const answer = { model: "a-model", role: "assistant", content: { type: "text", text: "Forty-two." } };

    expect(JSON.stringify(await sampled(answer))).toContain("Forty-two.");
  });

  test.each([
    [{ role: "assistant", content: { type: "text", text: "x" } }, "an object with role, content (model: "],
    [{ model: "m", content: "x" }, "an object with model, content (content: "],
    ["x", "'x'"],
    [undefined, "'undefined'"],
  ])("is checked before it goes out: a model's %j", async (answer, words) => {
    const failure = await sampled(answer).catch((error: unknown) => error);

    expect(String(failure)).toContain(`\`onSampling\` answered with what no MCP server reads: ${words}`);
    expect(String(failure)).toContain("Answer with `{ model, text }`");
  });

  test.each([[true], [{ action: "accept", content: { a: null } }], [{ name: "Ada" }]])(
    "is checked before it goes out: a person's %j",
    async (answer) => {
      const onElicitation = (): Promise<McpElicitationAnswer> => Promise.resolve(answer as McpElicitationAnswer);
      const server = await connect({ url: everything }, { mcp: { onElicitation } });

      const failure = await server.call("trigger-elicitation-request").catch((error: unknown) => error);

      expect(String(failure)).toContain("`onElicitation` answered with what no MCP server reads");
      expect(String(failure)).toContain('`{ action: "accept", content }`');
    },
  );
});

describe("the stateless server of 2026-07-28", () => {
  test("is listed with schemas, hints and the server's title", async () => {
    const { registry } = await connect({ url: stateless });

    const tool = registry.get("x");

    expect(tool?.description).toBe("Sums and waits");
    expect(tool?.dynamic).toBe(false);
    expect(tool?.callables.find(({ name }) => name === "add")).toMatchObject({
      description: "Adds two numbers",
      hints: { readOnly: true, idempotent: true },
      parameters: [
        { name: "a", type: "number", required: true, description: "One" },
        { name: "b", type: "number", required: false, default: 1 },
      ],
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
    });
    expect(registry.prepare("x", "wipe").hints).toEqual({ destructive: true });
  });

  test("answers with structured content, refuses wrong arguments before they are sent, and reports progress", async () => {
    const server = await connect({ url: stateless });
    const reports: ToolProgress[] = [];

    expect(await server.call("add", { a: 2 })).toEqual({ sum: 3 });
    await expect(server.call("add", { a: "two" })).rejects.toMatchObject({ code: "TOOL_ARGUMENT" });
    expect(await server.call("count", {}, { report: (one) => reports.push(one) })).toBe("counted");
    expect(reports.map(({ message }) => message)).toEqual(["step 1", "step 2", "step 3"]);
  });

  test.each([
    ["of 2026", () => ({ url: stateless }), "ask"],
    ["of 2025", () => ({ url: everything }), "trigger-elicitation-request"],
  ] as const)("a question of a server %s is taken back with the call that is stopped", async (_, address, name) => {
    const taken: AbortSignal[] = [];
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<null>();
    const onElicitation: McpAnswers["onElicitation"] = (_asked, signal) => {
      taken.push(signal);
      isAsked(null);
      return new Promise(() => undefined);
    };
    const server = await connect(address(), { mcp: { onElicitation } });
    const stop = new AbortController();

    const waiting = server.call(name, {}, { signal: stop.signal });
    await asked;
    const before = taken.map(({ aborted }) => aborted);
    stop.abort();

    await expect(waiting).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
    expect(before).toEqual([false]);
    expect(taken.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test("asks for data in the middle of a call", async () => {
    const server = await connect(
      { url: stateless },
      { mcp: { onElicitation: () => Promise.resolve({ action: "accept", content: { colour: "blue" } }) } },
    );

    expect(await server.call("ask")).toBe("You like blue.");
  });

  test.each(["accept", "decline"] as const)("sends a person to a page, and hears that they %s", async (action) => {
    const asked: unknown[] = [];
    const onElicitation: McpAnswers["onElicitation"] = (elicitation) => {
      asked.push(elicitation);
      return Promise.resolve({ action });
    };
    const server = await connect({ url: stateless }, { mcp: { onElicitation } });

    expect(await server.call("visit")).toBe(`The person chose ${action}.`);
    expect(asked).toEqual([
      {
        kind: "url",
        tool: "x",
        calls: [{ callId: expect.any(String) as string, runId: expect.any(String) as string, path: [] }],
        message: "Please agree there.",
        url: "https://bank.example/agree?id=2",
      },
    ]);
  });

  test("hears that a call is cancelled", async () => {
    const server = await connect({ url: stateless });
    const stop = new AbortController();

    const waiting = server.call("wait", {}, { signal: stop.signal });
    await expect.poll(log).toContain("waiting");
    stop.abort();

    await expect(waiting).rejects.toMatchObject({ code: "TOOL_CANCELLED" });
    await expect.poll(log).toContain("cancelled");
  });

  test("a tool that the server adds while the page is open is there a moment later", async () => {
    const server = await connect({ url: stateless });
    const changed = new Promise<void>((resolve) => {
      server.registry.onChange(() => {
        if (names(server)?.includes("added") === true) resolve();
      });
    });

    await server.call("grow");
    await changed;

    expect(await server.call("added")).toBe("here");
  });

  async function log(): Promise<string[]> {
    return (await (await fetch(new URL("/log", stateless))).json()) as string[];
  }
});

describe("what comes back", () => {
  const PIXEL = expect.objectContaining({
    kind: "image",
    mimeType: "image/png",
    data: expect.any(Uint8Array) as object,
  });

  test.each([
    ["text", "one\ntwo"],
    ["nothing", null],
    ["image", PIXEL],
    ["mixed", ["See:", PIXEL]],
    ["sound", expect.objectContaining({ kind: "audio", mimeType: "audio/wav" })],
    ["document", expect.objectContaining({ kind: "resource", uri: "doc://1", data: "words" })],
    ["link", expect.objectContaining({ kind: "resource_link", uri: "doc://2", name: "Second" })],
    ["both", [{ n: 1 }, PIXEL]],
  ])("%s", async (name, expected) => {
    const server = await connect({ url: `${scripted}/results` });

    expect(await server.call(name)).toEqual(expected);
  });

  test.each([
    ["fails", { code: "TOOL_CALL", reason: "no such city" }],
    ["badBytes", { code: "MCP_PROTOCOL" }],
    ["misfit", { code: "MCP_PROTOCOL", reason: expect.stringContaining("output schema at n") as string }],
    ["promise", { code: "MCP_PROTOCOL" }],
  ])("%s is an error", async (name, expected) => {
    const server = await connect({ url: `${scripted}/results` });

    await expect(server.call(name)).rejects.toMatchObject(expected);
  });
});

describe("a server that misbehaves", () => {
  test("on several pages lists all its tools; what it refuses is told by code, and what is gone is not found", async () => {
    const server = await connect({ url: `${scripted}/paged` });

    expect(names(server)).toEqual(["tool-1", "tool-2", "tool-3"]);
    expect(await server.call("tool_2")).toBe("second");
    await expect(server.call("tool-1")).rejects.toMatchObject({ code: "MCP_SERVER", rpcCode: -32602 });
  });

  test("with broken tools keeps the whole ones, and each broken one is a problem", async () => {
    const server = await connect({ url: `${scripted}/mixed` });

    expect(names(server)).toEqual(["whole", "odd"]);
    expect(server.problems).toEqual([
      expect.objectContaining({ field: "tools.broken.inputSchema.type", code: "MCP_PROTOCOL" }),
      expect.objectContaining({ field: "tools.2.name" }),
      expect.objectContaining({ field: "tools.whole", message: expect.stringContaining("two tools") as string }),
    ]);
    expect(await server.call("whole")).toBe("whole");
  });

  test.each([
    ["endless", { code: "MCP_PROTOCOL", message: expect.stringContaining("does not come to an end") as string }],
    ["html", { code: "MCP_PROTOCOL", message: expect.stringContaining("text/html") as string }],
    ["garbage", { code: "MCP_PROTOCOL" }],
    ["status/500", { code: "MCP_CONNECTION", message: expect.stringContaining("500") as string }],
    ["status/401", { code: "MCP_UNAUTHORIZED" }],
    ["status/404", { code: "MCP_CONNECTION", message: expect.stringContaining("404") as string }],
  ])("with %s is a problem of the page, and each call says why", async (kind, expected) => {
    const server = await connect({ url: `${scripted}/${kind}` });

    expect(server.problems).toEqual([expect.objectContaining({ file: "tools.x", ...expected })]);
    await expect(server.call("echo")).rejects.toMatchObject(expected);
  });

  test("that never answers, or is not there, is a problem, and other tools are not touched", async () => {
    const registry = new ToolRegistry();
    registries.push(registry);
    registry.register(mcpTool({ name: "silent", url: `${scripted}/never`, timeout: 200 }));
    registry.register(mcpTool({ name: "down", url: "http://127.0.0.1:9/mcp" }));
    registry.register(mcpTool({ name: "up", url: `${scripted}/results` }));

    await allKnown(registry);

    expect(registry.get("up")?.callables).not.toEqual([]);
    const messages = new Map(registry.problems().map(({ file, message }) => [file, message]));
    expect([...messages.keys()].sort()).toEqual(["tools.down", "tools.silent"]);
    expect(messages.get("tools.silent")).toContain("within 0.2s");
    expect(messages.get("tools.down")).toContain("127.0.0.1:9");
  });

  test("whose answer is too large, or ends before its result, is an error at once", async () => {
    const huge = await connect({ url: `${scripted}/huge`, answerSize: 100_000 });
    const cut = await connect({ url: `${scripted}/cut` });

    await expect(huge.call("text")).rejects.toMatchObject({ code: "MCP_ANSWER_TOO_LARGE", limit: 100_000 });
    await expect(cut.call("text")).rejects.toMatchObject({
      code: "MCP_CONNECTION",
      reason: expect.stringContaining("ended its answer") as string,
    });
  });

  test("that sends its last report and its answer in one piece is heard in that order", async () => {
    const server = await connect({ url: `${scripted}/sse`, transport: "sse" });
    const heard: unknown[] = [];

    heard.push(await server.call("text", {}, { report: (one) => heard.push(one) }));

    expect(heard).toEqual([{ progress: 1, total: 1 }, "done"]);
  });

  test("that ends its stream and names a time is asked again after that time, from the event it was at", async () => {
    // None that the client would take by itself.
    const wait = 321;
    const server = await connect({ url: `${scripted}/resumed/${String(wait)}` });
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => {
      timers.mockRestore();
    });

    expect(await server.call("text")).toBe("after event-1");

    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(wait);
  });

  test("that forgets the session is connected to anew, and the call is made once more", async () => {
    const server = await connect({ url: `${scripted}/forgetful` });
    const hopeless = await connect({ url: `${scripted}/amnesiac` });

    expect(await server.call("text")).toBe("one\ntwo");
    await expect(hopeless.call("text")).rejects.toMatchObject({ code: "MCP_CONNECTION" });
  });
});

describe("a tool file", () => {
  function file(lines: string): ToolAdapter {
    const { adapters, problems } = loadToolFiles([{ file: "tools/x.yaml", text: `name: x\ntype: mcp\n${lines}` }]);
    expect(problems).toEqual([]);
    return adapters[0]!;
  }

  test("names secrets in its url and its headers, which the server gets and nobody else", async () => {
    const secrets = memorySecrets({ TOKEN: "sesame-open", PART: "headers" });
    const server = await connect(
      file(`transport: streamable_http\nurl: ${scripted}/\${PART}\nheaders: {X-Token: "t \${TOKEN}"}`),
      { secrets },
    );

    expect(JSON.parse((await server.call("text")) as string)).toMatchObject({ "x-token": "t sesame-open" });
  });

  test("whose secret is not there is a problem that names it", async () => {
    const server = await connect(
      file(`transport: streamable_http\nurl: ${scripted}/results\nheaders: {A: "\${NO_SUCH}"}`),
    );

    expect(server.problems).toEqual([
      expect.objectContaining({
        file: "tools/x.yaml",
        code: "SECRET_NOT_FOUND",
        message: expect.stringContaining("NO_SUCH") as string,
      }),
    ]);
  });
});

describe("where a connection goes", () => {
  test("is to allowed hosts alone, and never to the page's own site by its host", async () => {
    const other = await connect({ url: stateless }, { allowedHosts: ["example.org"] });
    const own = await connect({ url: `${location.origin}/mcp` });
    const allowed = await connect({ url: stateless }, { allowedHosts: [new URL(stateless).host] });

    expect(other.problems).toEqual([expect.objectContaining({ code: "HOST_NOT_ALLOWED" })]);
    expect(own.problems).toEqual([expect.objectContaining({ code: "HOST_NOT_ALLOWED" })]);
    expect(await allowed.call("add", { a: 1 })).toEqual({ sum: 2 });
  });

  test("a token is asked for each request, and the server lets it in", async () => {
    const server = await connect({
      url: `${scripted}/protected`,
      auth: { token: () => Promise.resolve("sesame-open") },
    });

    expect(await server.call("text")).toBe("one\ntwo");
  });
});
