import { z } from "zod";

import { differ, type PageCase } from "../engine-case.js";
import { addressOf } from "../server-address.js";
import { addTools, DEAD_HOST, SECRET } from "../shared-session.js";

const Log = z.array(z.object({ method: z.string(), url: z.string() }));

/** What has reached the server for tools, of this page alone. */
async function requestsWith(mark: string): Promise<string[]> {
  const response = await fetch(`${addressOf("tools")}/open/log`);
  const log = Log.parse(await response.json());
  return log.filter(({ url }) => url.includes(mark)).map(({ method, url }) => `${method} ${url.split("?")[0] ?? ""}`);
}

/** Class and code of what a call raises, and whether its text says this. */
const FAILING = `
def failing(call, *words):
    try:
        return call()
    except Exception as error:
        return [type(error).__name__, error.code, [word for word in words if word not in str(error)]]
`;

/** Requests that leave the page: what each engine sends, and what it shows of what goes wrong. */
export const httpToolCases: readonly PageCase[] = [
  {
    id: "http-1",
    title:
      "requests are sent as the tool's file says, without cookies and referrer, and answers are values of their type",
    needs: ["sync_calls"],
    inChromium: "tools/http-tool.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      await addTools(session, {
        service: `type: http
base_url: ${addressOf("tools")}/open
recipes:
  look: {path: "echo/{id}", params: {q: {}}}
  send: {method: POST, path: echo, params: {title: {}, tags: {type: array}}}
  upload: {method: POST, path: echo, body: multipart, params: {title: {}, cover: {type: bytes}}}
  json: {path: json}
  text: {path: latin1}
  bytes: {path: bytes}
  big: {path: big-json}
  empty: {path: empty}
  fail: {path: status/500}
  pages: {path: pages, preset: {of: 3, expose: Link}, paginate: {style: link}}
`,
      });
      document.cookie = "suite=1; path=/";
      const { value, error } = await session.run(`
import json
look = tools.service.look(id="a/b ü", q="x y&z")
send = tools.service.send(title="Ü", tags=["a"])
upload = tools.service.upload(title="T", cover=b"pixels")
try:
    tools.service.fail()
except ToolCallError as error:
    failed = [error.status, error.body]
{
    "look": [look["method"], look["url"], [name for name in ("cookie", "referer") if name in look["headers"]]],
    "send": [send["method"], send["headers"]["content-type"], json.loads(send["body"])],
    "upload": [
        upload["headers"]["content-type"].split(";")[0],
        [part in upload["body"] for part in ('name="title"', 'name="cover"', "filename=", "pixels")],
    ],
    "answers": [tools.service.json(), tools.service.text(), list(tools.service.bytes()), tools.service.empty()],
    "big": tools.service.big()["id"] == 9007199254740993,
    "failed": failed,
    "pages": tools.service.pages(pages=5),
}`);
      document.cookie = "suite=; path=/; max-age=0";
      return [
        ...differ("the error", error?.message, undefined),
        ...differ("the value", value, {
          look: ["GET", "/open/echo/a%2Fb%20%C3%BC?q=x+y%26z", []],
          send: ["POST", "application/json", { title: "Ü", tags: ["a"] }],
          upload: ["multipart/form-data", [true, true, true, true]],
          answers: [
            { city: "Oslo", celsius: 4.5, tags: ["cold", "wet"], none: null },
            "æ;ø",
            [0x89, 0x50, 0x4e, 0x47, 0, 255],
            null,
          ],
          big: true,
          failed: [500, "status 500"],
          pages: [1, 2, 3],
        }),
      ];
    },
  },
  {
    id: "http-2",
    title: "a host that is not allowed gets no request, a redirect is not followed, and what the browser hides is told",
    needs: ["sync_calls"],
    inChromium: "tools/http-tool.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const mark = crypto.randomUUID();
      const recipes = `recipes:\n  ask: {path: json, params: {mark: {}}}\n`;
      const target = `${addressOf("tools")}/open/echo/followed-${mark}`;
      await addTools(session, {
        elsewhere: `type: http\nbase_url: ${addressOf("toolsElsewhere")}/open\n${recipes}`,
        closed: `type: http\nbase_url: ${addressOf("tools")}/closed\n${recipes}`,
        dead: `type: http\nbase_url: http://${DEAD_HOST}\nretry: {attempts: 1}\n${recipes}`,
        moved: `type: http\nbase_url: ${addressOf("tools")}/open\nrecipes:\n  ask: {path: redirect, preset: {to: "${target}"}}\n`,
      });
      const { value, error } = await session.run(`${FAILING}
[
    failing(lambda: tools.elsewhere.ask(mark="${mark}")),
    failing(lambda: tools.closed.ask(mark="${mark}"), "Access-Control-Allow-Origin: ${location.origin}"),
    failing(lambda: tools.moved.ask(), "redirect"),
    failing(lambda: tools.dead.ask(mark="${mark}"), "${DEAD_HOST} is down, or the browser kept its answer"),
]`);
      return [
        ...differ("the error", error?.message, undefined),
        ...differ("what the calls raise", value, [
          ["ToolNotAllowedError", "HOST_NOT_ALLOWED", []],
          ["CorsError", "CORS", []],
          ["ToolCallError", "TOOL_CALL", []],
          // Where hosts are limited nobody looks which: looking would follow a redirect past them.
          ["CorsError", "CORS", []],
        ]),
        // Each twice: the second time without following, to find out whether it was a redirect.
        ...differ("the requests", await requestsWith(mark), [
          ...["GET /closed/json", "GET /closed/json"],
          ...["GET /open/redirect", "GET /open/redirect"],
        ]),
      ];
    },
  },
  {
    id: "http-3",
    title: "a secret is put into the request by the page, and struck from answer, error and journal",
    needs: ["sync_calls"],
    inChromium: "session/secrets.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      await addTools(session, {
        vault: `type: http
base_url: ${addressOf("tools")}/open
auth: {type: bearer, token: "\${KEY}"}
recipes:
  look: {path: echo}
  refused: {path: echo, preset: {status: 401}}
`,
      });
      const looked = await session.run(`tools.vault.look()["headers"]["authorization"]`);
      const refused = await session.run("tools.vault.refused()");
      await session.journal.flush();
      const journal = await session.journal.exportJsonLines();
      const shown = { looked, refused, journal };
      return [
        ...differ("the answer", looked.value, "Bearer [secret KEY]"),
        ...differ("the error", refused.error?.message.includes("Bearer [secret KEY]"), true),
        ...differ("the journal has the call", journal.includes("vault.refused"), true),
        ...Object.entries(shown)
          .filter(([, text]) => JSON.stringify(text).includes(SECRET))
          .map(([where]) => `the secret is in ${where}`),
      ];
    },
  },
  {
    id: "http-4",
    title:
      "a request that nobody answers ends at its tool's limit, and with its run when that is stopped; the next works",
    needs: ["sync_calls"],
    inChromium: "tools/http-tool.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const service = `type: http\nbase_url: ${addressOf("tools")}/open\n`;
      await addTools(session, {
        hasty: `${service}timeout: 0.5\nrecipes: {ask: {path: never}}\n`,
        patient: `${service}recipes: {ask: {path: never}, text: {path: text}}\n`,
      });
      const late = await session.run(`${FAILING}\nfailing(lambda: tools.hasty.ask(), "timed out after 0.5s")`);
      const stop = new AbortController();
      const stopped = await session.run("tools.patient.ask()", {
        signal: stop.signal,
        onCall: () => {
          stop.abort();
        },
      });
      const next = await session.run("tools.patient.text()");
      return [
        ...differ("the late call", late.value, ["ToolTimeoutError", "TOOL_TIMEOUT", []]),
        ...differ("the stopped run", stopped.error?.code, "RUN_INTERRUPTED"),
        ...differ("the next call", next.value, "grüße\n"),
      ];
    },
  },
];
