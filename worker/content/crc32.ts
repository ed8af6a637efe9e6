/** The checksum of PNG and ZIP, of bytes that come in pieces. */
export class Crc32 {
  #register = -1;

  add(bytes: Uint8Array): this {
    let register = this.#register;
    for (const byte of bytes) register = (TABLE[(register ^ byte) & 0xff] ?? 0) ^ (register >>> 8);
    this.#register = register;
    return this;
  }

  get value(): number {
    return ~this.#register >>> 0;
  }
}

const TABLE = Int32Array.from({ length: 256 }, (_each, byte) => {
  let register = byte;
  for (let bit = 0; bit < 8; bit += 1) register = register & 1 ? (register >>> 1) ^ 0xedb88320 : register >>> 1;
  return register;
});
