import { sealedSuite } from "./sealed-suite.js";

await sealedSuite("webkitgtk");
