import { everywhere, inTwoEngines, type LoadAttempt } from "./attempt.js";

const made = (name: string, code: readonly string[], rest: Partial<LoadAttempt> = {}): LoadAttempt => ({
  name,
  entry: "write_codebase_tool",
  code: code.join("\n"),
  refusedWith: null,
  isSliced: true,
  bound: "slices",
  ...rest,
});

/** One file, of which the model on the page says what the description asks for. */
const asks = (what: string, expects: string): string[] => [
  `answer = tools.write_codebase_tool(command='write_codebase', files=[{'filename': 'written.py', 'code_description': '${what}'}])`,
  `assert ${expects}, str(answer)[:500]`,
];

/** A million characters are what a reply may have, so that no more than that is ever gone through. */
const SHORT = {
  isSliced: false,
  harmless: everywhere("a million characters of plain text are gone through in less time"),
};

/** Lines of both versions beyond which they are not compared. */
const FEW_LINES = {
  isSliced: false,
  harmless: everywhere("to compare that many lines takes some tens of milliseconds"),
};

const WRITTEN = "answer['output']['files_successful'] == 1";
const FAILED = "answer['error'] is not None";

/** What the page does with replies of models that code of a session asks for, and with what that code says itself. */
export const writeCodeAttempts: readonly LoadAttempt[] = [
  made("a reply of five million characters", asks("280000 lines of a comment", FAILED), {
    isSliced: false,
    bound: "replies",
    harmless: inTwoEngines("what is done with so long a text is done in slices"),
  }),
  made("a reply of twenty million characters", asks("1200000 lines of a comment", FAILED), {
    isSliced: false,
    bound: "replies",
  }),
  made("a file of nearly a million characters", asks("55000 lines of a comment", WRITTEN), SHORT),
  made(
    "fifty thousand lines of a file changed",
    ["open('written.py', 'w').write('a = 1\\n' * 50_000)", ...asks("50000 assignments of two", WRITTEN)],
    { isSliced: false, harmless: everywhere("texts of so many lines are not compared line by line") },
  ),
  made(
    "as many lines of a file changed as are compared",
    ["open('written.py', 'w').write('a = 1\\n' * 24_900)", ...asks("24900 assignments of two", WRITTEN)],
    FEW_LINES,
  ),
  made(
    "as many lines of a file in another order as are compared",
    [
      "open('written.py', 'w').write(''.join(f'a = {number}\\n' for number in range(24_900)))",
      ...asks("24900 assignments in another order", WRITTEN),
    ],
    FEW_LINES,
  ),
  made("a reply of fences", asks("90000 fences that open", "answer"), SHORT),
  made("a reply of strings with fences in them", asks("60000 fences in strings", "answer"), SHORT),
  made("a reply of escapes", asks("400000 escapes of a terminal", "answer"), SHORT),
  made("a reply of one line", asks("900000 letters of one line", "answer"), SHORT),
  made("a reply of mojibake", asks("300000 letters that were read wrongly", "answer"), SHORT),
  made(
    "names and imports that are as long as they may be",
    [
      "imports = ['a' * 500 + '.' + 'b' * 490 + str(number) for number in range(200)]",
      "files = [{'filename': '/'.join([f'n{number}'] * 60) + '.py', 'code_description': 'x' * 100_000,",
      "          'external_imports': imports, 'internal_imports': imports} for number in range(5)]",
      "answer = tools.write_codebase_tool(command='write_codebase', files=files)",
      "import shutil",
      "for number in range(5): shutil.rmtree(f'n{number}', ignore_errors=True)",
    ],
    { harmless: everywhere("places where no file can be are left out, and what is left takes about that long") },
  ),
];
