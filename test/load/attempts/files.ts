import { everywhere, type LoadAttempt } from "./attempt.js";

const made = (name: string, code: readonly string[], rest: Partial<LoadAttempt> = {}): LoadAttempt => ({
  name,
  entry: "file tools",
  code: code.join("\n"),
  refusedWith: null,
  isSliced: true,
  bound: "slices",
  ...rest,
});

/** How many there may be, bounds the work on each. */
const FEW = { harmless: everywhere("a workspace has 5,000 files at most, which are gone through in less time") };

/** Takes back what was written, so that the next attempt finds the place as it was. */
const TIDY = "import shutil; shutil.rmtree('many', ignore_errors=True)";

const many = (count: number, text: string): readonly string[] => [
  "import os",
  `for number in range(${String(count)}):`,
  "    os.makedirs(f'many/{number % 50}', exist_ok=True)",
  `    open(f'many/{number % 50}/{number}.txt', 'w').write(${text})`,
];

/** What the file tools do on the page's thread, for files that code made for it. */
export const fileAttempts: readonly LoadAttempt[] = [
  made(
    "a search through 4,000 files",
    [...many(4000, "'words in a line\\n' * 200"), "tools.grep_files(pattern='none')", TIDY],
    FEW,
  ),
  made(
    "a listing of 4,900 files",
    [...many(4900, "'x'"), "tools.list_dir(dir_path='/workspace', depth=9, limit=9000)", TIDY],
    FEW,
  ),
  made("ninety thousand lines of a file", [
    "open('long.txt', 'w').write('words in a line\\n' * 1_900_000)",
    "tools.read_file(file_path='/workspace/long.txt', offset=1_800_000, limit=90_000)",
    "import os; os.remove('long.txt')",
  ]),
  made(
    "a patch whose lines are looked for in four million",
    [
      "open('alike.txt', 'w').write('a\\n' * 4_000_000)",
      "chunks = ''.join('@@\\n' + '-a\\n' * 400 + '-b\\n+c\\n' for _ in range(100))",
      "import os",
      "try: tools.apply_patch(input='*** Begin Patch\\n*** Update File: alike.txt\\n' + chunks + '*** End Patch')",
      "finally: os.remove('alike.txt')",
    ],
    {
      refusedWith: "TOOL_CALL",
      says: "Failed to find expected lines",
      // Text is decoded quickly: many pieces of it in the time that work may take at a stretch.
      allows: { decoded: 20_000_000 },
    },
  ),
  made(
    "a file of 100 MB to read",
    [
      "open('large.txt', 'wb').write(bytes(100_000_000))",
      "import os",
      "try: tools.read_file(file_path='/workspace/large.txt')",
      "finally: os.remove('large.txt')",
    ],
    {
      refusedWith: "FILE_TOO_LARGE",
      says: "33,554,432",
      isSliced: false,
      harmless: everywhere("it is refused by its size, before it is read"),
    },
  ),
];
