/** JSON of whatever it is, bytes by their number; an ellipsis for what holds itself or is nested too deep. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, plain);
  } catch {
    return '"…"';
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return `<${String(value.byteLength)} bytes>`;
  return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;
}
