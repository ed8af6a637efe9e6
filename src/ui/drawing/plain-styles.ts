/** What a declaration asks of the browser, beyond giving the element a value. */
export interface Demand {
  /** What laying it out or painting it costs for each element, in boxes that are drawn apart. */
  readonly boxes: number;
  /** Sizes what is in it by more than one pass: a few of them inside one another take exponential time. */
  readonly isLayout?: true;
  /** Costs time for each character below it. */
  readonly isText?: true;
}

export interface PlainDeclaration {
  readonly name: string;
  readonly value: string;
  readonly priority: string;
  readonly demand: Demand;
}

/** Those of a block that may stay, as the browser has read them. */
export function plainDeclarations(style: CSSStyleDeclaration): readonly PlainDeclaration[] {
  const names = [...SHORTHANDS.filter((name) => style.getPropertyValue(name).includes("var(")), ...style];
  return names.flatMap((name) => {
    const value = style.getPropertyValue(name).trim().replaceAll(/\s+/g, " ");
    const demand = value === "" ? null : demandOf(name, value);
    return demand === null ? [] : { name, value, priority: style.getPropertyPriority(name), demand };
  });
}

const NOTHING: Demand = { boxes: 0 };
const BOX: Demand = { boxes: 1 };
const LAYOUT: Demand = { boxes: 1, isLayout: true };
const TEXT: Demand = { boxes: 0, isText: true };
/** WebKit draws each box that clips what is in it, or moves with what scrolls, as a layer. */
const LAYER: Demand = { boxes: 5 };

/** Longhands whose values may be whatever {@link isSafe} lets through. */
const PLAIN = new RegExp(
  `^(?:${[
    "(?:margin|padding|inset)(?:-(?:block|inline)(?:-start|-end)?|-top|-right|-bottom|-left)?",
    "border(?:-(?:block|inline)(?:-start|-end)?|-top|-right|-bottom|-left)?(?:-width|-style|-color)?",
    "border-(?:(?:top|bottom)-(?:left|right)-|(?:start|end)-(?:start|end)-)?radius",
    "border-(?:collapse|spacing)|caption-side|empty-cells|table-layout|box-sizing|visibility|cursor|user-select",
    "color|accent-color|background-(?:color|repeat(?:-[xy])?|position(?:-[xy])?|origin|size)",
    "fill(?:-opacity|-rule)?|stroke(?:-width|-linecap|-linejoin|-opacity)?|stop-color|stop-opacity|text-anchor",
    "font-(?:family|style|weight|stretch|width|variant-numeric)|line-height|vertical-align|tab-size",
    "text-(?:transform|decoration(?:-line|-style|-color|-thickness)?|indent|overflow|wrap-mode|underline-offset)",
    "white-space(?:-collapse)?|word-break|overflow-wrap|list-style-position|top|right|bottom|left|z-index",
    "flex(?:-grow|-shrink|-basis|-direction|-wrap|-flow)?|order|gap|row-gap|column-gap",
    "(?:align|justify|place)-(?:content|items|self)|grid-auto-(?:rows|columns)",
    "aspect-ratio|object-(?:fit|position)|outline(?:-width|-style|-color|-offset)?",
  ].join("|")})$`,
);

/** Those that are declared as a whole where a part of them is a custom property. */
const SHORTHANDS = [
  ...[
    "background",
    "margin",
    "padding",
    "font",
    "flex",
    "gap",
    "border-radius",
    "border",
    "border-color",
    "text-decoration",
  ],
  ...["border-top", "border-right", "border-bottom", "border-left", "border-width", "border-style", "outline"],
  ...["inset", "margin-inline", "margin-block", "padding-inline", "padding-block", "border-inline", "border-block"],
];

/** A number of four digits before its point, which is no part of a colour. */
const LARGE = String.raw`(?<![\w.#])\d{4}`;

/** Clips what is behind an element by the letters in it. */
const WORD_TEXT = String.raw`(?<![-\w"'])text(?![-\w"'])`;

/** What a custom property stands for may hold commas, which make one shadow two: so there are few of them. */
const MANY_CUSTOMS = String.raw`(?:.*var\(){4}`;

