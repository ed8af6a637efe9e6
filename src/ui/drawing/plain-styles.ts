/** What a declaration asks of the browser, beyond giving the element a value. */
export interface Demand {
  /** What laying it out or painting it costs for each element, in boxes that are drawn apart. */
  readonly boxes: number;
  /** Sizes what is in it by more than one pass: a few of them inside one another take exponential time. */
  readonly isLayout?: true;
  /** Costs time for each character below it. */
  readonly isText?: true;
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
    "color|accent-color|background-(?:color|repeat(?:-[xy])?|position(?:-[xy])?|origin|clip|size)",
    "fill(?:-opacity|-rule)?|stroke(?:-width|-linecap|-linejoin|-opacity)?|stop-color|stop-opacity|text-anchor",
    "font-(?:family|style|weight|stretch|width|variant-numeric)|line-height|vertical-align|tab-size",
    "text-(?:transform|decoration(?:-line|-style|-color|-thickness)?|indent|overflow|wrap-mode|underline-offset)",
    "white-space(?:-collapse)?|word-break|overflow-wrap|list-style(?:-type|-position)?|top|right|bottom|left|z-index",
    "flex(?:-grow|-shrink|-basis|-direction|-wrap|-flow)?|order|gap|row-gap|column-gap",
    "(?:align|justify|place)-(?:content|items|self)|grid-auto-(?:rows|columns)",
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
  ...["border-top", "border-right", "border-bottom", "border-left", "border-width", "border-style", "list-style"],
];

