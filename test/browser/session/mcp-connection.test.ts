import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";

import {
  mcpTool,
  memoryStorage,
  Session,
  type CallProgress,
  type McpElicitation,
  type McpOAuth,
  type StorageBackend,
} from "../../../src/index.js";

const { stateful = "", statefulDesk = "", scripted = "" } = inject("mcpServers");

/** What the desk of the server is told: see stateful-server.ts. */
async function order(what: "up" | "down" | "forget" | "revoke" | "clear"): Promise<void> {
  await fetch(`${statefulDesk}/${what}`, { method: "POST" });
}

async function log(): Promise<readonly string[]> {
  return (await (await fetch(`${statefulDesk}/log`)).json()) as string[];
}

async function count(entry: string): Promise<number> {
  return (await log()).filter((one) => one === entry).length;
}

beforeEach(() => order("clear"));

describe("a session with a server that keeps sessions", () => {
  const asked: McpElicitation[] = [];
  let session: Session;

  beforeAll(async () => {
    session = await Session.open({
      storage: memoryStorage(),
      trust: "sandboxed",
      tools: [mcpTool({ name: "far", url: `${stateful}/mcp` })],
      mcp: {
        onElicitation: (elicitation) => {
          asked.push(elicitation);
          return Promise.resolve({ action: "accept" });
        },
      },
      onProblem: () => undefined,
    });
  });
  afterAll(() => session.close());

  test("says why a call fails while the server is away, and the next call after it is back connects anew", async () => {
    const before = await session.run("tools.far.hello()");
    await order("down");
    const away = await session.run("tools.far.hello()");
    const still = await session.run("tools.far.hello()");
    const problems = session.tools.problems();
    await order("up");
    const after = await session.run("tools.far.hello()");

    expect(before.value).toMatch(/^hello from session-\d+$/);
    for (const { error } of [away, still]) {
      expect(error?.pythonType).toBe("ToolCallError");
      expect(error?.message).toContain(`${new URL(stateful).host} could not be reached`);
    }
    expect(problems).toEqual([expect.objectContaining({ file: "tools.far", code: "MCP_CONNECTION" })]);
    expect(after.value).toMatch(/^hello from session-\d+$/);
    expect(after.value).not.toBe(before.value);
    expect(session.tools.problems()).toEqual([]);
  });

  test("whose session the server does not know any more gets another, and the call is made once", async () => {
    const before = await session.run("tools.far.hello()");
    await order("clear");
    await order("forget");
    const after = await session.run("tools.far.hello()");

    expect(after.value).toMatch(/^hello from session-\d+$/);
    expect(after.value).not.toBe(before.value);
    // The first was refused with 404, before anything was done.
    expect((await log()).filter((entry) => entry === "initialize" || entry.startsWith("tools/call"))).toEqual([
      "tools/call hello",
      "initialize",
      "tools/call hello",
    ]);
    expect(after.calls).toHaveLength(1);
  });

  test("has a person visit a page that the server names", async () => {
    const result = await session.run("tools.far.visit()");

    expect(String(result.error)).toBe("null");
    expect(result.value).toBe("the person chose accept");
    expect(asked).toEqual([
      {
        kind: "url",
        tool: "far",
        calls: [{ callId: result.calls[0]?.id, runId: result.calls[0]?.runId, path: [] }],
        message: "Please agree there.",
        url: "https://bank.example/agree?id=1",
      },
    ]);
  });

  test("hears how far a call has come, and tells the server when the run is stopped", async () => {
    const heard: CallProgress[] = [];
    const { promise: reported, resolve } = Promise.withResolvers<undefined>();

    const running = session.run("tools.far.wait()", {
      onCallProgress: (progress) => {
        heard.push(progress);
        resolve(undefined);
      },
    });
    await reported;
    session.interrupt();
    const result = await running;

    expect(result.error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(heard).toEqual([
      expect.objectContaining({ name: "far.wait", runId: result.runId, progress: 1, total: 2, message: "half of it" }),
    ]);
    await expect.poll(log).toContain("notifications/cancelled");
    expect((await session.run("tools.far.hello()")).value).toMatch(/^hello from session-\d+$/);
  });
});

describe("a server that asks for OAuth", () => {
  /** What is in the store, as the page keeps it. */
  let kept = "";
  let storage: StorageBackend;

  const auth: McpOAuth = {
    redirectUrl: "https://page.example/back",
    authorize: async (url, signal) => (await fetch(url, { signal })).text(),
    store: {
      load: () => Promise.resolve(kept === "" ? undefined : kept),
      save: (text) => {
        kept = text;
        return Promise.resolve();
      },
    },
  };

  async function openGuarded(): Promise<Session> {
    storage = memoryStorage();
    const session = await Session.open({
      storage,
      trust: "sandboxed",
      tools: [mcpTool({ name: "guarded", url: `${stateful}/guarded/mcp`, auth })],
      onProblem: () => undefined,
    });
    return session;
  }

  async function useOnce(code: string): Promise<{ readonly shown: string; readonly stored: string }> {
    const session = await openGuarded();
    try {
      const heard: CallProgress[] = [];
      const result = await session.run(code, { onCallProgress: (progress) => heard.push(progress) });
      await session.journal.flush();
      const stored: string[] = [];
      for await (const key of storage.keys("")) stored.push(new TextDecoder().decode(await storage.get(key)));
      return { shown: JSON.stringify([result, String(result.error), heard]), stored: stored.join("\n") };
    } finally {
      await session.close();
    }
  }

  test("is agreed to once: with a store the next session has the tokens already", async () => {
    const first = await useOnce("tools.guarded.hello()");
    const agreedOnce = [await count("authorize"), await count("register")];
    const second = await useOnce("tools.guarded.hello()");

    expect(first.shown).toContain("hello from");
    expect(second.shown).toContain("hello from");
    expect(agreedOnce).toEqual([1, 1]);
    expect([await count("authorize"), await count("register")]).toEqual([1, 1]);
    expect(kept).toContain("access-");
  });

  test("whose store gives something else than it was given says so", async () => {
    const agreed = kept;
    kept = "{broken";

    const { shown } = await useOnce("tools.guarded.hello()");

    expect(shown).toContain("what the `store` of `auth` gives is not what was saved there");
    expect(await count("authorize")).toBe(0);
    kept = agreed;
  });

  test("has its token struck, where the server says it again in results, errors and reports", async () => {
    const { access_token: token } = (JSON.parse(kept) as { tokens: { access_token: string } }).tokens;

    const result = await useOnce("tools.guarded.whoami()");
    const error = await useOnce("tools.guarded.whoami_in_error()");

    expect(result.shown).toContain("Bearer [secret ");
    expect(error.shown).toContain("Bearer [secret ");
    for (const { shown, stored } of [result, error]) {
      expect(shown).not.toContain(token);
      expect(stored).not.toContain(token);
      expect(stored).toContain("guarded.whoami");
    }
  });
});

describe("a server of a tool file, which has no `auth` of its own", () => {
  const back = "https://page.example/back";

  /** Opens a session whose page has `auth` for every server, and calls the tool of a file. */
  async function callOfFile(
    auth: McpOAuth | undefined,
    { url = `${stateful}/guarded/mcp`, headers = {} }: { readonly url?: string; readonly headers?: object } = {},
  ): Promise<{ readonly said: string; readonly asked: readonly string[] }> {
    const asked: string[] = [];
    const session = await Session.open({
      storage: memoryStorage(),
      trust: "sandboxed",
      seeds: [{ file: "tools/guarded.yaml", text: JSON.stringify({ name: "guarded", type: "mcp", url, headers }) }],
      mcp: {
        authFor: (server) => {
          asked.push(`${server.tool} ${server.url.replace(stateful, "")}`);
          return Promise.resolve(auth);
        },
      },
      onProblem: () => undefined,
    });
    try {
      const { value, error } = await session.run("tools.guarded.hello()");
      return { said: `${JSON.stringify(value)} ${String(error)}`, asked };
    } finally {
      await session.close();
    }
  }

  test("is logged in to with the page's `authFor`", async () => {
    const authorize: McpOAuth["authorize"] = async (url, signal) => (await fetch(url, { signal })).text();

    const { said, asked } = await callOfFile({ redirectUrl: back, authorize });

    expect(said).toContain("hello from");
    expect(asked).toEqual(["guarded /guarded/mcp"]);
    expect(await count("authorize")).toBe(1);
  });

  test("is not, where the file sends an `Authorization` itself", async () => {
    const { said, asked } = await callOfFile(
      { redirectUrl: back },
      { headers: { authorization: "Bearer of-the-file" } },
    );

    expect(said).toContain("the server wants to know who calls (HTTP 401)");
    expect(asked).toEqual([]);
    expect(await count("register")).toBe(0);
  });

  test("is asked for nothing more where it names no authorization server", async () => {
    const { said } = await callOfFile({ redirectUrl: back }, { url: `${scripted}/protected` });

    expect(said).toContain("the server wants to know who calls (HTTP 401)");
  });

  test("whose login the person refuses is said to be so, and so is an answer of another login", async () => {
    const sent = (answer: Readonly<Record<string, string>>): McpOAuth => ({
      redirectUrl: back,
      authorize: (url) => {
        const state = url.searchParams.get("state") ?? "";
        return Promise.resolve(`${back}?${new URLSearchParams({ state, ...answer }).toString()}`);
      },
    });

    const refused = await callOfFile(sent({ error: "access_denied", error_description: "Not today." }));
    const foreign = await callOfFile(sent({ code: "a-code", state: "of another" }));

    expect(refused.said).toContain("the authorization server refused (access_denied): Not today.");
    expect(foreign.said).toContain("has another `state`: it belongs to another login");
    expect(await count("token authorization_code")).toBe(0);
  });

  test("whose login failed in the course of a call is logged in to anew before the next", async () => {
    let isThere = true;
    const authorize: McpOAuth["authorize"] = async (url, signal) => {
      if (!isThere) throw new Error("The person is not there.");
      return (await fetch(url, { signal })).text();
    };
    const session = await Session.open({
      storage: memoryStorage(),
      trust: "sandboxed",
      tools: [mcpTool({ name: "guarded", url: `${stateful}/guarded/mcp`, auth: { redirectUrl: back, authorize } })],
      onProblem: () => undefined,
    });
    try {
      await session.run("tools.guarded.hello()");
      await order("revoke");
      isThere = false;
      const { error } = await session.run("tools.guarded.hello()");
      isThere = true;
      await session.tools.whenKnown("guarded");

      expect(String(error)).toContain("The person is not there.");
      expect((await session.run("tools.guarded.hello()")).value).toContain("hello from");
      expect(await count("authorize")).toBe(2);
    } finally {
      await session.close();
    }
  });
});
