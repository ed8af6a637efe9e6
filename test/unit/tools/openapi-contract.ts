import { Validator } from "@cfworker/json-schema";

import type { Received } from "../../servers/scripted-server.js";

type Json = Record<string, unknown>;

/** What is wrong with a request by the document itself, read here without any of the code under test; empty when nothing is. */
export function differencesFrom(document: Json, { method, url, headers, body }: Received, basePath: string): string[] {
  const path = url.pathname.slice(basePath.length);
  const found = Object.entries(document.paths as Record<string, Json>)
    .filter(([template]) => templateExpression(template).test(path))
    .map(([template, item]) => ({ template, item, operation: item[method.toLowerCase()] as Json | undefined }))
    .filter(({ operation }) => operation !== undefined)
    // Of several that fit, the one with the most literal text is meant.
    .sort((a, b) => literalLength(b.template) - literalLength(a.template))[0];
  if (found?.operation === undefined) return [`the document has no ${method} ${path}`];
  const { item, operation } = found;
  const resolve = (part: unknown): Json => {
    const reference = (part as Json).$ref;
    if (typeof reference !== "string") return part as Json;
    return resolve(
      reference
        .slice(2)
        .split("/")
        .reduce<unknown>((value, key) => (value as Json)[unescape(key)], document),
    );
  };
  const parameters = [...((item.parameters ?? []) as Json[]), ...((operation.parameters ?? []) as Json[])].map(resolve);
  const named = (place: string): Json[] => parameters.filter((parameter) => parameter.in === place);
  const known = named("query").map((parameter) => String(parameter.name));
  const unknown = [...url.searchParams.keys()].filter((name) => !known.includes(name.replace(/\[.*$/, "")));
  const missing = named("query").filter(
    (parameter) => parameter.required === true && !url.searchParams.has(String(parameter.name)),
  );
  const missingHeaders = named("header").filter(
    (parameter) => parameter.required === true && headers[String(parameter.name).toLowerCase()] === undefined,
  );
  return [
    ...unknown.map((name) => `the query has an unknown ${name}`),
    ...missing.map((parameter) => `the query lacks ${String(parameter.name)}`),
    ...missingHeaders.map((parameter) => `the headers lack ${String(parameter.name)}`),
    ...bodyDifferences(document, {
      requestBody: operation.requestBody === undefined ? undefined : resolve(operation.requestBody),
      headers,
      body,
    }),
  ];
}

function bodyDifferences(
  document: Json,
  { requestBody, headers, body }: { requestBody: Json | undefined } & Pick<Received, "headers" | "body">,
): string[] {
  if (requestBody === undefined) return body.length === 0 ? [] : ["it has a body, and should have none"];
  if (body.length === 0) return requestBody.required === true ? ["it lacks its body"] : [];
  const type = (headers["content-type"] ?? "").split(";")[0]!;
  const media = (requestBody.content as Record<string, Json>)[type];
  if (media === undefined) return [`its body is ${type}, which the document does not know`];
  if (!type.endsWith("json")) return [];
  const schema = {
    ...(media.schema as Json),
    components: { schemas: (document.components as Json | undefined)?.schemas },
  };
  const { valid, errors } = new Validator(schema, "2020-12", false).validate(JSON.parse(body.toString()));
  return valid ? [] : errors.map(({ instanceLocation, error }) => `body ${instanceLocation}: ${error}`);
}

function literalLength(template: string): number {
  return template.replace(/\{[^{}]*\}/g, "").length;
}

function templateExpression(template: string): RegExp {
  const literal = template.split(/\{[^{}]*\}/).map((part) => part.replace(/[\\^$.|?+*()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
}

function unescape(key: string): string {
  return decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
}
