import type { EngineName } from "../../engines/drivers/index.js";

/** Where the code of an attempt stands when it runs. */
export type Ring =
  /** In a session, as Python or as JavaScript that Python got to run. */
  | "worker"
  /** As script of the sealed frame's inner document, as if the worker had won it. */
  | "frame"
  /** As messages to the page's end of the bridge. */
  | "bridge"
  /** As content that the page's own components draw. */
  | "render";

/** What an attempt is about: the rows of the threat model's table. */
export type Group =
  | "network"
  | "navigation"
  | "storage"
  | "page"
  | "other sessions"
  | "bridge"
  | "rendered output"
  | "hostile arguments"
  | "denial of service";

/** By what a success is known. A sealed attempt must show none of them, whichever it was after. */
export type Sign =
  /** Bytes arrived at a listener. */
  | "bytes"
  /** Something on the page or in the origin's storage is not as it was. */
  | "effect"
  /** The attempt tells a text that only the page knows. */
  | "secret"
  /** The page or another session does not answer any more. */
  | "stall"
  /** The page did not answer for two seconds and more. */
  | "silence"
  /** A connection was opened on which nothing was sent. */
  | "connect";

/** The addresses of one attempt: the test's own listeners. */
export interface Place {
  /** `http://127.0.0.1:…/<attempt>` on another origin than the page's. */
  readonly url: string;
  /** The same on the page's own origin. */
  readonly ownUrl: string;
  /** The same under a name below `.localhost` that carries the secret. */
  readonly namedUrl: string;
  readonly webSocketUrl: string;
  /** A listener that only counts bytes; nothing it hears is answered. With `hasOwnPorts` it is this attempt's alone. */
  readonly rawPort: number;
  readonly udpPort: number;
  /** What the attempt calls whatever it leaves behind, so that a trap knows whose it is. */
  readonly mark: string;
  /** A lock that the page holds, and whose loss is this attempt's. */
  readonly heldLock: string;
  /** The page's origin, with files that belong to it: `/private.txt` holds the secret. */
  readonly pageOrigin: string;
}

/** Where the same code is shown to come through, in the same engine. */
export type Twin =
  /** A session at trust `local`. */
  | "local"
  /** The same documents without sandbox and policy. */
  | "plain frame"
  /** The script of a page of its own; Python there runs in a Pyodide without a worker. */
  | "plain page"
  /** Comlink on a port, without the gate. */
  | "plain comlink"
  /** The content as a page draws it that trusts it. */
  | "plain markup";

/** What an engine must have for an attempt to mean anything there. */
export interface Need {
  /** As the threat model names it. */
  readonly name: string;
  /**
   * An expression, evaluated in a plain page of the engine, or in a plain worker of such a page for attempts in a
   * worker. `comes(use)` tells whether a request comes of an address that `use` is given. Something falsy means that
   * the engine lacks it: then the attempt's twin must fail.
   */
  readonly probe: string;
}

export interface Attempt {
  /** Unique, with its ring; the promise it breaks. */
  readonly name: string;
  readonly ring: Ring;
  readonly group: Group;
  readonly language: "python" | "javascript" | "json" | "html" | "svg" | "markdown" | "vega-lite";
  /** The sign by which its twin succeeds. */
  readonly sign: Sign;
  /** Null where nothing can show that it succeeds; it is not counted then. */
  readonly twin: Twin | null;
  readonly needs?: Need;
  readonly code: (place: Place) => string;
  /** Its bytes cannot carry its name, so that the ports have to tell whose they are. */
  readonly hasOwnPorts?: boolean;
  /** It fills queues or memory, its own or the browser's, for as long as nothing stops it. */
  readonly floods?: boolean;
  /** Without the wall it gets in the way of others: it moves or stops the whole window. */
  readonly disturbs?: boolean;
  /** Engines that let it through now and then, for reasons of the machine's network: neither is expected there. */
  readonly unsteadyIn?: readonly EngineName[];
  /** Engines that let a frame's script do it; the attempt is not counted then. */
  readonly allowedBy?: readonly EngineName[];
  /** Engines whose threads go on with it after their worker was ended, and would be in the way of what comes next. */
  readonly outlivesIn?: readonly EngineName[];
  /** Another session is opened while it goes on. */
  readonly opensSession?: boolean;
  /** The frame is taken out once the code has run, for what happens on leaving. */
  readonly leaves?: boolean;
  /** The worker does not come back from it; the session is not used for another. */
  readonly ruinous?: boolean;
}

/** Names with the ring, as tests and report show them. */
export function titleOf({ ring, group, name }: Attempt): string {
  return `${ring}, ${group}: ${name}`;
}

/** How whatever an attempt leaves behind begins. */
export const MARK = "breached";

/** No mark is the beginning of another. */
export function markOf(attempt: Attempt): string {
  return `${MARK}-${slugOf(attempt)}_`;
}

/** The path by which listeners know an attempt. */
export function slugOf(attempt: Attempt): string {
  return `${attempt.ring}-${attempt.name}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
