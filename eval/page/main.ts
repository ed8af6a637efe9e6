import { runTask } from "./run-task.js";

declare global {
  // The runner asks it.
  var evaluation: { readonly runTask: typeof runTask };
}

globalThis.evaluation = { runTask };
