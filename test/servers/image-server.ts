import { crc32, deflateSync } from "node:zlib";

import { z } from "zod";

import { allowEveryPage, startLocalServer } from "./local-server.js";

const Order = z.looseObject({ model: z.string(), prompt: z.string(), size: z.string().optional() });

export interface ImageServer {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/**
 * Makes images of one colour, as OpenAI's API does: at `/v1/images/generations` for every page, at `/closed/v1/…` for none,
 * and at `/proxy?url=…` for every page again. The model `large` makes them twice as wide, `broken` cuts them off, `text`
 * makes none. `/orders` tells, and forgets, what was asked for.
 */
export async function startImageServer(): Promise<ImageServer> {
  const orders: unknown[] = [];
  const { origin, close } = await startLocalServer((request, response) => {
    const asked = new URL(request.url ?? "/", origin);
    const isProxied = asked.pathname === "/proxy";
    const { pathname } = isProxied ? new URL(asked.searchParams.get("url") ?? "", origin) : asked;
    if (isProxied || !pathname.startsWith("/closed/")) allowEveryPage(response);
    response.setHeader("content-type", "application/json");
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    if (pathname === "/orders") {
      response.end(JSON.stringify(orders.splice(0)));
      return;
    }
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const order = Order.parse(JSON.parse(Buffer.concat(pieces).toString()));
      orders.push(order);
      response.end(JSON.stringify({ data: [{ b64_json: imageFor(order).toString("base64") }] }));
    });
  });
  return { origin, close };
}

function imageFor({ model, size = "1024x1024" }: z.infer<typeof Order>): Buffer {
  const [width = 1, height = 1] = size.split("x").map(Number);
  if (model === "text") return Buffer.from("<html>no image</html>");
  const image = png(model === "large" ? width * 2 : width, height);
  return model === "broken" ? image.subarray(0, image.length - 20) : image;
}

/** Of one grey, eight bits a pixel. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}
