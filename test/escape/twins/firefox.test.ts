import { twinSuite } from "../twin-suite.js";

await twinSuite("firefox");
