import { expect, test } from "@playwright/test";

import { json, startScriptedServer } from "../servers/scripted-server.js";
import { addTool, openDemo, runInConsole, waitUntilReady } from "./demo.js";

test("a tool uses a secret of the settings, which Python never sees, and allowed hosts hold it", async ({ page }) => {
  const server = await startScriptedServer();
  const keys: (string | undefined)[] = [];
  server.answerWith((request, response) => {
    const key = request.headers.authorization;
    keys.push(key);
    json(response, { echo: key ?? "" }, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" });
  });
  await openDemo(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("textbox", { name: "Name of the secret" }).fill("SHOP_KEY");
  await dialog.getByLabel("Its value").fill("s3cret-value");
  await dialog.getByRole("button", { name: "Add the secret" }).click();
  await expect(dialog.getByRole("button", { name: "Remove the secret SHOP_KEY" })).toBeVisible();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await addTool(
    page,
    `name: shop\ntype: http\nbase_url: ${server.origin}\nauth: { type: bearer, token: "\${SHOP_KEY}" }\nrecipes:\n  look: { path: /look }\n`,
  );

  const entry = await runInConsole(page, "tools.shop.look()");
  expect(keys.filter((key) => key !== undefined)).toEqual(["Bearer s3cret-value"]);
  await expect(entry).not.toContainText("s3cret-value");

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Allowed hosts" }).fill("api.example.org");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/^Ready in/)).toBeVisible();
  await expect(await runInConsole(page, "tools.shop.look()")).toContainText("127.0.0.1");
  expect(keys.filter((key) => key !== undefined)).toHaveLength(1);
  await server.close();
});

test("curl in the console's shell reaches the hosts that the settings allow, and none before", async ({ page }) => {
  const server = await startScriptedServer();
  server.answerWith((_, response) => {
    json(response, { stock: 42 }, { "access-control-allow-origin": "*" });
  });
  const asks = `!curl -sS ${server.origin}/stock`;
  await openDemo(page);

  await expect(await runInConsole(page, asks)).not.toContainText('"stock":42');
  expect(server.received).toEqual([]);

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("textbox", { name: "Allowed hosts" }).fill(`api.example.org, ${new URL(server.origin).host}`);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();
  await waitUntilReady(page);

  await expect(await runInConsole(page, asks)).toContainText('{"stock":42}');
  expect(server.received.map(({ method, url }) => [method, url.pathname])).toEqual([["GET", "/stock"]]);
  await server.close();
});
