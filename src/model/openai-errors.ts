import { APIConnectionError, APIError } from "openai";
import { z } from "zod";

import { jsonIn } from "../protocol/index.js";
import { ModelError, ModelResponseError, ModelToolsError, ModelUnreachableError, type ModelAddress } from "./errors.js";
import { ServerFaults, textOf, type ServerFault } from "./server-faults.js";

/** Turns what the SDK throws, and what servers report inside a stream, into errors that say whose fault it is. */
export class FaultReader {
  readonly #address: ModelAddress;
  readonly #faults: ServerFaults;

  constructor(address: ModelAddress, apiKey: string) {
    this.#address = address;
    this.#faults = new ServerFaults(address, apiKey);
  }

  /** Undefined where no server said anything: a broken connection, a bug. */
  read(error: unknown): ServerFault | undefined {
    if (!isApiError(error) || error instanceof APIConnectionError) return undefined;
    const { status, headers } = error;
    return this.#faults.read({ status: status ?? null, text: serverText(error), detail: error.error, headers });
  }

  /** An error that stands in a chunk of the stream. */
  readStreamed(detail: unknown): ServerFault {
    const text = textOf(detail) ?? JSON.stringify(detail);
    return this.#faults.read({ status: null, text, detail, headers: undefined });
  }

  /** `received` counts the characters of the reply that came before. */
  translate(error: unknown, received: number): ModelError {
    if (error instanceof ModelError) return error;
    if (error instanceof APIConnectionError) {
      if (error.cause instanceof ModelError) return error.cause;
      return new ModelUnreachableError(this.#address, { reason: this.#reason(error.cause), received });
    }
    const fault = this.read(error);
    if (fault !== undefined) return this.translateFault(fault);
    if (error instanceof SyntaxError) return new ModelResponseError(this.#address, "a chunk of the stream is not JSON");
    return new ModelUnreachableError(this.#address, { reason: this.#reason(error), received });
  }

  translateFault(fault: ServerFault): ModelError {
    return this.#faults.translate(fault);
  }

  /** For a server that refuses the tools of a request. */
  withoutTools({ text }: ServerFault): ModelToolsError {
    return new ModelToolsError(this.#address, { reason: this.#faults.shorten(text) });
  }

  /** For a person: one line, without the key. */
  shorten({ text }: ServerFault): string {
    return this.#faults.shorten(text);
  }

  #reason(error: unknown): string {
    return error instanceof Error ? this.#faults.shorten(error.message) : "";
  }
}

/** The SDK reads the reason from `error` alone; some servers put it into `detail` or `message`. */
export async function withErrorField(response: Response): Promise<Response> {
  const text = await response.text();
  const body = z.looseObject({ error: z.undefined().optional() }).safeParse(jsonIn(text));
  return new Response(body.success ? JSON.stringify({ error: body.data }) : text, response);
}

// `instanceof` alone makes its type parameters `any`.
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

/** What the server itself wrote. */
function serverText({ error, message, status }: APIError): string {
  const text = textOf(error);
  if (text !== undefined) return text;
  if (message.includes("status code (no body)")) return "";
  return status === undefined ? message : message.replace(String(status), "");
}
