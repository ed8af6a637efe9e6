import { indexedDBStorage } from "../storage/index.js";
import { DemoPage } from "./components/page/demo-page.js";
import { AppState } from "./state/app-state.js";
import { pythonInFragment } from "./state/text/python-link.js";
import "./styles/index.css";
import { shippedSeeds, shippedTasks } from "./tasks/index.js";

const app = new AppState({
  openStorage: () => indexedDBStorage("vitrine-demo"),
  seeds: shippedSeeds,
  shipped: shippedTasks,
  keyValueStore: () => localStorage,
  fetchFile,
  serverAuth: async (...server) => (await import("./components/questions/server-auth.js")).serverAuth(...server),
});

const page = new DemoPage();
page.app = app;
document.querySelector("#app")?.replaceWith(page);
void app.start();
void offerLinkedPython();

/** Code that the address carries, as a cell of a documentation page links here, is never run unasked. */
async function offerLinkedPython(): Promise<void> {
  const code = pythonInFragment(location.hash);
  if (code === null) return;
  await page.offerPython(code);
  // A reload does not bring it again, over what was written meanwhile.
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
}

async function fetchFile(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(url, document.baseURI));
  if (!response.ok)
    throw new Error(`The file ${url} of this task did not load: the server answered ${String(response.status)}.`);
  return new Uint8Array(await response.arrayBuffer());
}
