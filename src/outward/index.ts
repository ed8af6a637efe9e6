export * from "./public.js";
export { clientTools, type ClientTool } from "./client-tools.js";
export { RunPythonInput } from "./run-python.js";
