import "../../../src/ui/styles/index.css";

import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";

import { UnpackDialog } from "../../../src/ui/components/files/unpack-dialog.js";

afterEach(() => {
  document.body.replaceChildren();
});

test("a dialog that is opened again as soon as it was closed keeps what it shows now", async () => {
  const dialog = new UnpackDialog();
  document.body.append(dialog);
  void dialog.open(new File(["no"], "first.zip"));
  await expect.element(page.getByRole("alert")).toHaveTextContent("This is no zip archive, or it is damaged.");
  const closed = new Promise((resolve) => {
    document.querySelector("dialog")?.addEventListener("close", resolve);
  });

  document.querySelector("dialog")?.close();
  void dialog.open(new File(["no"], "second.zip"));
  await closed;

  await expect.element(page.getByRole("dialog", { name: "Unpack second.zip" })).toBeVisible();
  await expect.element(page.getByRole("alert")).toHaveTextContent("This is no zip archive, or it is damaged.");
});
