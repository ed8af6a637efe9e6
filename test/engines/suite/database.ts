/** Hands `work` the name of an IndexedDB database of its own, and deletes that afterwards. */
export async function withDatabase<T>(work: (name: string) => Promise<T>): Promise<T> {
  const name = `suite-${crypto.randomUUID()}`;
  try {
    return await work(name);
  } finally {
    await deleteDatabase(name);
  }
}

/** As another tab would, or the browser. */
export async function deleteDatabase(name: string): Promise<void> {
  await finished(indexedDB.deleteDatabase(name));
}

export function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => {
      resolve(request.result);
    });
    request.addEventListener("error", () => {
      reject(request.error ?? new Error("The database gave no reason."));
    });
  });
}
