import { isNode, visit, type Document as YamlDocument } from "yaml";

/** Where an alias stands inside of what it refers to, which then has no end; undefined where none does. */
export function circleIn(document: YamlDocument): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias: (_key, alias, path) => {
      const target = alias.resolve(document);
      if (target === undefined || !path.some((node) => isNode(node) && node === target)) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}
