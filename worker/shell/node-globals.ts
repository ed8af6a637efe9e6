import { Buffer } from "buffer/";

// The shell's build for browsers still asks Node's Buffer for base64 and bytes, in `gunzip`, `base64 -d` and `curl -u`.
Object.assign(globalThis, { Buffer });
