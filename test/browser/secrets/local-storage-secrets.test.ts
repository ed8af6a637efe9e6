import { afterEach, beforeEach, expect, inject, test } from "vitest";

import { localStorageSecrets, memoryStorage, Session } from "../../../src/index.js";

const PREFIX = "secrets-test:";

function clear(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
beforeEach(clear);
afterEach(clear);

test("secrets are there for the next store of their prefix, and for no other", async () => {
  localStorage.setItem("not-a-secret", "the page's own");
  const store = localStorageSecrets(PREFIX);
  await store.set("KEY", "k3y-of-the-library");
  await store.set("PIN", "");

  const next = localStorageSecrets(PREFIX);
  const other = localStorageSecrets(`${PREFIX}other:`);

  expect(await next.get("KEY")).toBe("k3y-of-the-library");
  expect((await next.names()).toSorted()).toEqual(["KEY", "PIN"]);
  expect([await other.get("KEY"), await other.names()]).toEqual([undefined, []]);
  localStorage.removeItem("not-a-secret");
});

test("a secret that was deleted, or never set, is none; deleting it again does nothing", async () => {
  const store = localStorageSecrets(PREFIX);
  await store.set("KEY", "k3y-of-the-library");

  await store.delete("KEY");
  await store.delete("KEY");

  expect([await store.get("KEY"), await store.names()]).toEqual([undefined, []]);
});

test("a tool finds its secret there from the moment it is set, and says by name what is missing until then", async () => {
  const secrets = localStorageSecrets(PREFIX);
  const session = await Session.open({
    storage: memoryStorage(),
    trust: "sandboxed",
    secrets,
    seeds: [
      {
        file: "tools/library.yaml",
        text:
          `name: library\ntype: http\nbase_url: ${inject("toolServer")}/open\n` +
          'auth: {type: bearer, token: "${KEY}"}\nrecipes: {look: {path: echo}}\n',
      },
    ],
  });
  try {
    const missing = await session.run("tools.library.look()");
    await secrets.set("KEY", "k3y-of-the-library");
    const found = await session.run("tools.library.look()['headers']['authorization']");

    expect(missing.error).toMatchObject({ pythonType: "SecretNotFoundError" });
    expect(missing.error?.message).toContain("The secret KEY, which tool 'library' needs");
    expect(found.value).toBe("Bearer [secret KEY]");
  } finally {
    await session.close();
  }
});
