import { expect, test, type Locator, type Page } from "@playwright/test";

import { startStatefulServer } from "../servers/mcp/stateful-server.js";
import { json, startScriptedServer } from "../servers/scripted-server.js";
import { openDemo, runInConsole, showTab, waitUntilReady } from "./demo.js";

async function openDialog(page: Page): Promise<Locator> {
  const panel = await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Add a tool" }).click();
  return page.getByRole("dialog", { name: "Add a tool" });
}

async function addByAddress(
  page: Page,
  { kind, name, url }: Record<"kind" | "name" | "url", string>,
): Promise<Locator> {
  const dialog = await openDialog(page);
  await dialog.getByRole("radio", { name: kind }).check();
  await dialog.getByRole("textbox", { name: "Name in Python" }).fill(name);
  await dialog.getByRole("textbox", { name: "Address" }).fill(url);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  return dialog;
}

test("an MCP server is plugged in by its address, called from Python, kept over a reload, and removed", async ({
  page,
}) => {
  const server = await startStatefulServer();
  await openDemo(page);

  const dialog = await addByAddress(page, { kind: "MCP server", name: "greeter", url: `${server.origin}/mcp` });
  await expect(dialog).toBeHidden();
  const panel = page.getByRole("tabpanel");
  await expect(panel.getByRole("heading", { name: "tools.greeter" })).toBeVisible();
  await expect(panel.getByText("hello()")).toBeVisible();
  await expect(await runInConsole(page, "tools.greeter.hello()")).toContainText("hello from");

  await page.reload();
  await waitUntilReady(page);
  await expect(await runInConsole(page, "tools.greeter.hello()")).toContainText("hello from");

  page.on("dialog", (question) => void question.accept());
  await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Remove the tool greeter" }).click();
  await expect(panel.getByRole("heading", { name: "tools.greeter" })).toHaveCount(0);
  await expect(await runInConsole(page, "tools.greeter.hello()")).toContainText("Unknown tool: greeter");
  await server.close();
});

test("an OpenAPI document becomes a namespace, and the dialog says how far it has come", async ({ page }) => {
  const server = await startScriptedServer();
  const anyPage = { "access-control-allow-origin": "*" };
  let send: (() => void) | undefined;
  server.answerWith(({ url }, response) => {
    if (url.pathname !== "/openapi.json") {
      json(response, { title: "Emma", id: url.pathname }, anyPage);
      return;
    }
    const parameters = [{ name: "id", in: "path", required: true, schema: { type: "integer" } }];
    const paths = { "/books/{id}": { get: { operationId: "getBook", summary: "One book", parameters } } };
    const document = { openapi: "3.1.0", info: { title: "Books", version: "1" }, servers: [{ url: "/" }], paths };
    send = () => {
      json(response, document, anyPage);
    };
  });
  await openDemo(page);

  const url = `${server.origin}/openapi.json`;
  const dialog = await addByAddress(page, { kind: "OpenAPI document", name: "library", url });
  await expect(dialog.getByRole("status")).toHaveText("Fetching the document …");
  await expect.poll(() => send).toBeDefined();
  send?.();
  await expect(dialog).toBeHidden();

  await expect(page.getByRole("tabpanel").getByText("One book")).toBeVisible();
  await expect(await runInConsole(page, "tools.library.getBook(id=7)")).toContainText("'/books/7'");
  await server.close();
});

test("what cannot be reached, and a file that is none, is said in the dialog, and nothing is added", async ({
  page,
}) => {
  const server = await startScriptedServer();
  const { origin } = server;
  await server.close();
  await openDemo(page);

  const dialog = await addByAddress(page, { kind: "MCP server", name: "nobody", url: `${origin}/mcp` });
  await expect(dialog.getByRole("alert")).toContainText("nobody");
  await expect(dialog.getByRole("textbox", { name: "Address" })).toHaveValue(`${origin}/mcp`);

  await dialog.getByRole("radio", { name: "Tool file" }).check();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByRole("textbox", { name: "YAML" }).fill("name: broken\ntype: http\nbase_url: ./data\nrecipes: 3\n");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("the tool file:4");

  await dialog
    .getByRole("textbox", { name: "YAML" })
    .fill("name: local\ntype: mcp\ntransport: stdio\ncommand: uvx\nargs: [a-server]\n");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("a program, which a page cannot start");

  await dialog.getByRole("button", { name: "Cancel" }).click();
  const panel = await showTab(page, "Tools");
  await expect(panel.getByRole("heading", { name: "tools.catalog" })).toBeVisible();
  await expect(panel.getByRole("heading", { name: /nobody|broken|local/ })).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Remove the tool catalog" })).toHaveCount(0);
});

test("Cancel takes back a tool whose server does not answer; its name is free at once, and shown as Python writes it", async ({
  page,
}) => {
  const mute = await startScriptedServer();
  mute.answerWith(() => undefined);
  const server = await startStatefulServer();
  await openDemo(page);

  const dialog = await addByAddress(page, { kind: "MCP server", name: "my-greeter", url: `${mute.origin}/mcp` });
  await expect(dialog.getByRole("status")).toContainText("Asking");
  await expect(dialog.getByRole("button", { name: "Add", exact: true })).toBeFocused();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();

  const again = await addByAddress(page, { kind: "MCP server", name: "my-greeter", url: `${server.origin}/mcp` });
  await expect(again).toBeHidden();
  await expect(page.getByRole("tabpanel").getByRole("heading", { name: "tools.my_greeter" })).toBeVisible();
  await expect(await runInConsole(page, "tools.my_greeter.hello()")).toContainText("hello from");

  page.on("dialog", (question) => void question.accept());
  const panel = await showTab(page, "Tools");
  await panel.getByRole("button", { name: "Remove the tool my-greeter" }).click();
  await expect(panel.getByRole("button", { name: "Add a tool" })).toBeFocused();
  await expect(panel.getByRole("heading", { name: "tools.my_greeter" })).toHaveCount(0);
  await Promise.all([mute.close(), server.close()]);
});
