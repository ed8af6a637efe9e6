import { loadBarePyodide } from "./sides/bare-pyodide.js";

const pyodide = await loadBarePyodide();
onmessage = ({ data }: MessageEvent<string>) => {
  postMessage(pyodide.runPython(data));
};
postMessage("ready");
