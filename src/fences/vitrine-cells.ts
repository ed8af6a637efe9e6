import { aroundFence, CELL_END, cellTag } from "./cell-markup.js";
import { CellFenceError } from "./errors.js";
import { readFenceInfo, type FenceInfo } from "./fence-info.js";
import { linesBefore } from "./place.js";

/** What the plugin uses of markdown-it's tokens. */
export interface MarkdownToken {
  type: string;
  info: string;
  content: string;
  /** First line and the one after the last, counted from 0. */
  map: [number, number] | null;
  level: number;
  block: boolean;
}

/** What the plugin uses of the state of markdown-it's core rules. */
export interface MarkdownState {
  /** The text that is rendered: without front matter, where a plugin takes it off. */
  readonly src: string;
  tokens: MarkdownToken[];
  env?: unknown;
  Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => MarkdownToken;
}

/** What the plugin uses of markdown-it. */
export interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: (state: never) => void): void } };
  render(text: string, env?: unknown): string;
}

/** The page that is rendered with each environment, whole. A plugin used later, or VitePress itself, hands on less. */
const pages = new WeakMap<object, string>();

/**
 * A plugin of markdown-it, and so of VitePress and others that build on it: fences become cells.
 *
 * ````md
 * ```python vitrine session=tour expected
 * print(6 * 7)
 * ```
 *
 * ```text vitrine-output
 * 42
 * ```
 * ````
 *
 * The fence itself is drawn by the site, with its own highlighter; around it comes `<vitrine-cell>` with the attributes that
 * its line names. Fences that follow belong to the cell: `vitrine-output` is the author's result, `vitrine-setup`,
 * `vitrine-check` (with `wants="…"`) and `vitrine-solution` are its other parts. All of it can be read without a script.
 *
 * @throws {CellFenceError} while the site is built, where a line cannot be read or a part has no cell before it.
 */
export function vitrineCells(markdown: MarkdownIt): void {
  const render = markdown.render.bind(markdown);
  markdown.render = (text, env: unknown = {}) => {
    if (typeof env === "object" && env !== null) pages.set(env, text);
    return render(text, env);
  };
  markdown.core.ruler.push("vitrine-cells", (state: MarkdownState) => {
    state.tokens = withCells(state);
  });
}

function withCells(state: MarkdownState): MarkdownToken[] {
  const tokens: MarkdownToken[] = [];
  let isOpen = false;
  const add = (html: string, level: number): void => {
    if (html !== "") tokens.push(htmlToken(state, html, level));
  };
  const close = (level: number): void => {
    if (isOpen) add(CELL_END, level);
    isOpen = false;
  };
  let level = 0;
  for (const token of state.tokens) {
    const info = token.type === "fence" ? infoOf(token, state) : null;
    if (info === null) close(level);
    else {
      ({ level } = token);
      addFence(token, info);
    }
    if (info === null) tokens.push(token);
  }
  close(level);
  return tokens;

  function addFence(token: MarkdownToken, info: FenceInfo): void {
    if (info.role === "cell") {
      close(token.level);
      add(cellTag(info.attributes), token.level);
      isOpen = true;
    } else if (!isOpen) {
      throw new CellFenceError(
        placeOf(token, state),
        `This ${info.role} has no cell before it. It follows the fence of its cell, with nothing between.`,
      );
    }
    const { before, after } = aroundFence(info);
    add(before, token.level);
    // What the site's renderer reads is a fence as any other.
    token.info = info.language;
    tokens.push(token);
    add(after, token.level);
  }
}

function infoOf(token: MarkdownToken, state: MarkdownState): FenceInfo | null {
  return readFenceInfo(token.info, (reason) => new CellFenceError(placeOf(token, state), reason));
}

function htmlToken(state: MarkdownState, html: string, level: number): MarkdownToken {
  const token = new state.Token("html_block", "", 0);
  token.content = `${html}\n`;
  token.level = level;
  token.block = true;
  return token;
}

function placeOf({ map }: MarkdownToken, { src, env }: MarkdownState): string {
  const isObject = typeof env === "object" && env !== null;
  const before = isObject ? linesBefore(pages.get(env) ?? src, src) : 0;
  const line = `line ${String(before + (map?.[0] ?? 0) + 1)}`;
  // VitePress says which file it is.
  const path = isObject && "relativePath" in env ? env.relativePath : undefined;
  return typeof path === "string" ? `${path}, ${line}` : `Markdown, ${line}`;
}
