import { z } from "zod";

import type { PackageSourceOptions } from "../../../deps/index.js";

/** The folder of packages that comes with the page, relative to it. */
const SHIPPED = "packages/";

const Address = z.string().refine((text) => text === "" || isAddress(text));

/** Where Python's packages may come from, beside the folder that comes with the page. */
export const PackageSettings = z.object({
  /** Whether those that were built with this release of Pyodide may be fetched. */
  pyodide: z.boolean().catch(false),
  /** Folder of their files; empty for the address that Pyodide names. */
  mirror: Address.catch(""),
  /** A simple index in JSON; empty for none. */
  index: Address.catch(""),
  /** Other hosts that the index's files may lie at, with commas or blanks between. */
  indexHosts: z.string().catch(""),
});
export type PackageSettings = z.infer<typeof PackageSettings>;

export const DEFAULT_PACKAGES: PackageSettings = { pyodide: false, mirror: "", index: "", indexHosts: "" };

/** The sources of a session, in the order in which they are asked. */
export function packageSources({ pyodide, mirror, index, indexHosts }: PackageSettings): PackageSourceOptions[] {
  return [
    { folder: SHIPPED },
    ...(pyodide ? [{ lockfile: "pyodide", ...(mirror === "" ? {} : { files: mirror }) }] : []),
    ...(index === "" ? [] : [{ index, hosts: hostsIn(indexHosts) }]),
  ];
}

/** Hosts that are written with commas or blanks between them. */
export function hostsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== "");
}

/** Whether files can be fetched from it. */
export function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
