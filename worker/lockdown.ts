/**
 * Takes from a worker's global scope everything that reaches the network, the
 * origin's storage, other contexts or devices: whatever is not on the list below,
 * own or inherited. For trust level `isolated`, after Pyodide is loaded and before
 * any code of the session.
 *
 * This is a ring and no wall. `import()` is syntax, no function that could be
 * removed: JavaScript that runs here can still load a script by its address,
 * which tells a server that it was asked. Only the page's Content Security Policy
 * or the sealed frame (`sandboxed`, where the browser itself is the wall) stops that.
 *
 * What Vitrine's own modules need of what goes away, they hold themselves.
 *
 * @throws {Error} when something cannot be taken away: then nothing must run here.
 */
export function lockDown(scope: object = globalThis): void {
  takeAway(scope, (name) => !HARMLESS.has(name));
}

/**
 * Takes away what a worker can keep the thread of its document busy with, by
 * messages, errors or more workers than it can serve. In the sealed frame this is
 * not the page's thread, but Chromium has one for the frames of all sessions. For
 * trust level `sandboxed`, before any code of the session.
 *
 * @throws {Error} when something cannot be taken away.
 */
export function quietenTowardsDocument(scope: EventTarget = globalThis): void {
  takeAway(scope, (name) => FLOODING.has(name));
  keepErrors(scope);
  rationBlobUrls();
  paceMessages();
}

/** Blob URLs that a worker may make in a second. WebKit registers each on the page's thread. */
const BLOB_URLS = 1000;

function rationBlobUrls(): void {
  const create = URL.createObjectURL.bind(URL);
  const now = performance.now.bind(performance);
  let since = now();
  let made = 0;
  URL.createObjectURL = (object) => {
    if (now() - since > 1000) {
      since = now();
      made = 0;
    }
    made += 1;
    if (made > BLOB_URLS) throw new RangeError(`More than ${String(BLOB_URLS)} blob URLs in a second.`);
    return create(object);
  };
}

/**
 * Messages that a worker may post in a tenth of a second before it waits for the next: more than asyncio ever needs. In
 * WebKit a message from the worker to itself goes by the page's thread too, which a flood leaves with minutes of work.
 */
const MESSAGES = 5000;
const MESSAGES_PERIOD = 100;

function paceMessages(): void {
  const { apply } = Reflect;
  const now = performance.now.bind(performance);
  let since = now();
  let posted = 0;
  for (const { prototype } of [MessagePort, BroadcastChannel]) {
    const post = prototype.postMessage;
    prototype.postMessage = function (this: MessagePort & BroadcastChannel, ...message: unknown[]): void {
      posted += 1;
      if (posted > MESSAGES) {
        // Throwing would lose a message of asyncio's.
        while (now() - since < MESSAGES_PERIOD);
        since = now();
        posted = 1;
      }
      apply(post, this, message);
    };
  }
}

const FLOODING = new Set(["postMessage", "reportError", "Worker", "SharedWorker"]);

/** An error that nobody handles is reported to the document, each by a task of its own. */
export function keepErrors(scope: EventTarget = globalThis): void {
  const { apply } = Reflect;
  // Held here, since what the session's code puts in their place would let errors through.
  // oxlint-disable-next-line typescript/unbound-method
  const { preventDefault } = Event.prototype;
  scope.addEventListener("error", (event) => {
    apply(preventDefault, event, []);
  });
}

function takeAway(scope: object, isWanted: (name: string) => boolean): void {
  const left: string[] = [];
  for (let owner: object | null = scope; owner !== null && owner !== Object.prototype; owner = prototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (isWanted(name) && !remove(owner, name)) left.push(name);
    }
  }
  if (left.length > 0)
    throw new Error(`The browser does not let go of ${left.join(", ")}, so this worker is not sealed.`);
}

/** Of a list of what may stay, what a browser adds next year is not part. */
const HARMLESS = new Set([
  ...["globalThis", "self", "undefined", "NaN", "Infinity", "constructor"],
  ...[
    "Object",
    "Function",
    "Boolean",
    "Symbol",
    "Number",
    "BigInt",
    "Math",
    "Date",
    "String",
    "RegExp",
    "JSON",
    "Intl",
  ],
  ...["Array", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "FinalizationRegistry", "Iterator", "Proxy", "Reflect"],
  ...["Promise", "DisposableStack", "AsyncDisposableStack", "Temporal"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...["SuppressedError", "InternalError", "DOMException"],
  ...["ArrayBuffer", "SharedArrayBuffer", "Atomics", "DataView", "WebAssembly"],
  ...["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
  ...["eval", "isFinite", "isNaN", "parseFloat", "parseInt", "escape", "unescape"],
  ...["decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent"],
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "queueMicrotask", "structuredClone", "reportError"],
  ...["atob", "btoa", "TextEncoder", "TextDecoder", "URL", "URLSearchParams", "Blob", "console"],
  ...["performance", "Performance", "crypto", "Crypto", "CryptoKey", "SubtleCrypto"],
  ...["Event", "EventTarget", "CustomEvent", "ErrorEvent", "MessageEvent", "PromiseRejectionEvent"],
  ...["addEventListener", "removeEventListener", "dispatchEvent", "AbortController", "AbortSignal"],
  // Pyodide's scheduler posts to itself.
  ...["MessageChannel", "MessagePort"],
]);

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** Tells whether it is gone; where it cannot be deleted, whether a number or nothing is all that is left. */
function remove(owner: object, name: string): boolean {
  if (Reflect.deleteProperty(owner, name)) return true;
  Reflect.defineProperty(owner, name, { value: undefined, writable: false, configurable: false });
  const left: { readonly value?: unknown; readonly get?: unknown } =
    Reflect.getOwnPropertyDescriptor(owner, name) ?? {};
  return left.get === undefined && typeof left.value !== "object" && typeof left.value !== "function";
}
