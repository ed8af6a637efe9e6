import { lines, running, type ConformanceCase } from "../conformance-case.js";

/** The HTTP rows of section D. */
export const serviceCases: readonly ConformanceCase[] = [
  {
    id: "D1",
    title: "arguments fill the path, and the rest is the query",
    steps: [running('tools.api.get_user(id=5, q="a b")', { value: ["GET", "http://h/api/users/5?q=a+b", null] })],
  },
  {
    id: "D2",
    title: "POST, PUT and PATCH carry JSON, the others a query",
    steps: [
      running('tools.api.add_user(name="Ü", tags=("a",))', {
        value: ["POST", "http://h/api/users", '{"name":"Ü","tags":["a"]}'],
      }),
      running("tools.api.add_user()", { value: ["POST", "http://h/api/users", null] }),
      running('tools.api.set_user(id=1, name="x")', { value: ["PUT", "http://h/api/users/1", '{"name":"x"}'] }),
      running('tools.api.change_user(id=1, name="x")', { value: ["PATCH", "http://h/api/users/1", '{"name":"x"}'] }),
    ],
  },
  {
    id: "D5",
    title: "a status of 400 and more is an error with the body",
    steps: [
      running("tools.api.fail()", {
        error: { type: "ToolCallError", includes: ["Tool 'api' failed: HTTP 500: body"] },
      }),
      running(
        lines(
          "try:",
          "    tools.api.fail()",
          "except ToolCallError as error:",
          "    caught = [error.status, error.body]",
          "caught",
        ),
        { value: [500, "body"] },
      ),
    ],
  },
  {
    id: "D6",
    title: "an answer is what its content type says",
    steps: [
      running("tools.api.text()", { value: "grüße" }),
      running("tools.api.picture()", { value: new Uint8Array([137, 80]) }),
      running("tools.api.nothing()", { value: null }),
    ],
  },
  {
    id: "D7",
    title: "the requests of a service are callables of one tool",
    steps: [
      running("[c.name for c in tools.api.list()][:2]", { value: ["get_user", "add_user"] }),
      running('hasattr(tools, "get_user")', { value: false }),
    ],
  },
];