/** Values that are not in {@link PLAIN}, or ask for more; a longhand that no entry takes is left out. */
const OTHERS: readonly (readonly [name: RegExp, value: RegExp, demand: Demand])[] = [
  [/^display$/, /^(?:block|inline|none|contents|table-(?:row|cell)|(?:table-row|table-header)-group)$/, NOTHING],
  [/^display$/, /^list-item$/, BOX],
  [/^display$/, /^(?:flow-root|inline-block|table|inline-table|(?:inline-)?(?:flex|grid))$/, LAYOUT],
  [/^(?:min-|max-)?(?:width|height|inline-size|block-size)$/, /^(?!.*-content)/i, NOTHING],
  [/^(?:min-|max-)?(?:width|height|inline-size|block-size)$/, /^(?:min|max|fit)-content$/, LAYOUT],
  [/^float$/, /^none$/, NOTHING],
  [/^float$/, /^(?:left|right|inline-start|inline-end)$/, LAYOUT],
  [/^clear$/, /^(?:none|left|right|both)$/, NOTHING],
  [/^position$/, /^(?:static|relative)$/, NOTHING],
  [/^position$/, /^absolute$/, BOX],
  [/^position$/, /^sticky$/, LAYER],
  [/^overflow(?:-[xy])?$/, /^visible$/, NOTHING],
  [/^overflow(?:-[xy])?$/, /^(?:hidden|auto|scroll|clip)$/, LAYER],
  [/^opacity$/, /^1$/, NOTHING],
  [/^opacity$/, /^(?:0|0?\.\d+)$/, BOX],
  [/^font(?:-size)?$/, new RegExp(`^(?!.*${LARGE}|.*\\*)`), NOTHING],
  [/^background-clip$/, /^(?:border|padding|content)-box$/, NOTHING],
  // A text is drawn as often as there are items.
  [/^list-style-type$/, /^(?:[-a-z]+|"[^"]{0,20}")$/, NOTHING],
  [/^text-align$/, /^(?!.*justify)/i, NOTHING],
  [/^text-align$/, /^justify$/, TEXT],
  [/^(?:letter-spacing|word-spacing|font-variant-caps)$/, /^(?:normal|0(?:px)?)$/, NOTHING],
  [/^(?:letter-spacing|word-spacing|font-variant-caps)$/, /^/, TEXT],
  [/^text-shadow$/, new RegExp(String.raw`^(?!.*${LARGE})[^,(]*(?:\([^()]*\))?[^,(]*$`), TEXT],
  [/^box-shadow$/, /^none$/, NOTHING],
  // Up to three shadows.
  [
    /^box-shadow$/,
    new RegExp(String.raw`^(?!.*${LARGE}|${MANY_CUSTOMS})(?:[^,()]|\([^()]*\))+(?:,(?:[^,()]|\([^()]*\))+){0,2}$`, "i"),
    BOX,
  ],
  [/^(?:background-image|background)$/, /^(?:none|initial)$/, NOTHING],
  // One gradient, or a custom property that may be one.
  [
    /^(?:background-image|background)$/,
    new RegExp(
      String.raw`^(?!.*${WORD_TEXT}|${MANY_CUSTOMS})(?:[^,()]|var\([^()]*\)|` +
        String.raw`(?:linear|radial|conic)-gradient\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?!.*gradient))*$`,
      "i",
    ),
    BOX,
  ],
  [/^transform$/, /^(?!.*(?<![\w.])\d{5})(?:(?:translate[XY]?|rotate|scale[XY]?)\([^()]*\) ?){1,3}$/i, BOX],
  [/^transform$/, /^none$/, NOTHING],
  // A text is drawn as often as there are elements.
  [/^content$/, /^(?:none|normal|"[^"]{0,20}")$/, BOX],
  [/^grid-template-(?:columns|rows)$/, new RegExp(String.raw`^(?!.*${LARGE}|.*repeat\(\d{3}|.*subgrid)`, "i"), NOTHING],
  [/^grid-template-areas$/, /^(?:none|(?:"[-\w. ]{1,100}" ?){1,10})$/, NOTHING],
  [/^grid-(?:row|column)-(?:start|end)$/, /^(?:auto|(?:span )?-?\d{1,2}|[a-z][-\w]{0,30})$/i, NOTHING],
  [/^stroke-dasharray$/, /^(?:none|[1-9]\d*(?:\.\d+)?(?:px)?(?:,? [1-9]\d*(?:\.\d+)?(?:px)?){0,7})$/, NOTHING],
];

const LONGEST_VALUE = 600;
const FUNCTIONS =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|calc|min|max|clamp|var|(?:linear|radial|conic)-gradient|repeat|minmax|fit-content|translate[xy]?|rotate|scale[xy]?|)$/i;

/**
 * Holds nothing that loads, and nothing open: a browser writes custom properties as they were, and what they leave open
 * would make code of the texts behind them.
 */
function isSafe(value: string): boolean {
  if (value.length > LONGEST_VALUE || /[\\<>{}@;]|\/\*|(?<![#\w])\.?\d[\d.]*e[-+]?\d/i.test(value)) return false;
  if (/["'()[\]]/.test(outsideOfFunctions(value.replaceAll(/"[^"]*"|'[^']*'/g, "")))) return false;
  return [...value.matchAll(/([-\w]*)\(/g)].every(([, name = ""]) => FUNCTIONS.test(name));
}

/** Wide pages have a thousand pixels and more. */
const TOO_LARGE = LARGE.replace(String.raw`\d`, String.raw`(?!1\d{3}(?!\d))\d`);

/** What gets past the bounds of a property that takes it from a custom property, or that its default has. */
const IMMODEST = new RegExp(String.raw`-content|repeat\(|justify|${WORD_TEXT}|^\s*,|,\s*(?:\)|$)|${TOO_LARGE}`, "i");

/** Is no long list, and nothing for which a property would be charged. */
function isModest(value: string): boolean {
  const items = outsideOfFunctions(value).split(",");
  return !IMMODEST.test(value) && items.filter((item) => /\d/.test(item)).length <= 2;
}

/** May be another, or that one's default: a value that holds others would let a few stand for very many. */
function isSafeCustom(value: string): boolean {
  if (!isSafe(value)) return false;
  let rest = value;
  for (let last = ""; rest !== last;) {
    last = rest;
    rest = rest.replace(/^var\(--[-\w]+ ?(?:,(.*))?\)$/i, "$1").trim();
  }
  return !/var\(/i.test(rest) && !/[()]/.test(outsideOfFunctions(rest)) && isModest(rest);
}

/** With a digit for the arguments of each. */
function outsideOfFunctions(value: string): string {
  let text = value;
  for (let last = ""; text !== last;) {
    last = text;
    text = text.replaceAll(/\([^()]*\)/g, "0");
  }
  return text;
}

/** What a declaration demands; null for one that is left out. */
function demandOf(name: string, value: string): Demand | null {
  if (name.startsWith("--")) return /^--[-\w]{1,60}$/.test(name) && isSafeCustom(value) ? NOTHING : null;
  if (!isSafe(value) || !isModest(/var\(--[-\w]+ ?,(.*)/i.exec(value)?.[1] ?? "")) return null;
  const other = OTHERS.find(([names, values]) => names.test(name) && values.test(value));
  if (other !== undefined)
    return name.startsWith("grid-template") ? { boxes: Math.floor(tracksOf(value) / 10) } : other[2];
  return PLAIN.test(name) && !/gradient/i.test(value) ? NOTHING : null;
}

/** Columns or rows; those that are as many as fit count for twenty times what is repeated. */
function tracksOf(value: string): number {
  const more = [...value.matchAll(/repeat\((\d+|auto-fi[lt]+),((?:[^()]|\([^()]*\))*)/gi)].map(
    ([, count = "", tracks = ""]) => (Number(count) || 20) * tracks.trim().split(" ").length,
  );
  return more.reduce((sum, count) => sum + count, value.split(" ").length);
}

export interface PlainSelector {
  /** As it stands in the style sheet. */
  readonly text: string;
  /** The same without what comes and goes, which finds the elements that it may ever apply to. */
  readonly lasting: string;
  /** What its last part asks for: `#id`, `.class`, `tag`, or `*`. */
  readonly key: string;
  /** Steps from an element to others of the document that it takes: to ancestors, and to siblings. */
  readonly climbs: number;
  readonly siblings: number;
  /** To the siblings of the element itself. */
  readonly ownSiblings: number;
  /** Such as `::before`, which is no element; empty for an element. */
  readonly pseudo: string;
}

const NAME = String.raw`(?:[-\w\u00a1-\uffff]|\\[:/.%])+`;
const ATTRIBUTE = String.raw`\[[-\w]+(?:[~|^$*]?="[-\w./#%]*")?\]`;
const NTH = String.raw`:nth-(?:last-)?(?:child|of-type)\((?:odd|even|[-+\dn ]{1,12})\)`;
const POSITION = String.raw`:(?:root|empty|link|any-link|(?:first|last|only)-(?:child|of-type))|${NTH}`;
const STATE = String.raw`:(?:hover|focus|focus-visible|focus-within|active|visited|checked|disabled|enabled)(?![-\w])`;
const SIMPLE = String.raw`[#.]${NAME}|${ATTRIBUTE}|${POSITION}`;
const COMPOUND = String.raw`(?:\*|[a-zA-Z][-\w]*)?(?:${SIMPLE}|${STATE}|:not\((?:${SIMPLE}|[a-z][-\w]*)\))*`;
const COMPLEX = new RegExp(
  String.raw`^(?:${COMPOUND}(?: > | \+ | ~ | ))*(${COMPOUND})(::?(?:before|after|marker|placeholder))?$`,
);
const STATES = new RegExp(String.raw`(?<!\\)${STATE}`, "g");
const CONDITIONS = new RegExp(String.raw`${ATTRIBUTE}|(?<!\\):[-\w]+(?:\([^()]*\))?`, "g");
const LONGEST_SELECTOR = 200;

/** One selector of a list, as the browser writes it; null where it asks for more than that. */
export function plainSelector(text: string): PlainSelector | null {
  if (text.length > LONGEST_SELECTOR || text === "") return null;
  const found = COMPLEX.exec(text);
  if (found === null) return null;
  const [, last = "", pseudo = ""] = found;
  const lasting = text
    .replace(/(?<!\\)::?(?:before|after|marker|placeholder)$/, "")
    .replaceAll(STATES, "")
    .replaceAll(/(^| )(?= [>+~] |$| )/g, "$1*");
  const bare = last.replaceAll(CONDITIONS, "");
  const [id] = /#(?:[^#.:[\\]|\\.)+/.exec(bare) ?? [];
  const [className] = /\.(?:[^#.:[\\]|\\.)+/.exec(bare) ?? [];
  const [tag] = /^[a-zA-Z][-\w]*/.exec(bare) ?? [];
  return {
    text,
    lasting: lasting === "" ? "*" : lasting,
    key: (id ?? className)?.replaceAll("\\", "") ?? tag?.toLowerCase() ?? "*",
    climbs: text.match(/ (?![>+~])(?<![>+~] )/g)?.length ?? 0,
    siblings: siblingsOf(text) - siblingsOf(last),
    ownSiblings: siblingsOf(last),
    pseudo,
  };
}

function siblingsOf(text: string): number {
  return text.match(/ ~ |:nth-last|:nth-of|of-type/g)?.length ?? 0;
}

const MARK = /\\[^]|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|[()[\],;]/g;

/** A text in parts, where a mark is outside of brackets, strings and comments. */
export function* partsOf(text: string, mark: "," | ";"): Iterable<string> {
  let begin = 0;
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(MARK)) {
    if (found === "(" || found === "[") depth += 1;
    if (found === ")" || found === "]") depth -= 1;
    if (found !== mark || depth > 0) continue;
    yield text.slice(begin, index);
    begin = index + 1;
  }
  yield text.slice(begin);
}

/**
 * Whether the browser no longer tells what a declaration was once another overrides a part of it: a shorthand with a custom
 * property. Those behind it are parsed apart.
 */
export function hidesParts(declaration: string): boolean {
  return /var\(/i.test(declaration) && !/^(?:\s|\/\*[^]*?\*\/)*--/.test(declaration);
}
