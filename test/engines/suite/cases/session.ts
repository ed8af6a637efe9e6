import { indexedDBStorage, memoryStorage } from "../../../../src/index.js";
import { deleteDatabase } from "../database.js";
import { differ, type EngineCase, type PageCase } from "../engine-case.js";
import { engineTools } from "../engine-tools.js";
import { running } from "../../../conformance/conformance-case.js";
import { deepSources, endlessRecursion } from "../../../deep-code.js";
import { RUN } from "../../../timeouts.mjs";

/** What a session does beside calls and stopping. */
export const sessionCases: readonly EngineCase[] = [
  {
    id: "session-5",
    title:
      "recursion without end through C, and source of 20,000 levels, are RecursionErrors that leave variables in place",
    steps: [
      running("kept = 42"),
      ...[...endlessRecursion.map(([, code]) => code), ...deepSources.map(([, source]) => source(20_000))].map((code) =>
        running(code, { error: { type: "RecursionError" } }),
      ),
      running("kept", { value: 42 }),
    ],
  },
  {
    id: "session-1",
    title: "output of both streams comes while the code runs",
    needs: ["sync_calls"],
    steps: [
      {
        kind: "run",
        code: "import sys, time\nprint('out')\nprint('begun', file=sys.stderr)\ntime.sleep(600)",
        stopAt: "begun\n",
        expect: { stdout: "out\n", stderr: "begun\n", error: { type: "RunInterruptedError" } },
      },
    ],
  },
  {
    id: "session-2",
    title: "100,000 characters of output arrive in order",
    steps: [
      running("for n in range(10_000): print(f'{n:09d}')", {
        stdout: Array.from({ length: 10_000 }, (_, n) => `${String(n).padStart(9, "0")}\n`).join(""),
      }),
    ],
  },
  {
    id: "session-3",
    title: "reset forgets variables and modules, and keeps files",
    steps: [
      running("gone = 1\nopen('kept.txt', 'w').write('kept')", { value: 4 }),
      { kind: "reset" },
      running("['gone' in globals(), open('kept.txt').read()]", { value: [false, "kept"] }),
    ],
  },
  {
    id: "session-4",
    title: "the standard library of the engine's interpreter works: json, re, sqlite-free csv, decimal, random, time",
    steps: [
      running(
        [
          "import csv, decimal, io, json, random, re, time, zoneinfo, hashlib",
          "before = time.monotonic()",
          "rows = list(csv.reader(io.StringIO('a,b\\n1,2\\n')))",
          "digest = hashlib.sha256(b'x').hexdigest()[:8]",
          "[json.loads('[1]'), rows, str(decimal.Decimal('0.1') + decimal.Decimal('0.2')), digest,",
          " 0 <= random.random() < 1, time.monotonic() >= before]",
        ].join("\n"),
        {
          value: [
            [1],
            [
              ["a", "b"],
              ["1", "2"],
            ],
            "0.3",
            "2d711642",
            true,
            true,
          ],
        },
      ),
    ],
  },
];

