import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "@typescript/typescript6";
import { expect, test } from "vitest";

import { LONG_TEST } from "../timeouts.mjs";
import { checker, isTypeOnly, publicExports, source } from "./public-program.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const names = new Map(publicExports().map((symbol) => [original(symbol), symbol.name]));
/** Those whose instances users get, and which they cannot make themselves. */
const onlyTypes = new Set(publicExports().filter(isTypeOnly).map(original));

function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function ownDeclarations({ declarations = [] }: ts.Symbol): ts.Declaration[] {
  return declarations.filter((each) => each.getSourceFile().fileName.startsWith(source));
}

/** Every part of the public declarations that users see: no bodies, nothing private, nothing marked `@internal`. */
function* seen(node: ts.Node, isMade: boolean): Iterable<ts.Node> {
  if (ts.isBlock(node) || (ts.isConstructorDeclaration(node) && !isMade) || isHidden(node)) return;
  yield node;
  const typed = ts.isPropertyDeclaration(node) || ts.isParameter(node) || ts.isVariableDeclaration(node);
  const parts = typed ? [node.type] : childrenOf(node);
  for (const part of parts) if (part !== undefined) yield* seen(part, isMade);
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return children;
}

function isHidden(node: ts.Node): boolean {
  if (!ts.isClassElement(node) && !ts.isTypeElement(node)) return false;
  const isPrivate = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
  const isInternal = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
  return isPrivate || isInternal || (node.name !== undefined && ts.isPrivateIdentifier(node.name));
}

/** The type that a node names, where a file of ours exports it. */
function namedType(node: ts.Node): ts.Symbol | null {
  if (!ts.isTypeReferenceNode(node) && !ts.isExpressionWithTypeArguments(node)) return null;
  const found = checker.getSymbolAtLocation(ts.isTypeReferenceNode(node) ? node.typeName : node.expression);
  if (found === undefined) return null;
  const symbol = original(found);
  // What a file keeps to itself is a part of the declaration beside it, and has no name elsewhere.
  const isOurs = ownDeclarations(symbol).some(
    (each) =>
      !ts.isTypeParameterDeclaration(each) && (ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Export) !== 0,
  );
  return isOurs ? symbol : null;
}

test(
  "every type that stands in a public declaration is exported too, and every error that one says it throws",
  () => {
    const exported = new Set(names.values());
    const missing = new Set<string>();
    for (const [symbol, name] of names) {
      for (const declaration of ownDeclarations(symbol)) {
        for (const node of seen(declaration, !onlyTypes.has(symbol))) {
          const type = namedType(node);
          if (type !== null && !names.has(type)) missing.add(`${type.name}, in ${name}`);
          for (const tag of ts.getJSDocTags(node)) {
            const [, error] = /^@throws \{(\w+)\}/.exec(tag.getText()) ?? [];
            if (error !== undefined && error.endsWith("Error") && !exported.has(error) && !(error in globalThis))
              missing.add(`${error}, thrown by ${name}`);
          }
        }
      }
    }
    expect(names.size).toBeGreaterThan(400);
    expect([...missing].toSorted()).toEqual([]);
  },
  LONG_TEST,
);

test("the package exports what is public of every folder", () => {
  const gathered = readFileSync(`${source}index.ts`, "utf8");
  const folders = readdirSync(source).filter((folder) => existsSync(`${source}${folder}/public.ts`));

  expect(folders.filter((folder) => !gathered.includes(`"./${folder}/public.js"`))).toEqual([]);
  expect(folders).toContain("session");
});

test(
  "every public declaration has a doc comment",
  () => {
    const bare = [...names].flatMap(([symbol, name]) => {
      const declarations = ownDeclarations(symbol);
      const isDocumented = declarations.some((each) => {
        const documented = ts.isVariableDeclaration(each) ? each.parent.parent : each;
        return ts.getJSDocCommentsAndTags(documented).length > 0;
      });
      return declarations.length === 0 || isDocumented
        ? []
        : [`${declarations[0]?.getSourceFile().fileName.slice(root.length) ?? ""}: ${name}`];
    });
    expect(bare.toSorted()).toEqual([]);
  },
  LONG_TEST,
);
