/** What the worker says next. @throws {Error} when its script fails instead. */
export function nextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      resolve(data);
    };
    worker.onerror = (event) => {
      reject(new Error(event.message));
    };
  });
}
