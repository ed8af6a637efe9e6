import { describe, expect, test } from "vitest";

import { loadTranscripts, parseTranscript } from "../../../src/model/index.js";

const good = `format: vitrine-transcript
version: 1
task: Sum the column.
by: hand
steps:
  - reply: |
      \`\`\`python
      print(rows)
      \`\`\`
    observed: |
      Observation:
      [1, 2, 3]
  - reply: final_answer(6)
answer: "6"
`;

const withCalls = `format: vitrine-transcript
version: 2
task: How warm is it in Oslo?
by: hand
steps:
  - reply: Let me look.
    toolCalls:
      - id: a
        name: weather
        arguments: '{"city":"Oslo"}'
    observed: "7"
  - reply: It is 7.
`;

describe("a transcript file", () => {
  test("is YAML", () => {
    const transcript = parseTranscript({ file: "sum.yaml", text: good });

    expect(transcript).toMatchObject({ task: "Sum the column.", by: "hand", answer: "6" });
    expect(transcript.steps[0]?.observed).toBe("Observation:\n[1, 2, 3]\n");
  });

  test("of version 2 may have tool calls", () => {
    const transcript = parseTranscript({ file: "weather.yaml", text: withCalls });

    expect(transcript.version).toBe(2);
    expect(transcript.steps[0]?.toolCalls).toEqual([{ id: "a", name: "weather", arguments: '{"city":"Oslo"}' }]);
  });

  test("may be JSON", () => {
    const transcript = parseTranscript({ file: "sum.yaml", text: good });

    expect(parseTranscript({ file: "sum.json", text: JSON.stringify(transcript, null, 2) })).toEqual(transcript);
  });

  test.each([
    {
      damage: "broken YAML",
      text: good.replace("by: hand", 'by: "hand'),
      line: 4,
      field: null,
      says: /not valid YAML/,
    },
    {
      damage: "another format",
      text: good.replace("vitrine-transcript", "notes"),
      line: 1,
      field: "format",
      says: /expected "vitrine-transcript"/,
    },
    {
      damage: "a later version",
      text: good.replace("version: 1", "version: 3"),
      line: 2,
      field: "version",
      says: /not a version that is known here: 1 or 2/,
    },
    {
      damage: "tool calls in version 1",
      text: withCalls.replace("version: 2", "version: 1"),
      line: 7,
      field: "steps.0.toolCalls",
      says: /needs version 2/,
    },
    {
      damage: "a tool call without a name",
      text: withCalls.replace("        name: weather\n", ""),
      line: 8,
      field: "steps.0.toolCalls.0.name",
      says: /is missing/,
    },
    { damage: "no author", text: good.replace("by: hand\n", ""), line: 1, field: "by", says: /"by" is missing/ },
    { damage: "an empty task", text: good.replace("Sum the column.", '""'), line: 3, field: "task", says: /"task"/ },
    {
      damage: "a step without observation",
      text: good.replace(/ {4}observed: \|\n.*\n.*\n/, ""),
      line: 6,
      field: "steps.0.observed",
      says: /every step but the last/,
    },
    { damage: "a field nobody knows", text: `${good}colour: red\n`, line: 15, field: "colour", says: /"colour"/ },
    {
      damage: "no steps",
      text: "format: vitrine-transcript\nversion: 1\ntask: x\nby: hand\nsteps: []\n",
      line: 5,
      field: "steps",
      says: /"steps"/,
    },
    { damage: "nothing", text: "", line: null, field: null, says: /empty\.yaml/ },
    { damage: "a loose alias", text: "*nowhere", line: null, field: null, says: /empty\.yaml/ },
  ])("with $damage is refused, with file, line and field", ({ text, line, field, says }) => {
    const parse = () => parseTranscript({ file: "empty.yaml", text });

    expect(parse).toThrow(expect.objectContaining({ code: "TRANSCRIPT", file: "empty.yaml", field, line }));
    expect(parse).toThrow(says);
  });

  test("that is damaged leaves the others readable and is listed", () => {
    const { transcripts, problems } = loadTranscripts([
      { file: "a.yaml", text: "format: [" },
      { file: "b.yaml", text: good },
    ]);

    expect(transcripts).toHaveLength(1);
    expect(problems).toEqual([
      { file: "a.yaml", line: 1, code: "TRANSCRIPT", message: expect.stringContaining("a.yaml, line 1") as string },
    ]);
  });
});