/** Values that are not in {@link PLAIN}, or ask for more; a longhand that no entry takes is left out. */
const OTHERS: readonly (readonly [name: RegExp, value: RegExp, demand: Demand])[] = [
  [
    /^display$/,
    /^(?:block|inline|none|list-item|contents|table-(?:row|cell)|(?:table-row|table-header)-group)$/,
    NOTHING,
  ],
  [/^display$/, /^(?:flow-root|inline-block|table|inline-table|(?:inline-)?(?:flex|grid))$/, LAYOUT],
  [/^(?:min-|max-)?(?:width|height|inline-size|block-size)$/, /^(?!.*-content)/, NOTHING],
  [/^(?:min-|max-)?(?:width|height|inline-size|block-size)$/, /^(?:min|max|fit)-content$/, LAYOUT],
  [/^float$/, /^none$/, NOTHING],
  [/^float$/, /^(?:left|right|inline-start|inline-end)$/, LAYOUT],
  [/^clear$/, /^(?:none|left|right|both)$/, NOTHING],
  [/^position$/, /^(?:static|relative)$/, NOTHING],
  [/^position$/, /^absolute$/, LAYOUT],
  [/^position$/, /^sticky$/, LAYER],
  [/^overflow(?:-[xy])?$/, /^visible$/, NOTHING],
  [/^overflow(?:-[xy])?$/, /^(?:hidden|auto|scroll|clip)$/, LAYER],
  [/^opacity$/, /^1$/, NOTHING],
  [/^opacity$/, /^(?:0|0?\.\d+)$/, BOX],
  [/^font(?:-size)?$/, /^(?!.*\d{4})/, NOTHING],
  [/^text-align$/, /^(?!justify)/, NOTHING],
  [/^text-align$/, /^justify$/, TEXT],
  [/^(?:letter-spacing|word-spacing|font-variant-caps)$/, /^(?:normal|0(?:px)?)$/, NOTHING],
  [/^(?:letter-spacing|word-spacing|font-variant-caps)$/, /^/, TEXT],
  [/^text-shadow$/, /^(?:none|(?!.*\d{4})[^,(]*(?:\([^()]*\))?[^,(]*)$/, TEXT],
  [/^box-shadow$/, /^none$/, NOTHING],
  // One shadow or two.
  [/^box-shadow$/, /^(?!.*\d{4})(?:[^,()]|\([^()]*\))+(?:,(?:[^,()]|\([^()]*\))+)?$/, BOX],
  [/^(?:background-image|background)$/, /^(?:none|initial)$/, NOTHING],
  // One gradient, or a custom property that may be one.
  [
    /^(?:background-image|background)$/,
    /^(?:[^,()]|var\([^()]*\)|(?:linear|radial)-gradient\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,300}\)(?!.*gradient))*$/,
    BOX,
  ],
  [/^transform$/, /^(?!.*\d{5})(?:(?:translate[XY]?|rotate|scale[XY]?)\([^()]*\) ?){1,3}$/i, BOX],
  [/^transform$/, /^none$/, NOTHING],
  // A text is drawn as often as there are elements.
  [/^content$/, /^(?:none|normal|"[^"]{0,20}")$/, BOX],
  [/^grid-template-(?:columns|rows)$/, /^(?!.*\d{4})(?!.*repeat\(\d{3})(?!.*subgrid)/, NOTHING],
  [/^grid-(?:row|column)-(?:start|end)$/, /^(?:auto|(?:span )?-?\d{1,2})$/, NOTHING],
  [/^stroke-dasharray$/, /^(?:none|[1-9]\d*(?:\.\d+)?(?:px)?(?:,? [1-9]\d*(?:\.\d+)?(?:px)?){0,7})$/, NOTHING],
];

const LONGEST_VALUE = 300;
const FUNCTIONS =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|calc|min|max|clamp|var|(?:linear|radial)-gradient|repeat|minmax|fit-content|translate[xy]?|rotate|scale[xy]?|)$/i;

/**
 * Holds nothing that loads, and nothing open: a browser writes custom properties as they were, and what they leave open
 * would make code of the texts behind them.
 */
function isSafe(value: string): boolean {
  if (value.length > LONGEST_VALUE || /[\\<>{}@;]|\/\*|\n/.test(value)) return false;
  if (/["'()[\]]/.test(outsideOfFunctions(value.replaceAll(/"[^"]*"|'[^']*'/g, "")))) return false;
  return [...value.matchAll(/([-\w]*)\(/g)].every(([, name = ""]) => FUNCTIONS.test(name));
}

/** What stands for a custom property stands for no other, and is no long list. */
function isSafeCustom(value: string): boolean {
  return (
    isSafe(value) && !/var\(/i.test(value) && (outsideOfFunctions(value).split(",").length <= 2 || !/\d/.test(value))
  );
}

function outsideOfFunctions(value: string): string {
  let text = value;
  for (let last = ""; text !== last;) {
    last = text;
    text = text.replaceAll(/\([^()]*\)/g, "");
  }
  return text;
}

/** What a declaration demands; null for one that is left out. */
function demandOf(name: string, value: string): Demand | null {
  if (name.startsWith("--")) return /^--[-\w]{1,60}$/.test(name) && isSafeCustom(value) ? NOTHING : null;
  if (!isSafe(value)) return null;
  const other = OTHERS.find(([names, values]) => names.test(name) && values.test(value));
  if (other !== undefined) return other[2];
  return PLAIN.test(name) && !/gradient/i.test(value) ? NOTHING : null;
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
    const value = style.getPropertyValue(name).trim();
    const demand = value === "" ? null : demandOf(name, value);
    return demand === null ? [] : { name, value, priority: style.getPropertyPriority(name), demand };
  });
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
}

const NAME = String.raw`(?:[-\w\u00a1-\uffff]|\\[:/.%])+`;
const ATTRIBUTE = String.raw`\[[-\w]+(?:[~|^$*]?="[-\w./#%]*")?\]`;
const NTH = String.raw`:nth-(?:last-)?(?:child|of-type)\((?:odd|even|[-+\dn ]{1,12})\)`;
const PLACE = String.raw`:(?:root|empty|link|any-link|(?:first|last|only)-(?:child|of-type))|${NTH}`;
const STATE = String.raw`:(?:hover|focus|focus-visible|focus-within|active|visited|checked|disabled|enabled)(?![-\w])`;
const SIMPLE = String.raw`[#.]${NAME}|${ATTRIBUTE}|${PLACE}`;
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
  const [, last = ""] = found;
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
    siblings: text.match(/ ~ |:nth-last|:nth-of|of-type/g)?.length ?? 0,
  };
}
