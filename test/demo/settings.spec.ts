import { expect, test, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { openDemo, runTask, useModel, waitUntilReady } from "./demo.js";

let server: ModelServer;
test.beforeAll(async () => {
  server = await startModelServer();
});
test.afterAll(async () => {
  await server.close();
});

const KEY = "sk-test-0123456789";

test("an OpenAI-compatible server answers, and the recorded model can be had back", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(), key: KEY });
  await expect(page.getByRole("button", { name: /Model: test-model/ })).toBeVisible();

  const card = await runTask(page, "Add two and three");
  await expect(card.locator(".answer")).toContainText("5");
  await expect(card.locator(".meta")).toContainText("test-model");
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("radio", { name: /Recorded/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /Model: recorded/ })).toBeVisible();
});

test("a model that takes images is shown what its code draws", async ({ page }) => {
  const drawn = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const draws = `class Picture:\n    def _repr_png_(self): return bytes([${drawn.join(", ")}])\ndisplay(Picture())`;
  const replies = [draws, "final_answer('seen')"].map((code) => `\`\`\`python\n${code}\n\`\`\``);
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(dictatedScenario(replies)), key: KEY });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("checkbox", { name: /The model takes images/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();

  const card = await runTask(page, "Draw");

  await expect(card.locator(".answer")).toContainText("seen");
  expect(JSON.stringify(server.requests.at(-1)?.json)).toContain(`data:image/png;base64,${drawn.toString("base64")}`);
});

test("presets fill in address and model", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("radio", { name: /OpenAI-compatible/ }).check();

  for (const [name, url] of [
    ["OpenAI", "https://api.openai.com/v1"],
    ["OpenRouter", "https://openrouter.ai/api/v1"],
    ["Ollama", "http://localhost:11434/v1"],
    ["LM Studio", "http://localhost:1234/v1"],
  ] as const) {
    await dialog.getByRole("button", { name, exact: true }).click();
    await expect(dialog.getByRole("textbox", { name: "Base URL" })).toHaveValue(url);
    await expect(dialog.getByRole("textbox", { name: "Model", exact: true })).not.toHaveValue("");
  }
});

test("the key is gone after a reload, unless the user asked to keep it; the rest stays", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL(), key: KEY });
  await runTask(page, "Add two and three");
  expect(await storedText(page)).not.toContain(KEY);

  await page.reload();
  await waitUntilReady(page);
  await expect(page.getByRole("button", { name: /Model: test-model/ })).toBeVisible();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue("");
  await page.keyboard.press("Escape");

  await useModel(page, { baseURL: server.baseURL(), key: KEY, keepKey: true });
  await page.reload();
  await waitUntilReady(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue(KEY);
  expect(await databaseText(page)).not.toContain(KEY);
});

for (const [scenario, text] of [
  ["unauthorized", "401"],
  ["used-up", "429"],
  ["broken", "500"],
  ["nonsense", "not a reply of the OpenAI protocol"],
] as const) {
  test(`a model that answers "${scenario}" is named as the cause, with the settings at hand`, async ({ page }) => {
    await openDemo(page);
    await useModel(page, { baseURL: server.baseURL(scenario), key: KEY });

    const card = await runTask(page, "Add two and three");

    await expect(card.getByRole("group")).toContainText(text);
    await expect(card.getByRole("group")).not.toContainText(KEY);
    await card.getByRole("button", { name: "Settings" }).click();
    await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
  });
}

test("a model that asks for time is waited for, which the page says, and the wait can be stopped", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL("rate-limited"), key: KEY });
  await page.getByRole("textbox", { name: "Task" }).fill("Add two and three");
  await page.keyboard.press("Enter");
  const card = page.locator(".task-card");

  await expect(card.locator(".notice")).toContainText("It is asked again in 20 s.");
  await expect(card).not.toContainText(KEY);
  await card.getByRole("button", { name: "Stop" }).click();
  await expect(card.locator(".ending")).toHaveText("Stopped. What was done until then stays.");
});

test("a server that needs a key is refused without one, and a task whose key a reload took away says so", async ({
  page,
}) => {
  let asked = 0;
  await page.route("https://api.openai.com/**", (route) => {
    asked += 1;
    return route.abort();
  });
  await openDemo(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("radio", { name: /OpenAI-compatible/ }).check();
  await dialog.getByRole("button", { name: "OpenAI", exact: true }).click();

  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("OpenAI needs a key, and none is set.");
  await expect(dialog.getByLabel("Key", { exact: true })).toBeFocused();
  await dialog.getByLabel("Key", { exact: true }).fill(KEY);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();

  await page.reload();
  await waitUntilReady(page);
  const card = await runTask(page, "Add two and three");
  await expect(card.locator(".failure")).toContainText("OpenAI needs a key, and none is set.");
  expect(asked).toBe(0);
  await expect(card.getByRole("button", { name: "Settings" })).toBeVisible();
});

test("a server that cannot be reached is said once, however often it was asked", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: "http://127.0.0.1:9/v1" });

  const card = await runTask(page, "Add two and three");

  await expect(card.locator(".failure")).toContainText("No answer from");
  await expect(card.getByText("No answer from")).toHaveCount(1);
});

test("settings that cannot make a request are refused at their field", async ({ page }) => {
  await openDemo(page);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("radio", { name: /OpenAI-compatible/ }).check();
  await dialog.getByRole("textbox", { name: "Base URL" }).fill("http://localhost:1/v1");

  await dialog.getByRole("button", { name: "Save" }).click();

  await expect(dialog.getByRole("alert")).toContainText("model");
  await expect(dialog.getByRole("textbox", { name: "Model", exact: true })).toHaveAttribute("aria-invalid", "true");
});

test("what a model of one's own said can be replayed and downloaded", async ({ page }) => {
  await openDemo(page);
  await useModel(page, { baseURL: server.baseURL() });
  const card = await runTask(page, "Add two and three");

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("button", { name: "Download the recording" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("add-two-and-three.yaml");
  await card.getByRole("button", { name: "Replay it from now on" }).click();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("radio", { name: /Recorded/ }).check();
  await page.getByRole("button", { name: "Save" }).click();

  const replay = await runTask(page, "Add two and three");
  await expect(replay.locator(".answer")).toContainText("5");
  await expect(replay.locator(".meta")).toContainText("recording of test-model");
});

/** Everything that the page keeps on the device. */
async function storedText(page: Page): Promise<string> {
  const local = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  return local + (await databaseText(page));
}

async function databaseText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(name));
      });
      for (const store of database.objectStoreNames) {
        const values = await new Promise<unknown[]>((resolve) => {
          const request = database.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result as unknown[]);
        });
        const bytes = values.filter((value) => value instanceof Uint8Array);
        texts.push(...bytes.map((value) => new TextDecoder().decode(value)));
      }
      database.close();
    }
    return texts.join("\n");
  });
}
