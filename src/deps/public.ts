export { DepsFullError, DepSpecError, DepUnavailableError, RuntimeDepsDisabledError } from "./errors.js";
