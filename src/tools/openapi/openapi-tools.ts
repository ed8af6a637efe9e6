import type { Problem } from "../../protocol/index.js";
import type { ToolAdapter } from "../definition.js";
import { HttpTool, readAuth, readHeaders } from "../http/index.js";
import type { HttpToolOptions } from "../requests/request-options.js";
import { pageAddress } from "../requests/request-route.js";
import { YamlSource } from "../yaml/yaml-source.js";
import type { JsonObject } from "./document.js";
import { importDocument, type ImportSettings } from "./import-document.js";
import { readDocument } from "./read-document.js";

/** Which operations of a document become callables, and how they are sent. */
export interface OpenApiOptions
  extends Omit<ImportSettings, "fixed" | "source" | "pageUrl" | "baseUrlOption">, HttpToolOptions {
  /** Headers of every request; `${NAME}` stands for a secret. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The operations that can be used as one tool, and what is wrong with the others. */
export interface OpenApiTools {
  /** One tool, with one callable for each operation. */
  readonly adapter: ToolAdapter;
  /**
   * One for each operation that was left out, and for each part that an operation goes without; one for all of them
   * where many have the same. `field` is a JSON pointer, that of the first; `line` is there for YAML.
   */
  readonly problems: readonly Problem[];
}

/** See `openApiTools` in index.ts, which loads this. `fixed` and `source` are for tool files. */
export async function makeOpenApiTools(
  document: string | Uint8Array | Readonly<Record<string, unknown>>,
  options: OpenApiOptions & Pick<ImportSettings, "fixed" | "source" | "baseUrlOption">,
): Promise<OpenApiTools> {
  const { headers = {}, ...rest } = options;
  const source = options.source ?? options.documentUrl ?? options.name;
  const nowhere = YamlSource.read({ file: source, text: "" });
  const { auth } = options;
  if (auth !== undefined) readAuth(nowhere, ["auth"], [auth].flat());
  const settings: ImportSettings = {
    ...rest,
    pageUrl: options.pageUrl ?? pageAddress(),
    source,
    fixed: [...(options.fixed ?? []), ...readHeaders(nowhere, ["headers"], headers)],
  };
  if (typeof document !== "string" && !(document instanceof Uint8Array)) {
    const { file, problems } = await importDocument(document as JsonObject, settings);
    return { adapter: new HttpTool(file, options), problems };
  }
  const { root, linesOf, close } = await readDocument(source, document, options.onProgress);
  try {
    const { file, problems } = await importDocument(root, settings);
    const lines = problems.length === 0 ? [] : await linesOf(problems.map(({ field = "" }) => field));
    const located = problems.map((problem, index) => {
      const line = lines[index];
      return line === undefined ? problem : { ...problem, line };
    });
    return { adapter: new HttpTool(file, options), problems: located };
  } finally {
    close();
  }
}
