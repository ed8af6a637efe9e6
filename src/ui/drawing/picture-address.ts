import { Slices } from "../../protocol/index.js";

/** Characters that are looked at in one go. */
const PIECE = 500_000;

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

/** A picture in base64 as an address that carries the text as it is; empty where it holds anything else. */
export async function base64Address(type: string, text: string): Promise<string> {
  const slices = new Slices();
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE).replace(/\s/g, "");
    if (!/^[a-z\d+/]*={0,2}$/i.test(piece)) return "";
    pieces.push(piece);
    await slices.rest();
  }
  return `data:${type};base64,${pieces.join("")}`;
}
