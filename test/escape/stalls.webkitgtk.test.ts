import { isBrief, stallSuite } from "./stall-suite.js";

await stallSuite("webkitgtk", isBrief);
