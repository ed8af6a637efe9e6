import { openApiTools, type Tool } from "../../src/tools/index.js";

/** The tool of an OpenAPI document, for counting and trying: nothing of it is called. */
export async function openapiTool(name: string, document: unknown): Promise<Tool> {
  if (typeof document !== "object" || document === null) throw new TypeError(`The document of ${name} is no object.`);
  // Some documents name no server.
  const { adapter } = await openApiTools({ ...document }, { name, baseUrl: "https://example.test" });
  return adapter.tool;
}
