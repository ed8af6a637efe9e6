import { loadSuite } from "../load-suite.js";

await loadSuite("webkitgtk");
