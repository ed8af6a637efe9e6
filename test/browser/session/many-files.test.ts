import { afterAll, expect, test } from "vitest";

import { indexedDBStorage, Session } from "../../../src/index.js";

const name = `many-files-${String(Date.now())}`;
const open = (): Promise<Session> => Session.open({ storage: indexedDBStorage(name), timeout: null });

afterAll(() => {
  indexedDB.deleteDatabase(name);
});

test("of more files than a workspace takes the first stay, and the run says what was not kept", async () => {
  const session = await open();
  const { error, notices } = await session.run(
    "for number in range(10_100):\n    with open(f'{number:05}.txt', 'w') as file:\n        file.write('x')",
  );
  const files = await session.workspace.list();

  expect(error).toBeNull();
  expect(files).toHaveLength(5000);
  expect(files.at(-1)?.path).toBe("04999.txt");
  expect(notices.join("\n")).toContain("100 more files were changed than are taken over after one run");
  expect(notices.join("\n")).toContain("the workspace may have 5,000 files. Delete some");
  expect(notices.at(-1)).toMatch(/^There are 4,9\d\d more such notices\.$/);

  const next = await session.run("import os\nfor number in range(9_000):\n    os.remove(f'{number:05}.txt')");
  expect(next.error).toBeNull();
  expect((await session.workspace.list()).map(({ path }) => path)).toContain("10099.txt");
  await session.close();

  const later = await open();
  expect((await later.run("import os\nlen(os.listdir())")).value).toBe((await later.workspace.list()).length);
  await later.close();
});
