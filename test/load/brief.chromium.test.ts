import { isBrief, loadSuite } from "./load-suite.js";

await loadSuite("chromium", { isWanted: isBrief, hasTwins: false });
