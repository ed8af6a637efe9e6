import { expect, test } from "vitest";

import { ServerLogins } from "../../../src/ui/state/session/server-logins.js";

test("the server that the user waits for may ask them, also where an earlier wait ends late", async () => {
  const logins = new ServerLogins();
  const end: ((value: string) => void)[] = [];
  const wait = (): Promise<string> => new Promise((resolve) => end.push(resolve));

  const cancelled = logins.during("shop", wait);
  const going = logins.during("shop", wait);
  end[0]?.("removed");
  await cancelled;
  expect([logins.isAwaited("shop"), logins.isAwaited("desk")]).toEqual([true, false]);

  end[1]?.("known");
  expect(await going).toBe("known");
  expect(logins.isAwaited("shop")).toBe(false);
});

test("a login is wanted until there is one or the tool is gone; a failure leaves it wanted", async () => {
  const logins = new ServerLogins();
  logins.want("shop");
  logins.want("desk");

  await expect(logins.during("shop", () => Promise.reject(new Error("cancelled")))).rejects.toThrow("cancelled");
  expect([...logins.wanted]).toEqual(["shop", "desk"]);

  await logins.during("shop", () => Promise.resolve());
  logins.forget("desk");
  expect([...logins.wanted]).toEqual([]);
});
