import ts from "@typescript/typescript6";
import { expect, test } from "vitest";

import { LONG_TEST } from "../../timeouts.mjs";
import { checker, isTypeOnly, publicExports, source } from "../public-program.js";
import { OPTION_TAKERS } from "./checked-options.js";

/** The journal is written by the session alone. */
const LEFT_OUT = new Set(["Journal#begin", "Journal#finish"]);

/** Every exported function, constructor and method whose last object of optional parts is called options by its type. */
function* optionTakers(): Iterable<string> {
  for (const exported of publicExports()) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined || exported.name.endsWith("Error")) continue;
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    if (symbol.flags & ts.SymbolFlags.Function) {
      if (type.getCallSignatures().some(takesOptions)) yield exported.name;
    } else if (symbol.flags & ts.SymbolFlags.Class) {
      const isMade = !isTypeOnly(exported) && type.getConstructSignatures().some(isMadeByCallers);
      if (isMade && type.getConstructSignatures().some(takesOptions)) yield `new ${exported.name}`;
      yield* methods(type, (name) => `${exported.name}.${name}`);
      yield* methods(checker.getDeclaredTypeOfSymbol(symbol), (name) => `${exported.name}#${name}`);
    }
  }
}

function isMadeByCallers({ declaration }: ts.Signature): boolean {
  return declaration === undefined || !ts.isConstructorDeclaration(declaration) || !isHidden(declaration);
}

function* methods(type: ts.Type, named: (name: string) => string): Iterable<string> {
  for (const property of type.getProperties()) {
    const [declaration] = property.declarations ?? [];
    if (declaration === undefined || !isOurs(declaration) || isHidden(declaration)) continue;
    const signatures = checker.getTypeOfSymbolAtLocation(property, declaration).getCallSignatures();
    if (signatures.some(takesOptions)) yield named(property.name);
  }
}

function isHidden(node: ts.Declaration): boolean {
  const isPrivate = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
  const isInternal = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
  const name = ts.getNameOfDeclaration(node);
  return isPrivate || isInternal || (name !== undefined && ts.isPrivateIdentifier(name));
}

function takesOptions(signature: ts.Signature): boolean {
  return signature.parameters.some(({ valueDeclaration }) => {
    if (valueDeclaration === undefined || !ts.isParameter(valueDeclaration)) return false;
    const { type } = valueDeclaration;
    if (type === undefined || !isOurs(valueDeclaration)) return false;
    if (/\b\w+(Options|Settings|Handling)\b/.test(type.getText())) return true;
    const last = ts.isTypeLiteralNode(type) ? type.members : [];
    return last.some((member) => member.questionToken !== undefined);
  });
}

function isOurs(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(source);
}

test(
  "every function of the package that takes options is among those whose options are tried",
  () => {
    const found = [...optionTakers()].filter((name) => !LEFT_OUT.has(name));

    expect(found.toSorted()).toEqual(Object.keys(OPTION_TAKERS).toSorted());
  },
  LONG_TEST,
);
