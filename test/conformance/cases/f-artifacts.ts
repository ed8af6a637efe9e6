import { lines, running, type ConformanceCase, type Step } from "../conformance-case.js";

const saved = (name: string, data: string, expected: string = data): Step =>
  running(
    `artifacts.save(${JSON.stringify(name)}, ${data}) and None\n(artifacts.load(${JSON.stringify(name)}) == ${expected}, type(artifacts.load(${JSON.stringify(name)})) is type(${expected})) == (True, True)`,
    { value: true },
  );

/** Section F: artifacts. */
export const artifactCases: readonly ConformanceCase[] = [
  {
    id: "F21",
    title: "list is empty, then in the order of saving with metadata",
    fresh: true,
    steps: [
      running("artifacts.list()", { value: [] }),
      running(
        lines(
          "artifacts.save('z', 1, metadata={'n': 1})",
          "artifacts.save('a', 2)",
          "artifacts.save('m', 3)",
          "[(item.name, item.metadata) for item in artifacts.list()] == [('z', {'n': 1}), ('a', {}), ('m', {})]",
        ),
        { value: true },
      ),
    ],
  },
  {
    id: "F1",
    title: "JSON comes back equal whatever the name",
    steps: [saved("a.json", '{"x": [1, None, True, 1.5]}'), saved("plain", '{"x": [1, None, True, 1.5]}')],
  },
  { id: "F2", title: "a list comes back", steps: [saved("list", "[1, 2]")] },
  { id: "F3", title: "text comes back", steps: [saved("t.txt", '"hello"')] },
  { id: "F4", title: "bytes come back", steps: [saved("image", 'b"\\x89PNG\\x00\\xff"')] },
  { id: "F6", title: "keys become text", steps: [saved("keys", '{1: "a"}', '{"1": "a"}')] },
  { id: "F7", title: "text stays text whatever the name", steps: [saved("s.json", '"not json {"')] },
  { id: "F8", title: "text stays text even where it is JSON", steps: [saved("s2.json", `'{"a": 1}'`)] },
  {
    id: "F9",
    title: "what JSON does not hold is a TypeError and changes nothing",
    steps: [
      running(
        lines(
          "import datetime",
          "before = len(artifacts.list())",
          "caught = []",
          "for data in ({'f': lambda: 1}, [datetime.datetime(2026, 1, 2)]):",
          "    try:",
          "        artifacts.save('bad', data)",
          "    except TypeError as error:",
          "        caught.append('JSON' in str(error))",
          "[caught, len(artifacts.list()) - before, artifacts.exists('bad')]",
        ),
        { value: [[true, true], 0, false] },
      ),
    ],
  },
  {
    id: "F10",
    title: "a function is no artifact",
    steps: [
      running("try:\n    artifacts.save('function', lambda: 1)\nexcept TypeError:\n    caught = True\ncaught", {
        value: true,
      }),
    ],
  },
  {
    id: "F11",
    title: "loading what is not there is ArtifactNotFoundError, or the default",
    steps: [
      running("artifacts.load('missing')", {
        error: { type: "ArtifactNotFoundError", includes: ["Artifact 'missing' not found"] },
      }),
      running("try:\n    artifacts.load('missing')\nexcept Exception as error:\n    name = error.artifact_name\nname", {
        value: "missing",
      }),
      running("artifacts.load('missing', default=7)", { value: 7 }),
    ],
  },
  {
    id: "F12",
    title: "get, exists and delete of what is not there are no errors",
    steps: [
      running("artifacts.get('missing')"),
      running("artifacts.exists('missing')", { value: false }),
      running("artifacts.delete('missing')"),
    ],
  },
  {
    id: "F13",
    title: "save returns what is kept",
    steps: [
      running(
        lines(
          "import datetime",
          "item = artifacts.save('f13', 'x', description='d')",
          "[item.name, type(item.path).__name__, item.description, item.metadata, item.created_at.utcoffset() == datetime.timedelta(0)]",
        ),
        { value: ["f13", "str", "d", {}, true] },
      ),
      running("'_data_type' in artifacts.get('f13').metadata", { value: false }),
    ],
  },
  {
    id: "F14",
    title: "metadata is kept and listed",
    steps: [
      running(
        lines(
          "artifacts.save('f14', 'x', metadata={'src': 't', 'n': 2})",
          "[artifacts.get('f14').metadata, [i.metadata for i in artifacts.list() if i.name == 'f14'][0]]",
        ),
        {
          value: [
            { src: "t", n: 2 },
            { src: "t", n: 2 },
          ],
        },
      ),
    ],
  },
  {
    id: "F15",
    title: "saving again replaces, with one entry",
    steps: [
      running(
        "artifacts.save('ow', 'text')\nartifacts.save('ow', {'a': 1})\n[artifacts.load('ow'), len([i for i in artifacts.list() if i.name == 'ow'])]",
        { value: [{ a: 1 }, 1] },
      ),
    ],
  },
  {
    id: "F16",
    title: "a name cannot lead out of the store",
    steps: [
      running(
        lines(
          "caught = []",
          "for name in ('../x', '/etc/x'):",
          "    for call in (lambda: artifacts.save(name, 1), lambda: artifacts.load(name), lambda: artifacts.get(name),",
          "                 lambda: artifacts.exists(name), lambda: artifacts.delete(name), lambda: artifacts.register(name, 'd')):",
          "        try:",
          "            call()",
          "        except ValueError as error:",
          "            caught.append('Path traversal attempt detected' in str(error))",
          "caught",
        ),
        { value: Array.from({ length: 12 }, () => true) },
      ),
    ],
  },
  { id: "F17", title: "a name may have folders", steps: [saved("sub/dir/x.json", "{'a': 1}")] },
  {
    id: "F18",
    title: "an empty name is a ValueError",
    steps: [running("try:\n    artifacts.save('', 1)\nexcept ValueError:\n    caught = True\ncaught", { value: true })],
  },
  {
    id: "F20",
    title: "the index is reserved",
    steps: [
      running("try:\n    artifacts.save('.artifacts.json', 1)\nexcept ValueError:\n    caught = True\ncaught", {
        value: true,
      }),
    ],
  },
  {
    id: "F22",
    title: "artifacts.path is a folder whose files can be loaded and are not listed",
    steps: [
      running(
        lines(
          "import os",
          "with open(os.path.join(artifacts.path, 'raw.txt'), 'w') as file: file.write('by hand')",
          "[type(artifacts.path).__name__, artifacts.load('raw.txt'), 'raw.txt' in [i.name for i in artifacts.list()]]",
        ),
        { value: ["str", "by hand", false] },
      ),
    ],
  },
  {
    id: "F23",
    title: "register lists a file, and refuses what is not there",
    steps: [
      running(
        "artifacts.register('raw.txt', 'By hand')\n[i.description for i in artifacts.list() if i.name == 'raw.txt']",
        {
          value: ["By hand"],
        },
      ),
      running("artifacts.register('missing', 'd')", { error: { type: "ArtifactNotFoundError" } }),
    ],
  },
  {
    id: "F25",
    title: "three megabytes of text come back",
    steps: [running("artifacts.save('big', 'x' * 3_000_000)\nlen(artifacts.load('big'))", { value: 3_000_000 })],
  },
  {
    id: "F26",
    title: "unicode and nan come back",
    steps: [
      running(
        "artifacts.save('u', {'ü😀': float('nan')})\n[(k, str(v)) == ('ü😀', 'nan') for k, v in artifacts.load('u').items()]",
        {
          value: [true],
        },
      ),
    ],
  },
];
