const addresses = new WeakMap<Uint8Array, Promise<string>>();

/** Bytes of a picture as an address that carries them. The browser makes it beside the page, once for each picture. */
export function pictureAddress(type: string, bytes: Uint8Array): Promise<string> {
  const known = addresses.get(bytes) ?? read(new Blob([new Uint8Array(bytes)], { type }));
  addresses.set(bytes, known);
  return known;
}

function read(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      resolve(typeof reader.result === "string" ? reader.result : "");
    });
    reader.addEventListener("error", () => {
      reject(reader.error ?? new Error("The picture could not be read."));
    });
    reader.readAsDataURL(blob);
  });
}
