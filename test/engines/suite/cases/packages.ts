import type { ApprovalRequest, PackageSourceOptions, Session } from "../../../../src/index.js";
import { differ, type OpenSession, type PageCase } from "../engine-case.js";
import { addressOf } from "../server-address.js";

/** The wheels of test/wheels, which the suite's site serves beside its page. */
const published = new URL(".", location.href).href;

/** The same wheels where test/servers/package-server.ts serves them, on another origin. */
const lockfile = (): PackageSourceOptions => ({ lockfile: `${addressOf("packages")}/pyodide/pyodide-lock.json` });
const index = (): PackageSourceOptions => ({ index: `${addressOf("packages")}/simple/` });

/** Two wheels with compiled code, one of them with all that it needs, and one that the session was opened with. */
const USE = [
  "deps.add('msgpack')",
  "deps.add('pydantic')",
  "import msgpack, pydantic, xxhash",
  "model = pydantic.create_model('Model', number=int)",
  "packed = msgpack.packb(model(number='5').model_dump())",
  "[xxhash.xxh64(b'').hexdigest(), msgpack.unpackb(packed), msgpack.Packer.__module__]",
].join("\n");

const USED = ["ef46db3751d8e999", { number: 5 }, "msgpack._cmsgpack"];

export const packageCases: readonly PageCase[] = [
  {
    id: "packages-1",
    title: "wheels with compiled code are installed from a folder of the site, and run",
    inChromium: "session/compiled-packages.test.ts",
    run: (open) => installsAndRuns(open, { folder: published }),
  },
  {
    id: "packages-2",
    title: "wheels with compiled code are installed from a lockfile of another origin, and run",
    inChromium: "session/package-sources.test.ts",
    run: (open) => installsAndRuns(open, lockfile()),
  },
  {
    id: "packages-3",
    title: "wheels with compiled code are installed from an index, and run",
    inChromium: "session/package-sources.test.ts",
    run: (open) => installsAndRuns(open, index()),
  },
  {
    id: "packages-4",
    title: "a second session takes the files that the browser keeps, where it keeps any, and fetches no wheel",
    inChromium: "session/package-sources.test.ts",
    run: async (open) => {
      const options = { packages: [lockfile()], deps: ["msgpack"] };
      const code = "import msgpack\nmsgpack.unpackb(msgpack.packb([1]))";
      const isKept = await withSession(open, options, async (session) => {
        await session.deps.cache.clear();
        return session.deps.cache.persistent;
      });
      return await withSession(open, options, async (first) => {
        const used = await first.run(code);
        const kept = (await first.deps.cache.list()).map(({ filename }) => filename.split("-")[0]);
        await takeRequests();
        const [again, fetched] = await withSession(open, options, async (second) => {
          const result = await second.run(code);
          return [result, (await takeRequests()).filter((path) => path.endsWith(".whl")).length] as const;
        });
        await first.deps.cache.clear();
        return [
          ...differ("the value", used.value, [1]),
          ...differ("the value of the second session", again.value, [1]),
          ...differ("what is kept", kept, isKept ? ["msgpack"] : []),
          ...differ("the number of wheels that the second session fetched", fetched, isKept ? 0 : 1),
        ];
      });
    },
  },
  {
    id: "packages-5",
    title: "an import of what is missing is asked about, and installed where the answer is yes",
    inChromium: "session/package-sources.test.ts",
    run: async (open) => {
      const asked: ApprovalRequest[] = [];
      const options = {
        packages: [lockfile()],
        onApproval: (request: ApprovalRequest) => {
          asked.push(request);
          return { decision: "allow" } as const;
        },
      };
      return await withSession(open, options, async (session) => {
        const { value, error } = await session.run("import xxhash\nxxhash.xxh64(b'').hexdigest()");
        return [
          ...differ("the error", error === null ? null : String(error), null),
          ...differ("the value", value, USED[0]),
          ...differ("the questions", asked.length, 1),
          ...(asked[0]?.reason.includes("xxhash") === true ? [] : [`the question is ${String(asked[0]?.reason)}`]),
        ];
      });
    },
  },
];

async function installsAndRuns(open: OpenSession, source: PackageSourceOptions): Promise<readonly string[]> {
  return await withSession(open, { packages: [source], deps: ["xxhash"] }, async (session) => {
    const { value, error } = await session.run(USE);
    return [...differ("the error", error === null ? null : String(error), null), ...differ("the value", value, USED)];
  });
}

async function withSession<T>(
  open: OpenSession,
  options: Parameters<OpenSession>[0],
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await open(options);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** Paths that the server was asked for since it was last looked at. */
async function takeRequests(): Promise<readonly string[]> {
  const answer: unknown = await (await fetch(`${addressOf("packages")}/requests`)).json();
  return Array.isArray(answer) ? answer.map(String) : [];
}
