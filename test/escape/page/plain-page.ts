import { loadPyodide } from "pyodide";

import type { Attempt, Place } from "../attempts/index.js";
import type { Outcome } from "./frame-ring.js";

/** Runs the code on the page's own thread: what every attempt to deny service is shown with. */
export async function attemptOnPage(attempt: Attempt, place: Place): Promise<Outcome> {
  const code = attempt.code(place);
  if (attempt.language === "python") {
    const pyodide = await loadPyodide({ indexURL: `${location.origin}/pyodide/` });
    pyodide.runPython(code);
  } else {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
  }
  return { gained: true, text: "it ended" };
}
