import { z } from "zod";

import type { Value } from "../protocol/index.js";
import { ARTIFACTS_PATH } from "./names.js";

/** How the bytes are to be read. Remembered from saving; the name's extension does not matter. */
export const ArtifactKind = z.enum(["json", "text", "bytes"]);
export type ArtifactKind = z.infer<typeof ArtifactKind>;

/** What is known about an artifact without reading it. */
export interface Artifact {
  readonly name: string;
  /** Where session code finds it as a file. */
  readonly path: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, Value>>;
  /** When it was saved last. */
  readonly createdAt: Date;
  /** Bytes. */
  readonly size: number;
  readonly kind: ArtifactKind;
}

/** An artifact as it crosses the bridge: JSON stays the text that Python wrote, so that nothing in it changes. */
export type ArtifactContent =
  | { readonly kind: "json"; readonly data: string }
  | { readonly kind: "text"; readonly data: string }
  | { readonly kind: "bytes"; readonly data: Uint8Array };

/** What is kept with an artifact. */
export interface ArtifactOptions {
  /** Default: empty. */
  description?: string;
  /** Whatever JSON can hold. Default: empty. */
  metadata?: Readonly<Record<string, Value>>;
}

/** An artifact was saved, or deleted. */
export type ArtifactChange =
  | { readonly kind: "saved"; readonly name: string; readonly artifact: Artifact }
  | { readonly kind: "deleted"; readonly name: string };

export const IndexEntry = z.object({
  kind: ArtifactKind,
  description: z.string(),
  metadata: z.record(z.string(), z.custom<Value>()),
  createdAt: z.iso.datetime(),
  /** Bytes. */
  size: z.int().nonnegative(),
  /** Grows with every new name: listings are in this order. */
  order: z.number(),
});
export type IndexEntry = z.infer<typeof IndexEntry>;

export function artifactOf(name: string, entry: IndexEntry): Artifact {
  const { kind, description, metadata, size } = entry;
  return {
    name,
    path: `${ARTIFACTS_PATH}/${name}`,
    description,
    metadata,
    createdAt: new Date(entry.createdAt),
    size,
    kind,
  };
}