/** What data cannot say: more than one session, and the page around it. */
export const pageCases: readonly PageCase[] = [
  {
    id: "page-1",
    title: "an interrupt while nothing runs does not end the next run",
    run: async (open) => {
      const session = await open();
      try {
        session.interrupt();
        const { value } = await session.run("sum(range(100_000))");
        return differ("the value", value, 4_999_950_000);
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "page-2",
    title: "runs queue up, each seeing what the one before left, and go on after one that failed",
    run: async (open) => {
      const session = await open();
      try {
        const results = await Promise.all([
          session.run("order = [1]"),
          session.run("1/0"),
          session.run("order.append(2); order"),
        ]);
        return [
          ...differ(
            "what went well",
            results.map(({ ok }) => ok),
            [true, false, true],
          ),
          ...differ("the last value", results[2].value, [1, 2]),
        ];
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "page-3",
    title: "two sessions compute at the same time, and one that loops holds nobody up",
    run: async (open) => {
      const [one, other] = await Promise.all([open(), open()]);
      try {
        const looping = one.run("print('begun')\nwhile True: pass", { timeout: 3000 });
        const { value } = await other.run("'answered'");
        const { error } = await looping;
        return [...differ("the value", value, "answered"), ...differ("the error", error?.code, "RUN_TIMEOUT")];
      } finally {
        await Promise.all([one.close(), other.close()]);
      }
    },
  },
  {
    id: "page-4",
    title: "files that the code writes are there for the page and for the next session on the storage",
    run: async (open) => {
      const storage = memoryStorage();
      const first = await open({ storage });
      await first.run("open('report.txt', 'w').write('written')");
      const onPage = new TextDecoder().decode(await first.workspace.read("report.txt"));
      await first.close();
      const second = await open({ storage });
      const { value } = await second.run("open('report.txt').read()");
      await second.close();
      return [...differ("the page's text", onPage, "written"), ...differ("the next session's", value, "written")];
    },
  },
  {
    id: "page-5",
    title: "when the embedding page removes the frame, the run ends with an error, and the next run works",
    run: async (open) => {
      const session = await open();
      if (session.capabilities?.host !== "sealed-frame") {
        await session.close();
        return [];
      }
      try {
        const frames = document.querySelectorAll('iframe[title="Vitrine executor"]');
        const { error } = await session.run("print('begun')\nwhile True: pass", {
          timeout: RUN,
          onOutput: () => {
            for (const frame of frames) frame.remove();
          },
        });
        const next = await session.run("1 + 1");
        return [...differ("the error", error?.code, "WORKER_LOST"), ...differ("the next value", next.value, 2)];
      } finally {
        await session.close();
      }
    },
  },
  {
    id: "page-6",
    title: "when the storage is deleted under a session, it runs on; what is stored fails and says what to do",
    needs: ["sync_calls"],
    run: async (open) => {
      const name = `suite-${String(Date.now())}`;
      const storage = indexedDBStorage(name);
      const session = await open({ storage, tools: engineTools(), onProblem: () => undefined });
      try {
        await session.run("kept = 1\nartifacts.save('note.txt', 'text')");
        await deleteDatabase(name);
        const saving = await session.run("artifacts.save('other.txt', 'text')");
        const next = await session.run("kept + tools.identity(value=1)");
        const writing = await session.run("open('/workspace/new.txt', 'w').write('text')");
        return [
          ...differ("the error of saving", saving.error?.pythonType, "StorageBlockedError"),
          ...[String(saving.error), ...next.notices, ...writing.notices].flatMap(saysWhatToDo),
          ...differ("the next value", next.value, 2),
          ...differ("the notices", [next.notices.length, writing.notices.length], [1, 2]),
        ];
      } finally {
        await session.close();
        storage.close();
      }
    },
  },
  {
    id: "page-7",
    title: "records of a form that this release does not know are reported, left as they are, and spoil no others",
    run: async (open) => {
      const storage = memoryStorage();
      const first = await open({ storage });
      await first.skills.create({ name: "known", source: "def run(): return 1" });
      await first.close();
      const newer = new TextEncoder().encode('{"format": 99, "body": "of a release to come"}');
      const keys: string[] = [];
      for await (const key of storage.keys("")) keys.push(key);
      const foreign = ["skills/", "artifacts/", "workspace/", "deps/"].map((prefix) => `${prefix}from-the-future`);
      await storage.write(new Map(foreign.map((key) => [key, newer])));
      const second = await open({ storage, onProblem: () => undefined });
      try {
        const { value } = await second.run("1 + 1");
        const names = (await second.skills.list()).skills.map(({ name }) => name);
        const kept = await Promise.all(foreign.map(async (key) => (await storage.get(key))?.length));
        const after = new Set<string>();
        for await (const key of storage.keys("")) after.add(key);
        return [
          ...differ("the value", value, 2),
          ...differ("the skills", names.includes("known"), true),
          ...differ(
            "the records",
            kept,
            foreign.map(() => newer.length),
          ),
          ...keys.filter((key) => !after.has(key)).map((key) => `${key} is gone`),
        ];
      } finally {
        await second.close();
      }
    },
  },
];

function saysWhatToDo(text: string): string[] {
  const says = text.includes("was deleted while it was in use") && text.includes("Reload the page");
  return says ? [] : [`it says ${text}`];
}
