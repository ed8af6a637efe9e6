import { EVENT_ID, type Event } from "js-yaml";

import { YamlFault } from "./yaml-fault.js";

/** What a node comes to once its aliases are followed. */
interface Extent {
  /** Characters of its scalars, and a few for each node. */
  size: number;
  /** Levels of lists and mappings. */
  height: number;
  /** How often something in it is repeated. */
  repeats: number;
}

interface Anchor extends Extent {
  uses: number;
  isOpen: boolean;
}

interface OpenCollection extends Extent {
  readonly anchor: Anchor | undefined;
}

/** As many as the `yaml` package allows, counted as it does: uses of an anchor times the repetitions inside of it. */
const MAX_REPEATS = 100;
/** Characters that all aliases of a document may stand for: as many as a document may have. */
const MAX_ALIASED = 100_000_000;
/** What a node takes beside its text: quotes, a comma. */
const NODE_SIZE = 4;

/**
 * Refuses aliases that stand inside of what they refer to, which then has no end, and those that stand for too much.
 * One walk over the parser's events; nothing is made of them before.
 *
 * @throws {YamlFault}
 */
export function checkAliases({
  text,
  events,
  maxDepth,
  lineAt,
}: {
  readonly text: string;
  readonly events: readonly Event[];
  readonly maxDepth: number;
  /** The line that holds the character after so many others. */
  readonly lineAt: (offset: number) => number;
}): void {
  const anchors = new Map<string, Anchor>();
  const open: OpenCollection[] = [];
  let aliased = 0;
  const add = ({ size, height, repeats }: Extent): void => {
    const holder = open.at(-1);
    if (holder === undefined) return;
    holder.size += size;
    holder.height = Math.max(holder.height, height + 1);
    holder.repeats = Math.max(holder.repeats, repeats);
  };
  const anchorOf = (event: { readonly anchorStart: number; readonly anchorEnd: number }): Anchor | undefined => {
    if (event.anchorStart < 0) return undefined;
    const anchor = { uses: 1, isOpen: true, size: 0, height: 0, repeats: 0 };
    anchors.set(text.slice(event.anchorStart, event.anchorEnd), anchor);
    return anchor;
  };
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        anchors.clear();
        open.push({ anchor: undefined, size: 0, height: 0, repeats: 0 });
        break;
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        open.push({ anchor: anchorOf(event), size: NODE_SIZE, height: 1, repeats: 0 });
        break;
      case EVENT_ID.SCALAR: {
        const extent = { size: NODE_SIZE + Math.max(0, event.valueEnd - event.valueStart), height: 0, repeats: 1 };
        close(anchorOf(event), extent);
        add(extent);
        break;
      }
      case EVENT_ID.ALIAS: {
        const anchor = anchors.get(text.slice(event.anchorStart, event.anchorEnd));
        // The parser's next step names an alias that refers to nothing.
        if (anchor === undefined) break;
        const fault = (reason: string): YamlFault => new YamlFault(reason, lineAt(event.anchorStart));
        if (anchor.isOpen) throw fault("an alias stands inside of what it refers to");
        anchor.uses += 1;
        aliased += anchor.size;
        const repeats = anchor.uses * anchor.repeats;
        if (repeats > MAX_REPEATS || aliased > MAX_ALIASED) throw fault("its aliases stand for too much");
        if (open.length - 1 + anchor.height > maxDepth) throw fault(tooDeep(maxDepth));
        add({ size: anchor.size, height: anchor.height, repeats });
        break;
      }
      case EVENT_ID.POP: {
        const closed = open.pop();
        if (closed === undefined) break;
        close(closed.anchor, closed);
        add(closed);
      }
    }
  }
}

function close(anchor: Anchor | undefined, { size, height, repeats }: Extent): void {
  if (anchor !== undefined) Object.assign(anchor, { size, height, repeats, isOpen: false });
}

function tooDeep(maxDepth: number): string {
  return `it is nested more than ${String(maxDepth)} levels deep`;
}
