export { checkingStubs } from "./checking-stubs.js";
export { codexStubs } from "./codex-stubs.js";
export { oneLine } from "./docstring.js";
export { callableStub, callableTypes, toolStubs } from "./tool-stubs.js";
export { className, TypeWriter, typeOfName } from "./type-writer.js";
