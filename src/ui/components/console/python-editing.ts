import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  completionStatus,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { history } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import type { Completion } from "../../../protocol/index.js";
import { codeHighlighter } from "../../drawing/highlight.js";

/** One step of indentation. */
export const INDENT = "    ";

/** What an editor of Python has everywhere. `complete` completes the name that the code ends with. */
export function pythonEditing(complete: (code: string) => Promise<Completion | null>): Extension {
  return [
    history(),
    python(),
    indentUnit.of(INDENT),
    bracketMatching(),
    closeBrackets(),
    syntaxHighlighting(codeHighlighter),
    autocompletion({ override: [(context) => offers(context, complete)], icons: false }),
  ];
}

/**
 * Takes the first offer of an open list. In the instant after it opened the list takes no key, so that no key accepts
 * what they have not seen; Tab must not leave the editor then either.
 */
export function acceptOffer(view: EditorView): boolean {
  if (completionStatus(view.state) !== "active") return false;
  acceptCompletion(view);
  return true;
}

async function offers(
  context: CompletionContext,
  complete: (code: string) => Promise<Completion | null>,
): Promise<CompletionResult | null> {
  // The interpreter looks at the last name alone.
  const word = context.matchBefore(/[\w.]+/);
  if (word === null || (!context.explicit && !/[\w.]$/.test(word.text)) || /^\d/.test(word.text)) return null;
  const completion = await complete(word.text);
  if (completion === null || context.aborted || completion.options.length === 0) return null;
  return {
    from: word.from + completion.from,
    options: completion.options.map(({ label, kind, detail }) => ({ label, type: kind, detail })),
    validFor: /^\w*$/,
  };
}
