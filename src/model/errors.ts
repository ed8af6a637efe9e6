import { shortenUnits, VitrineError } from "../protocol/index.js";

/** Which model did not answer as it should, and where it was asked. Neither carries a secret. */
export interface ModelAddress {
  readonly model: string;
  /** Address of the server, without query and credentials. */
  readonly server: string;
}

/** Any failure of a model. Whatever the agent did before it is kept, and so is the part of the reply that came before it. */
export abstract class ModelError extends VitrineError {
  /** Whether the same request may go well a little later. A model itself asks once; asking again is for its caller. */
  readonly isRetryable: boolean = false;
  /** Milliseconds the server asks to wait; null when it does not say, or the page may not read it. */
  readonly retryAfter: number | null = null;
}

/** The settings cannot make a client. Nothing was sent. */
export class ModelSettingsError extends ModelError {
  override readonly name = "ModelSettingsError";
  readonly code = "MODEL_SETTINGS";

  constructor(
    readonly field: "baseURL" | "apiKey" | "model",
    problem: string,
  ) {
    super(`The model's ${field} cannot be used: ${problem}. Correct it in the settings.`);
  }
}

/** The OpenAI client, a part of Vitrine that is loaded on first use, did not load. Nothing was sent. */
export class ModelClientError extends ModelError {
  override readonly name = "ModelClientError";
  readonly code = "MODEL_CLIENT";

  constructor(reason: string) {
    super(
      `The part of this site that talks to model servers could not be loaded (${reason}). Reload the page and try again.`,
    );
  }
}

/** An error that a server answered, or failed to. */
abstract class ModelServiceError extends ModelError {
  readonly model: string;
  readonly server: string;

  constructor(address: ModelAddress, message: string) {
    super(message);
    this.model = address.model;
    this.server = address.server;
  }
}

/** 401 or 403: the key is missing, wrong, or not allowed to use the model. */
export class ModelAuthError extends ModelServiceError {
  override readonly name = "ModelAuthError";
  readonly code = "MODEL_AUTH";
  readonly status: number;

  constructor(address: ModelAddress, { status, reason, hasKey }: { status: number; reason: string; hasKey: boolean }) {
    const problem = !hasKey
      ? "wants an API key, and none is set"
      : status === 403
        ? `does not let this API key use the model "${address.model}"`
        : "refused the API key";
    const remedy = hasKey
      ? "Check in the settings that the key is complete and belongs to this server"
      : "Enter one in the settings";
    super(address, `${address.server} ${problem} (${answered(status, reason)}). ${remedy}.`);
    this.status = status;
  }
}

/** 429: too many requests. */
export class ModelRateLimitError extends ModelServiceError {
  override readonly name = "ModelRateLimitError";
  readonly code = "MODEL_RATE_LIMIT";
  override readonly isRetryable = true;
  override readonly retryAfter: number | null;

  constructor(address: ModelAddress, { reason, retryAfter }: { reason: string; retryAfter: number | null }) {
    const wait = retryAfter === null ? "Wait a little" : `Wait ${String(Math.ceil(retryAfter / 1000))} seconds`;
    super(
      address,
      `${address.server} takes no more requests for "${address.model}" now (${answered(429, reason)}). ` +
        `${wait} and try again; if it stays, look at the account's limits or choose another model.`,
    );
    this.retryAfter = retryAfter;
  }
}

/** 402, or a 429 that no waiting mends: the account has nothing left to spend. */
export class ModelQuotaError extends ModelServiceError {
  override readonly name = "ModelQuotaError";
  readonly code = "MODEL_QUOTA";
  /** Null for an error inside a stream that names no status. */
  readonly status: number | null;

  constructor(address: ModelAddress, { status, reason }: { status: number | null; reason: string }) {
    super(
      address,
      `The account at ${address.server} is used up (${answered(status, reason)}). ` +
        "Look at its plan and balance there, or choose another model.",
    );
    this.status = status;
  }
}

/** The conversation, or the reply it asks for, is longer than the model can take in. A shorter one may go well. */
export class ModelContextError extends ModelServiceError {
  override readonly name = "ModelContextError";
  readonly code = "MODEL_CONTEXT_TOO_LONG";
  /** Tokens that fit; null when the server does not say. */
  readonly limit: number | null;
  /** Tokens that were asked of it, as the server counts; null when it does not say. */
  readonly requested: number | null;

  constructor(
    address: ModelAddress,
    { reason, limit, requested }: { reason: string; limit: number | null; requested: number | null },
  ) {
    const size = requested === null ? "" : ` of ${String(requested)} tokens`;
    const fits = limit === null ? "" : `; it takes ${String(limit)}`;
    super(
      address,
      `The conversation${size} is too long for "${address.model}"${fits} (${answered(null, reason)}). ` +
        "Shorten it, or choose a model with a larger context.",
    );
    this.limit = limit;
    this.requested = requested;
  }
}

/** The model, or the way its server runs it, knows no tool calls. Asked without `tools` it may answer. */
export class ModelToolsError extends ModelServiceError {
  override readonly name = "ModelToolsError";
  readonly code = "MODEL_TOOLS_UNSUPPORTED";

  constructor(address: ModelAddress, { reason }: { reason: string }) {
    super(
      address,
      `"${address.model}" at ${address.server} takes no tools (${answered(null, reason)}). ` +
        "Ask it without native tool calls, or choose another model.",
    );
  }
}

