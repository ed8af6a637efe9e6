import { Alias, isNode, visit, type Document as YamlDocument } from "yaml";

/** An alias that cannot be followed. */
export interface AliasFault {
  readonly reason: string;
  readonly offset: number;
}

type Target = ReturnType<Alias["resolve"]>;

/**
 * Has every alias of a document know what it refers to. The library looks through the whole document for each of them,
 * and for each again when it counts them; here one walk does for all.
 *
 * @returns an alias that stands inside of what it refers to, which then has no end; undefined where there is none.
 */
export function linkAliases(document: YamlDocument): AliasFault | undefined {
  /** By anchor: the latest node of that name, which is the one that an alias means. */
  const anchored = new Map<string, NonNullable<Target>>();
  let fault: AliasFault | undefined;
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
    Alias: (_key, alias, path) => {
      const target = anchored.get(alias.source);
      link(alias, target);
      if (target === undefined || !path.some((node) => isNode(node) && node === target)) return undefined;
      fault = { reason: "an alias stands inside of what it refers to", offset: alias.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return fault;
}

function link(alias: Alias, target: Target): void {
  alias.resolve = (document, context) => {
    if (context === undefined || target === undefined) return target;
    // The library counts what each anchor is used for. It finds the target in a list of one.
    return Alias.prototype.resolve.call(alias, document, { ...context, aliasResolveCache: [target] });
  };
}
