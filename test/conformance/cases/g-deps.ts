import { lines, running, type ConformanceCase } from "../conformance-case.js";

/** Section G: packages. Installing wheels is tried in test/browser/session/deps.test.ts. */
export const depsCases: readonly ConformanceCase[] = [
  {
    id: "G1",
    title: "a fresh session has no packages",
    fresh: true,
    steps: [
      running("deps.list()", { value: [] }),
      running(
        "result = deps.sync()\n[sorted(result.installed), sorted(result.already_present), sorted(result.failed)]",
        {
          value: [[], [], []],
        },
      ),
    ],
  },
  {
    id: "G2",
    title: "deps says how many it has",
    steps: [running("repr(deps)", { value: "<DepsNamespace: 0 package(s) configured>" })],
  },
  {
    id: "G4",
    title: "specifications that are none are refused and not stored",
    steps: [
      running(
        lines(
          "bad = ['', ' ', 'x @ https://h/x.whl', 'x; python_version>\"3\"', 'x()', 'x & y', 'x | y', '$x', '`x`', 'x\\ny', 'x\\0',",
          "       'x' * 257, '-x', '_x', ' x', 'x ', 'https://h/x.whl', './x', 'git+https://h/x', 'emfs:/x.whl']",
          "accepted = []",
          "for spec in bad:",
          "    try:",
          "        deps.add(spec)",
          "        accepted.append(spec)",
          "    except ValueError:",
          "        pass",
          "[accepted, deps.list()]",
        ),
        { value: [[], []] },
      ),
    ],
  },
  {
    id: "G6",
    title: "removing an unknown package is False",
    steps: [running('deps.remove("unknown")', { value: false })],
  },
];
