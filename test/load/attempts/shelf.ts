import type { LoadAttempt } from "./attempt.js";

const kept = (tab: NonNullable<LoadAttempt["tab"]>, name: string, code: string): LoadAttempt => ({
  name,
  entry: "the shelf",
  code,
  refusedWith: null,
  isSliced: false,
  tab,
  bound: "lists",
});

/** What the demo's shelf draws of a session, while code works on it. */
export const shelfAttempts: readonly LoadAttempt[] = [
  kept("files", "5,000 files on the shelf", `for number in range(4999):\n    open(f"{number:05}.txt", "w").write("x")`),
  kept(
    "artifacts",
    "four hundred artifacts on the shelf",
    `for number in range(400):\n    artifacts.save(f"{number:05}.json", "[1, 2, 3]")`,
  ),
  kept(
    "skills",
    "a hundred long skills on the shelf",
    [
      "lines = '\\n'.join(f'    value{n} = sum(values[{n}:]) + {n}  # all' for n in range(400))",
      "for number in range(100):",
      "    skills.create(name=f'long{number}', source=f'def run(values):\\n{lines}\\n    return value0', description='')",
    ].join("\n"),
  ),
  kept(
    "tools",
    "sixty tools of code on the shelf",
    [
      "properties = {f'parameter{n}': {'type': 'string', 'description': 'x'} for n in range(800)}",
      "for number in range(60):",
      "    artifacts._bridge.request('tools.register', {'name': f'many{number}', 'description': 'words ' * 5000, 'inputSchema': {'type': 'object', 'properties': properties}, 'outputSchema': None, 'timeout': None, 'source': f'def many{number}(): return 1'})",
    ].join("\n"),
  ),
  kept(
    "trace",
    "a thousand calls in the trace",
    ["for number in range(1000):", "    try: tools.assistant(unknown=number)", "    except Exception: pass"].join("\n"),
  ),
];
