// What the file tools do, in one chunk that the first call of any of them loads.
export { listDir } from "./list-dir.js";
export { readFile } from "./read-file.js";
export { grepFiles } from "./search/grep-files.js";
export { shell, shellCommand } from "./shell.js";
export { viewImage } from "./view-image.js";
