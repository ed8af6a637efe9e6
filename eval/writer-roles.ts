/** Who is asked for a file: each of them is the model that is evaluated, at an address of its own. */
export const writerRoles = ["writer-1", "writer-2", "arbiter", "fallback"] as const;
export type WriterRole = (typeof writerRoles)[number];

/** The address of a role, beside that of the agent, which ends with `/v1`. */
export function roleAddress(baseURL: string, role: WriterRole): string {
  return baseURL.replace(/\/v1$/, `/${role}/v1`);
}