/** 5xx, or an error that the server reported in the middle of a reply. */
export class ModelServerError extends ModelServiceError {
  override readonly name = "ModelServerError";
  readonly code = "MODEL_SERVER";
  override readonly isRetryable = true;
  override readonly retryAfter: number | null;
  /** Null for an error inside a stream that names no status. */
  readonly status: number | null;

  constructor(
    address: ModelAddress,
    { status, reason, retryAfter = null }: { status: number | null; reason: string; retryAfter?: number | null },
  ) {
    super(
      address,
      `${address.server} failed while answering for "${address.model}" (${answered(status, reason)}). ` +
        "Try again later, or choose another model.",
    );
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Any other 4xx: the server understood, and will not do it. An unknown model is the usual reason. */
export class ModelRequestError extends ModelServiceError {
  override readonly name = "ModelRequestError";
  readonly code = "MODEL_REQUEST";
  /** Only for the 4xx that speak of the moment: 408, 409 and 425. */
  override readonly isRetryable: boolean;
  override readonly retryAfter: number | null;
  readonly status: number;

  constructor(
    address: ModelAddress,
    { status, reason, retryAfter = null }: { status: number; reason: string; retryAfter?: number | null },
  ) {
    const isRetryable = [408, 409, 425].includes(status);
    const remedy = isRetryable
      ? "Try again"
      : status === 404
        ? `Check in the settings that the base URL is right (it usually ends in /v1) and that the server has a model "${address.model}"`
        : "Check the model and the base URL in the settings";
    super(
      address,
      `${address.server} refused the request for "${address.model}" (${answered(status, reason)}). ${remedy}.`,
    );
    this.status = status;
    this.isRetryable = isRetryable;
    this.retryAfter = retryAfter;
  }
}

/** No answer, or the connection broke. A page cannot tell a dead server from one that CORS keeps from it. */
export class ModelUnreachableError extends ModelServiceError {
  override readonly name = "ModelUnreachableError";
  readonly code = "MODEL_UNREACHABLE";
  override readonly isRetryable = true;
  /** Characters of the reply that came before the connection broke; 0 when there never was one. */
  readonly received: number;

  constructor(address: ModelAddress, { reason, received }: { reason: string; received: number }) {
    const why = reason === "" ? "" : ` (${reason})`;
    super(
      address,
      received > 0
        ? `The connection to ${address.server} broke after ${String(received)} characters of the reply${why}. ` +
            "Check the connection and the server, then try again."
        : `No answer from ${address.server}${why}. Either nothing can be reached there, or the server does not let pages of ` +
            "this origin ask it (CORS). Check that the address is right and the server runs; if it does, allow this " +
            "page's origin there (Ollama: OLLAMA_ORIGINS, LM Studio: Enable CORS).",
    );
    this.received = received;
  }
}

/** The server accepted the request and then said nothing for too long. */
export class ModelTimeoutError extends ModelServiceError {
  override readonly name = "ModelTimeoutError";
  readonly code = "MODEL_TIMEOUT";
  override readonly isRetryable = true;
  /** Milliseconds without a sign of life. */
  readonly limit: number;

  constructor(address: ModelAddress, { limit, received }: { limit: number; received: number }) {
    const when = received > 0 ? ` after ${String(received)} characters of the reply` : "";
    super(
      address,
      `${address.server} sent nothing for ${String(limit / 1000)} seconds${when}. ` +
        `Try again, choose a faster model than "${address.model}", or raise the model's timeout.`,
    );
    this.limit = limit;
  }
}

/** The server answered something that is no reply: no stream, a malformed chunk, a reply without an end or far too long. */
export class ModelResponseError extends ModelServiceError {
  override readonly name = "ModelResponseError";
  readonly code = "MODEL_RESPONSE";
  /** A stream that broke may be whole the next time; a web page in its place stays one. */
  override readonly isRetryable: boolean;

  constructor(
    address: ModelAddress,
    problem: string,
    {
      isRetryable = true,
      isElsewhere = false,
    }: {
      readonly isRetryable?: boolean;
      /** What came is of no such server, so that the address is to be doubted. */
      readonly isElsewhere?: boolean;
    } = {},
  ) {
    const remedy = isRetryable
      ? "Try again; if it stays, choose another model or server"
      : "Ask for a shorter reply, or choose another model or server";
    super(
      address,
      isElsewhere
        ? `${address.server} answered something that is not a reply of the OpenAI protocol: ${problem}. ` +
            "Check that the base URL in the settings is the API's (it usually ends in /v1), then try again."
        : `${address.server} sent a reply that cannot be used: ${problem}. ${remedy}.`,
    );
    this.isRetryable = isRetryable;
  }
}

/**
 * The model declined what it was asked. It said so in a whole reply, which is paid for; a model itself ends such a one with
 * the reason `refusal`, and whoever asked it for something throws this.
 */
export class ModelRefusedError extends ModelError {
  override readonly name = "ModelRefusedError";
  readonly code = "MODEL_REFUSED";

  constructor(
    readonly model: string,
    /** What it said. */
    readonly reply: string,
  ) {
    const words = shortenUnits(reply.trim(), LONGEST_QUOTE);
    super(
      `"${model}" declined what it was asked${words === "" ? "" : ` ("${words}")`}. ` +
        "Say in other words what is wanted, or choose another model.",
    );
  }
}

/** Characters of what a model says that an error repeats. */
const LONGEST_QUOTE = 300;

function answered(status: number | null, reason: string): string {
  if (status === null) return reason === "" ? "it gave no reason" : `it says: ${reason}`;
  return reason === "" ? String(status) : `${String(status)}: ${reason}`;
}
