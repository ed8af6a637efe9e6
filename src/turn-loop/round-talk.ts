import { Conversation } from "../agent/index.js";
import type { ModelMessage } from "../model/index.js";

/** What the model is told in the course of a turn. What it asked to see stands there for one round. */
export class RoundTalk {
  readonly conversation: Conversation;
  #shown: ModelMessage | null = null;
  /** The decision that ended the rounds; null where none did. */
  #lastReply: string | null = null;

  constructor(system: string, first: string) {
    this.conversation = new Conversation(system);
    this.conversation.say(first);
  }

  answer(reply: string, { message, shown }: { readonly message: string; readonly shown: string | null }): void {
    this.#shown = shown === null ? null : { role: "user", content: shown };
    const messages: ModelMessage[] = [
      { role: "user", content: message },
      ...(this.#shown === null ? [] : [this.#shown]),
    ];
    this.conversation.addStep({ kind: "step", reply: assistant(reply), told: messages });
  }

  /** The round that was to see it is over. */
  forgetShown(): void {
    const shown = this.#shown;
    if (shown === null) return;
    this.#shown = null;
    this.conversation.prune((items) =>
      items.map((item) => {
        return item.kind === "turn" ? item : { ...item, told: item.told.filter((message) => message !== shown) };
      }),
    );
  }

  left(reply: string): void {
    this.#lastReply = reply;
  }

  /** A last word after the rounds. */
  sayLast(text: string): void {
    if (this.#lastReply === null) this.conversation.say(text);
    else {
      const messages: ModelMessage[] = [{ role: "user", content: text }];
      this.conversation.addStep({ kind: "step", reply: assistant(this.#lastReply), told: messages });
    }
  }
}

/** Some servers refuse a message without text. */
function assistant(reply: string): ModelMessage {
  return { role: "assistant", content: reply.trim() === "" ? "(no reply)" : reply };
}
