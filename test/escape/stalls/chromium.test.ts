import { stallSuite } from "../stall-suite.js";

await stallSuite("chromium");
