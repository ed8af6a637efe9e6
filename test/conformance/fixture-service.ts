import { httpTool, parseToolFile, type ToolAdapter } from "../../src/index.js";

const FILE = `
name: api
type: http
base_url: http://h/api/
recipes:
  get_user: {path: "/users/{id}", params: {id: {type: integer}, q: {}}}
  add_user: {method: POST, path: /users, params: {name: {}, tags: {type: array}}}
  set_user: {method: PUT, path: "/users/{id}", params: {name: {}}}
  change_user: {method: PATCH, path: "/users/{id}", params: {name: {}}}
  drop_user: {method: DELETE, path: "/users/{id}", params: {soft: {type: boolean}}}
  fail: {path: /fail, retry: {attempts: 1}}
  text: {path: /text}
  picture: {path: /picture}
  nothing: {path: /nothing}
`;

/** A tool of the specification's service; what it is sent comes back. */
export function serviceTool(): ToolAdapter {
  const file = parseToolFile({ file: "tools/api.yaml", text: FILE });
  if (file.kind !== "http") throw new TypeError("The file is for another kind of tool.");
  return httpTool(file, { fetch: answer });
}

/** Rows are about requests and answers; that these really travel is tried in test/browser/tools/http-tool.test.ts. */
function answer(url: string, { method, body }: RequestInit): Promise<Response> {
  const respond = (content: BodyInit | null, type: string, status = 200): Promise<Response> =>
    Promise.resolve(new Response(content, { status, headers: { "content-type": type } }));
  switch (new URL(url).pathname) {
    case "/api/fail":
      return respond("body", "text/plain", 500);
    case "/api/text":
      return respond("grüße", "text/plain; charset=utf-8");
    case "/api/picture":
      return respond(new Uint8Array([137, 80]), "image/png");
    case "/api/nothing":
      return Promise.resolve(new Response(null, { status: 204 }));
    default:
      return respond(JSON.stringify([method, url, body ?? null]), "application/json");
  }
}
