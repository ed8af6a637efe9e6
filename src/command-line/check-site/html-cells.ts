import { defaultTreeAdapter as tree, html as names, parse, type DefaultTreeAdapterTypes } from "parse5";

/** A run of characters of a file, the last not among them. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A cell in the text of an HTML file. */
export interface FileCell {
  /** Of its start tag, counted from 1. */
  readonly line: number;
  /** Where the author's results are; the text of each is between the tags of its innermost element. */
  readonly outputs: readonly OutputPlace[];
  /** Where the tag ends that closes the code; null where there is no code, or nothing closes it. */
  readonly codeEnd: number | null;
  /** Where the tag begins that opens the code. */
  readonly codeStart: number | null;
}

export interface OutputPlace {
  /** Null where the HTML leaves out a tag. */
  readonly text: Span | null;
  /** Whether it is in a `<pre>`. */
  readonly isPreformatted: boolean;
}

type ElementNode = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** The cells of a page in their order, without those in a `<template>`, as a browser would find them. */
export function cellsIn(html: string): readonly FileCell[] {
  // What has no such word has no such tag, and most pages have none.
  if (!/<vitrine-cell/i.test(html)) return [];
  return [...elementsIn(parse(html, { sourceCodeLocationInfo: true }))]
    .filter(({ tagName }) => tagName === "vitrine-cell")
    .map(fileCell);
}

function fileCell(cell: ElementNode): FileCell {
  const children = cell.childNodes.filter((child) => tree.isElementNode(child));
  const code = children.find(holdsCode)?.sourceCodeLocation;
  return {
    line: cell.sourceCodeLocation?.startLine ?? 1,
    outputs: children.filter(({ tagName }) => tagName === "output").map(outputPlace),
    codeStart: code?.startOffset ?? null,
    codeEnd: code?.endTag?.endOffset ?? null,
  };
}

/** As the widget finds it. */
function holdsCode(child: ElementNode): boolean {
  const { tagName } = child;
  if (attribute(child, "slot") !== "" || tagName === "output" || tagName === "details") return false;
  if (tagName === "pre" || tagName === "template") return true;
  if (tagName === "script") return attribute(child, "type") === "text/x-python";
  return [...elementsIn(child)].some((each) => each.tagName === "pre");
}

function outputPlace(output: ElementNode): OutputPlace {
  const pre = [...elementsIn(output)].find(({ tagName }) => tagName === "pre");
  const code = pre === undefined ? undefined : [...elementsIn(pre)].find(({ tagName }) => tagName === "code");
  const location = (code ?? pre ?? output).sourceCodeLocation;
  const start = location?.startTag?.endOffset;
  const end = location?.endTag?.startOffset;
  return { text: start === undefined || end === undefined ? null : { start, end }, isPreformatted: pre !== undefined };
}

function attribute({ attrs }: ElementNode, name: string): string {
  return attrs.find((each) => each.name === name)?.value ?? "";
}

/** Without recursion: a file may be nested as deep as it likes. */
function* elementsIn(parent: Parent): Generator<ElementNode> {
  const left: DefaultTreeAdapterTypes.ChildNode[] = parent.childNodes.toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!tree.isElementNode(node)) continue;
    if (node.namespaceURI === names.NS.HTML) yield node;
    for (const child of node.childNodes.toReversed()) left.push(child);
  }
}
