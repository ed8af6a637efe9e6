import { lines, running, type ConformanceCase } from "../conformance-case.js";

/** Section D: MCP servers. The rows of HTTP are tried over a real server. */
export const serverCases: readonly ConformanceCase[] = [
  {
    id: "D8",
    title: "an MCP server is one tool, and its tools are callables of it",
    steps: [
      running("[[t.name for t in tools.list() if t.name == 'time'], [c.name for c in tools.time.list()][:2]]", {
        value: [["time"], ["a", "b"]],
      }),
      running("tools.time.a(x=1)", { value: "2" }),
      running("tools.time.now_utc()['hour']", { value: 12 }),
    ],
  },
  {
    id: "D9",
    title: "texts are joined, structured content is data, and a picture is a picture",
    steps: [
      running("tools.time.b()", { value: "first\nsecond" }),
      running("tools.time.now_utc()", { value: { hour: 12 } }),
      running(
        "from vitrine import Content\nc = tools.time.clock()\n[isinstance(c, Content), c.kind, c.mime_type, c.data]",
        {
          value: [true, "image", "image/png", new Uint8Array([0x89, 0x50, 0x4e, 0x47])],
        },
      ),
    ],
  },
  {
    id: "D10",
    title: "a result that is an error raises ToolCallError with its text",
    steps: [
      running("tools.time.fails()", {
        error: { type: "ToolCallError", includes: ["Tool 'time' failed: tool not found in the cupboard"] },
      }),
    ],
  },
  {
    id: "D11",
    title: "not found is what is not on the server's list, whatever an error's text says",
    steps: [
      running("tools.time.refuses()", { error: { type: "ToolCallError", includes: ["Unknown tool"] } }),
      running("tools.time.vanishing()", { error: { type: "ToolNotFoundError", includes: ["time.vanishing"] } }),
      running("tools.time.never_there()", { error: { type: "AttributeError", includes: ["Unknown callable"] } }),
    ],
  },
  {
    id: "D12",
    title: "parameters come from the input schema",
    steps: [
      running(
        lines(
          "[c] = [c for c in tools.time.list() if c.name == 'a']",
          "[[p.name, p.type, p.required, p.default, p.description] for p in c.parameters]",
        ),
        {
          value: [
            ["x", "integer", true, null, "A number"],
            ["city", "string", false, "Oslo", "Where"],
            ["free", "any", false, null, ""],
          ],
        },
      ),
      running("tools.time.a(x='one')", { error: { type: "ToolArgumentError", includes: ["'x'"] } }),
    ],
  },
  {
    id: "D13",
    title: "a server that cannot be reached says so when it is called, and the others work",
    steps: [
      running(
        [
          "try:",
          "    tools.down.anything()",
          "except ToolCallError as error:",
          "    said = str(error)",
          "'127.0.0.1:9' in said",
        ].join("\n"),
        { value: true },
      ),
      running("tools.time.a(x=1)", { value: "2" }),
    ],
  },
];
