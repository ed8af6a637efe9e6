import { z } from "zod";

// Zod's compiled parsers need `new Function`, whose refusal would look like a policy's verdict on us. A schema looks for it
// when it is made, so those that are made first take `z` from here.
z.config({ jitless: true });

export { z };
