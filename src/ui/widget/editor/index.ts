export { openEditor } from "./open-editor.js";
