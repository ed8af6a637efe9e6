import { describe, expect, test } from "vitest";

import type { TextInterpreter } from "../../../src/write-code/index.js";
import { prepareTexts } from "../../../src/write-code/text/prepare-texts.js";
import { countTurns } from "../count-turns.js";

/** Repairs one mistake, and notes what it was asked. */
function repairing(asked: string[][] = []): () => Promise<TextInterpreter> {
  return () =>
    Promise.resolve({
      check: () => Promise.resolve([]),
      repair: (texts) => {
        asked.push([...texts]);
        return Promise.resolve({ texts: texts.map((text) => text.replaceAll("Ã¶", "ö")), isRepaired: true });
      },
    });
}

const none = (): Promise<TextInterpreter> => Promise.reject(new Error("There is none."));

async function prepared(text: string, interpreter = none): Promise<{ text: string; warnings: readonly string[] }> {
  const [only] = await prepareTexts([{ path: "a.py", text }], interpreter);
  if (only === undefined) throw new TypeError("There is one.");
  return only;
}

describe("a text of a model", () => {
  test.each([
    ["CRLF", "a\r\nb\r\n", "a\nb\n"],
    ["CR alone", "a\rb", "a\nb\n"],
    ["no final newline", "a", "a\n"],
    ["several final newlines", "a\n\n\r\n", "a\n"],
    ["an empty text", "", ""],
    ["nothing but ends of lines", "\r\n\n", ""],
    ["white space at the end of its last line", "a  \n", "a  \n"],
  ])("with %s ends its lines with a line feed, and its last one once (W54)", async (_what, given, text) => {
    expect(await prepared(given)).toEqual({ text, warnings: [] });
  });

  test("loses a byte order mark, NUL and escape sequences of terminals, and says so", async () => {
    const { text, warnings } = await prepared(
      "\ufeffx = 1\0\0\n\u001b[1;31mred\u001b[0m \u001b]8;;http://a\u0007link\ny = '\u001b'\n",
    );

    expect(text).toBe("x = 1\nred link\ny = '\u001b'\n");
    expect(warnings).toEqual([
      "A byte order mark was taken away.",
      "NUL characters were taken away: 2.",
      "Escape sequences of a terminal were taken away: 3.",
    ]);
  });

  test("keeps U+2028 and U+2029, which strings of JavaScript and JSON may hold", async () => {
    const given = '{"a": "one\u2028two\u2029three"}\n';

    expect(await prepared(given)).toEqual({ text: given, warnings: [] });
  });

  test.each([
    "if (a &lt; b) { s.replace('&amp;', '&') }\n",
    "“curly” ‘quotes’, ﬁne ligatures, ｆｕｌｌ ｗｉｄｔｈ\n",
    "schön, naïve, café, Größe, 日本語, Привет, Ελλάδα, ☃ 🎉\n",
    "cafe\u0301 stays decomposed\n",
  ])("is not touched where nothing looks like mojibake, and no interpreter is asked: %s", async (given) => {
    expect(await prepared(given)).toEqual({ text: given, warnings: [] });
  });

  test("with ends of lines and escapes at the seams of pieces comes out as if it were one piece", async () => {
    for (const shift of [0, 1, 2, 3, 4, 5]) {
      const line = `${"x".repeat(65_530 + shift)}\r\n\u001b[1m${"y".repeat(65_530)}\r\r\n`;

      const { text } = await prepared(line);

      expect(text === `${"x".repeat(65_530 + shift)}\n${"y".repeat(65_530)}\n`).toBe(true);
    }
  });

  test("of five megabytes lets the page go on", async () => {
    const given = "value = 'größer'  # \u001b[0m\r\n".repeat(200_000);

    const turns = countTurns();
    const { text } = await prepared(given);

    expect(turns()).toBeGreaterThan(100);
    expect(text.length).toBe("value = 'größer'  # \n".length * 200_000);
  });
});

describe("mojibake", () => {
  test("is repaired line by line, in one go for all files, and said (W52)", async () => {
    const asked: string[][] = [];

    const results = await prepareTexts(
      [
        { path: "a.py", text: 'name = "schÃ¶n"\r\nother = "schön"\n' },
        { path: "b.js", text: "ascii()" },
        { path: "c.md", text: "plain\n\nhÃ¶her" },
      ],
      repairing(asked),
    );

    expect(asked).toEqual([['name = "schÃ¶n"', "hÃ¶her"]]);
    expect(results).toEqual([
      { text: 'name = "schön"\nother = "schön"\n', warnings: ["Mojibake was repaired: line 1."] },
      { text: "ascii()\n", warnings: [] },
      { text: "plain\n\nhöher\n", warnings: ["Mojibake was repaired: line 3."] },
    ]);
  });

  test.each(["schÃ¶n", "itâ€™s", "Ã  la carte", "РџСЂРёРІРµС‚", "‚Äútext‚Äù", "sch├╢n", "Å‚Ã³dÅº", "ä½ å¥½"])(
    "%s has an interpreter look",
    async (text) => {
      const asked: string[][] = [];

      await prepared(text, repairing(asked));

      expect(asked).toEqual([[text]]);
    },
  );

  test("is left where ftfy sees none, without a word", async () => {
    expect(await prepared("mężczyzna\n", repairing())).toEqual({ text: "mężczyzna\n", warnings: [] });
  });

  test("is left where it cannot be repaired, with the reason", async () => {
    const { text, warnings } = await prepared("a = 1\nschÃ¶n\n");

    expect(text).toBe("a = 1\nschÃ¶n\n");
    expect(warnings).toEqual([
      "What looks like mojibake stayed as it is, since what repairs it is not to be had (There is none.): line 2.",
    ]);
  });

  test("in a line far too long is left, and said", async () => {
    const given = `${"x".repeat(200_000)}Ã¶\n`;

    const { text, warnings } = await prepared(given, repairing());

    expect(text === given).toBe(true);
    expect(warnings).toEqual([
      "Lines that look like mojibake are too long or too many to be looked at, and stay as they are.",
    ]);
  });

  test("a stop ends the wait for the interpreter", async () => {
    const stop = new AbortController();
    const preparing = prepareTexts(
      [{ path: "a.py", text: "schÃ¶n" }],
      () => {
        stop.abort(new Error("stopped"));
        return Promise.reject(new Error("It was ended."));
      },
      { signal: stop.signal },
    );

    await expect(preparing).rejects.toThrow("stopped");
  });
});
