/**
 * What an attempt may change or read: planted before, looked at afterwards.
 * Whatever an attempt leaves behind is called "breached".
 */
const TITLE = "Escape suite";
const MARK = "breached";

declare global {
  /** What only the page knows. */
  var secret: string;
}

const heard: string[] = [];
let lockLost = false;

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
  holdLock();
  const channel = new BroadcastChannel("sessions");
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (String(data).includes(MARK)) heard.push("a message was heard on a BroadcastChannel");
  };
  // As sessions would that speak of private things.
  setInterval(() => {
    channel.postMessage(secret);
  }, 100);
  addEventListener("message", ({ data, source }) => {
    if (source !== window && data === MARK) heard.push("a message was heard by the page's window");
  });
  location.hash = "first";
  location.hash = "second";
}

/** What is not as it was. */
export async function sprungTraps(): Promise<string[]> {
  const found = [...heard];
  const spring = (sprung: boolean, what: string): void => {
    if (sprung) found.push(what);
  };
  spring(document.title !== TITLE, "the page's title");
  spring(location.hash !== "#second", "the page's address");
  spring(MARK in globalThis || MARK in {}, "a variable of the page");
  spring(document.getElementById(MARK) !== null, "an element of the page");
  spring(MARK in localStorage || MARK in sessionStorage, "web storage");
  spring(document.cookie.includes(MARK), "a cookie");
  spring(lockLost, "a lock that the page held");
  const databases = await indexedDB.databases();
  spring(
    databases.some(({ name }) => name?.includes(MARK) === true),
    "IndexedDB",
  );
  spring(await caches.has(MARK), "the caches");
  spring(await hasFile(), "the origin's private files");
  const locks = await navigator.locks.query();
  spring(locks.held?.some(({ name }) => name === MARK) === true, "a lock of the origin");
  spring((await registrations()).length > 0, "a service worker");
  return found;
}

/** Everything as it was, for the next control. */
export async function resetTraps(): Promise<void> {
  heard.length = 0;
  document.title = TITLE;
  if (location.hash !== "#second") location.hash = "second";
  Reflect.deleteProperty(globalThis, MARK);
  Reflect.deleteProperty(Object.prototype, MARK);
  document.getElementById(MARK)?.remove();
  localStorage.removeItem(MARK);
  sessionStorage.removeItem(MARK);
  document.cookie = `${MARK}=; max-age=0`;
  await deleteDatabase(MARK);
  // As Emscripten calls one that is mounted.
  await deleteDatabase(`/${MARK}`);
  await caches.delete(MARK);
  if (await hasFile()) await (await navigator.storage.getDirectory()).removeEntry(MARK);
  for (const registration of await registrations()) await registration.unregister();
  if (lockLost) holdLock();
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

function holdLock(): void {
  lockLost = false;
  navigator.locks
    .request("held", { steal: true }, () => new Promise<never>(() => undefined))
    .catch(() => {
      lockLost = true;
    });
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

async function hasFile(): Promise<boolean> {
  if (!hasPrivateFiles()) return false;
  try {
    await (await navigator.storage.getDirectory()).getFileHandle(MARK);
    return true;
  } catch {
    return false;
  }
}
