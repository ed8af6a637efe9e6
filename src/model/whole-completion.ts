import { z } from "zod";

import { jsonIn } from "../protocol/index.js";
import type { BodyListener } from "./watch-body.js";

/** Asked for a stream, some servers and proxies answer with the whole completion. What is not read is carried along. */
const Completion = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({}) })).min(1),
});
const Failure = z.looseObject({ error: z.union([z.string(), z.looseObject({})]) });

export function isJson(response: Response): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
}

/** The whole completion as a stream of one chunk. What is none stays as it came. */
export async function streamOfCompletion(response: Response, { done }: Pick<BodyListener, "done">): Promise<Response> {
  const text = await response.text();
  const parsed = z.union([Completion, Failure]).safeParse(jsonIn(text));
  if (!parsed.success) return new Response(text, response);
  const { data } = parsed;
  if ("error" in data) return new Response(eventOf(data), response);
  done();
  const { choices, ...rest } = data;
  return new Response(
    eventOf({ ...rest, choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: message })) }),
    response,
  );
}

function eventOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
