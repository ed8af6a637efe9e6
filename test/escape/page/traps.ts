import { MARK } from "../attempts/index.js";

/**
 * What an attempt may change or read: planted before, looked at afterwards.
 * Whatever an attempt leaves behind bears its mark.
 */
const TITLE = "Escape suite";

declare global {
  /** What only the page knows. */
  var secret: string;
}

const heard: string[] = [];

/** The locks that the page holds, by name, with whether it still does. */
const heldLocks = new Map<string, boolean>();

/** Puts the secret into every place that belongs to the page's origin. */
export async function setTraps(secret: string): Promise<void> {
  globalThis.secret = secret;
  localStorage.secret = secret;
  sessionStorage.secret = secret;
  document.cookie = `private=${secret}`;
  document.querySelector("#private")!.textContent = secret;
  await plantDatabase(secret);
  const cache = await caches.open("private");
  await cache.put("/private", new Response(secret));
  await plantFile(secret);
  const channel = new BroadcastChannel("sessions");
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isMark(data)) heard.push(`a message on a BroadcastChannel: ${data}`);
  };
  // As sessions would that speak of private things.
  setInterval(() => {
    channel.postMessage(secret);
  }, 100);
  addEventListener("message", ({ data, source }) => {
    if (source !== window && isMark(data)) heard.push(`a message to the page's window: ${data}`);
  });
  noteTitles();
  noteAddresses();
  location.hash = "first";
  location.hash = "second";
}

/** Takes locks with these names, each to be lost to one attempt alone. */
export async function holdLocks(names: readonly string[]): Promise<void> {
  await Promise.all(names.filter((name) => heldLocks.get(name) !== true).map(holdLock));
}

/** What is not as it was, each with the mark of the attempt that did it, where it bears one. */
export async function sprungTraps(): Promise<string[]> {
  const found = [...heard];
  const spring = (what: string, names: Iterable<unknown>): void => {
    for (const name of names) found.push(`${what}: ${String(name)}`);
  };
  spring("the page's title", document.title === TITLE ? [] : [document.title]);
  spring("the page's address", location.hash === "#second" ? [] : [location.hash]);
  spring("a variable of the page", marksIn(globalThis));
  spring(
    "an element of the page",
    Array.from(document.querySelectorAll(`[id*="${MARK}"]`), ({ id }) => id),
  );
  spring("web storage", [...marksIn(localStorage), ...marksIn(sessionStorage)]);
  spring("a cookie", document.cookie.split("; ").filter(isMark));
  spring("a lock that the page held", lostLocks());
  const databases = await indexedDB.databases();
  spring("IndexedDB", databases.map(({ name }) => name).filter(isMark));
  spring("the caches", (await caches.keys()).filter(isMark));
  spring("the origin's private files", await privateFiles());
  const locks = await navigator.locks.query();
  // Those that the page holds are named after marks too, but do not begin with one.
  spring("a lock of the origin", locks.held?.map(({ name }) => name).filter((name) => name?.startsWith(MARK)) ?? []);
  spring("a service worker", (await registrations()).map(scriptOf));
  return found;
}

/** Everything as it was, for the next attempts. */
export async function resetTraps(): Promise<void> {
  document.title = TITLE;
  if (location.hash !== "#second") location.hash = "second";
  for (const owner of [globalThis, Object.prototype]) {
    for (const name of marksIn(owner)) Reflect.deleteProperty(owner, name);
  }
  for (const element of document.querySelectorAll(`[id*="${MARK}"]`)) element.remove();
  for (const store of [localStorage, sessionStorage]) for (const name of marksIn(store)) store.removeItem(name);
  for (const cookie of document.cookie.split("; ").filter(isMark)) {
    document.cookie = `${cookie.slice(0, cookie.indexOf("="))}=; max-age=0`;
  }
  for (const { name } of await indexedDB.databases()) if (isMark(name)) await deleteDatabase(name);
  for (const name of await caches.keys()) if (isMark(name)) await caches.delete(name);
  for (const name of await privateFiles()) await (await navigator.storage.getDirectory()).removeEntry(name);
  for (const registration of await registrations()) await registration.unregister();
  await holdLocks(lostLocks());
  // What was changed back here is heard of as well.
  await new Promise((resolve) => setTimeout(resolve));
  heard.length = 0;
}

/** Notes what prototypes have got, and takes it away again: the gate takes a message that inherits a field for a forged one. */
export function notePollution(): void {
  for (const name of marksIn(Object.prototype)) {
    heard.push(`a prototype: ${name}`);
    Reflect.deleteProperty(Object.prototype, name);
  }
}

function isMark(text: unknown): text is string {
  return typeof text === "string" && text.includes(MARK);
}

/** Names with a mark among those of an object, and of what it inherits from. */
function marksIn(owner: object): readonly string[] {
  const names: string[] = [];
  for (const name in owner) if (isMark(name)) names.push(name);
  return names;
}

/** Each text that the title has had: a later one hides it. */
function noteTitles(): void {
  const title = document.querySelector("title");
  if (title === null) throw new Error("The page has no title.");
  new MutationObserver((records) => {
    const texts = records.flatMap(({ addedNodes }) => Array.from(addedNodes, ({ textContent }) => textContent));
    for (const text of texts) if (isMark(text)) heard.push(`the page's title: ${text}`);
  }).observe(title, { childList: true });
}

/** Each address that the page has had. */
function noteAddresses(): void {
  addEventListener("hashchange", ({ oldURL, newURL }) => {
    for (const url of [oldURL, newURL]) if (isMark(url)) heard.push(`the page's address: ${url}`);
  });
}

function scriptOf({ installing, waiting, active }: ServiceWorkerRegistration): string {
  return (installing ?? waiting ?? active)?.scriptURL ?? "";
}

/** One that is still open goes once it is closed. */
function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => {
      resolve();
    };
    request.onblocked = () => {
      resolve();
    };
    request.onerror = () => {
      reject(new Error("The attempt's database could not be deleted."));
    };
  });
}

function holdLock(name: string): Promise<void> {
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      heldLocks.set(name, true);
      resolve();
      return new Promise<never>(() => undefined);
    };
    navigator.locks.request(name, { steal: true }, hold).catch(() => {
      heldLocks.set(name, false);
    });
  });
}

function lostLocks(): readonly string[] {
  return [...heldLocks].filter(([, isHeld]) => !isHeld).map(([name]) => name);
}

function plantDatabase(secret: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("private", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("private").put(secret, "secret");
    };
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
    request.onerror = () => {
      reject(new Error("The private database could not be made."));
    };
  });
}

async function plantFile(secret: string): Promise<void> {
  if (!hasPrivateFiles()) return;
  const folder = await navigator.storage.getDirectory();
  const file = await folder.getFileHandle("private", { create: true });
  // Not every engine has it outside of workers; the others' attempts then find an empty file.
  if (!("createWritable" in file)) return;
  const stream = await file.createWritable();
  await stream.write(secret);
  await stream.close();
}

/** WebKitGTK has none. */
function hasPrivateFiles(): boolean {
  return "storage" in navigator && "getDirectory" in navigator.storage;
}

async function registrations(): Promise<readonly ServiceWorkerRegistration[]> {
  return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistrations() : [];
}

/** Those with a mark. */
async function privateFiles(): Promise<readonly string[]> {
  if (!hasPrivateFiles()) return [];
  const names: string[] = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) if (isMark(name)) names.push(name);
  return names;
}
