import type { TurnBudget } from "../context/index.js";
import { Allowance } from "../protocol/index.js";
import type { Strategy } from "./decision.js";

/** What may be done for one slot, from the beginning of its turn on. Each is a number of rounds. */
export interface SlotBudget {
  /** Looking for what is needed. Default 2. */
  readonly explore?: number;
  /** Making what fills the slot. Default 3. */
  readonly exploit?: number;
  /** Bringing it into another form. Default 0. */
  readonly render?: number;
  /** Looking again at what is there already. Default 0. */
  readonly contextReads?: number;
}

/** `overdraft`: rounds or calls are used up, but a slot that is open may still be worked on. */
export type Gate = "open" | "overdraft" | "closed";

const DEFAULTS = { explore: 2, exploit: 3, render: 0, contextReads: 0 } as const;
const STAGES = ["explore", "exploit", "render"] as const;
type Stage = (typeof STAGES)[number];

type Spent = TurnBudget["spent"];

const WITHOUT_SLOTS = { rounds: 12, calls: 20 };
const RERUNS = 2;
const LEAST_CONTEXT_READS = 3;

/** What the loop may still do in a turn: rounds, calls, reruns and readings together, and stages for each slot. */
export class SlotBudgets {
  readonly #slots: ReadonlyMap<string, Readonly<Record<Stage, Allowance>>>;
  readonly #rounds: Allowance;
  readonly #calls: Allowance;
  readonly #reruns: Allowance;
  readonly #contextReads: Allowance;

  /** @param spent - what was used before, where a turn goes on. */
  constructor(slots: Iterable<string>, hints: Readonly<Record<string, SlotBudget>> = {}, spent?: Spent) {
    const budgets = Array.from(slots, (slot) => [slot, { ...DEFAULTS, ...hints[slot] }] as const);
    this.#slots = new Map(
      budgets.map(([slot, { explore, exploit, render }]) => {
        const used = spent?.stages[slot];
        return [
          slot,
          {
            explore: allowance(explore, used?.explore),
            exploit: allowance(exploit, used?.exploit),
            render: allowance(render, used?.render),
          },
        ];
      }),
    );
    const sum = budgets.reduce((total, [, { explore, exploit, render }]) => total + explore + exploit + render, 0);
    const reads = budgets.reduce((total, [, { contextReads }]) => total + contextReads, 0);
    this.#rounds = allowance(sum === 0 ? WITHOUT_SLOTS.rounds : sum, spent?.rounds);
    this.#calls = allowance(sum === 0 ? WITHOUT_SLOTS.calls : sum, spent?.calls);
    this.#reruns = allowance(RERUNS, spent?.reruns);
    this.#contextReads = allowance(Math.max(reads, LEAST_CONTEXT_READS), spent?.contextReads);
  }

  /** What has been used, to go on from later. */
  get spent(): Spent {
    const used = ({ explore, exploit, render }: Readonly<Record<Stage, Allowance>>): Spent["stages"][string] => {
      return { explore: explore.used, exploit: exploit.used, render: render.used };
    };
    return {
      rounds: this.#rounds.used,
      calls: this.#calls.used,
      reruns: this.#reruns.used,
      contextReads: this.#contextReads.used,
      stages: Object.fromEntries(Array.from(this.#slots, ([slot, stages]) => [slot, used(stages)])),
    };
  }

  /** What of both was used up, the rounds where nothing was. */
  get usedUp(): { readonly kind: "steps" | "toolCalls"; readonly limit: number } {
    const isOfCalls = this.#rounds.left > 0 && this.#calls.left === 0;
    return isOfCalls ? { kind: "toolCalls", limit: this.#calls.limit } : { kind: "steps", limit: this.#rounds.limit };
  }

  /** Whether another round may be begun, with these slots open. */
  gate(open: readonly string[]): Gate {
    if (this.#rounds.left > 0 && this.#calls.left > 0) return "open";
    return this.#withExploitLeft(open) === undefined ? "closed" : "overdraft";
  }

  spendRound(): void {
    this.#rounds.count();
  }

  spendCall(): void {
    this.#calls.count();
  }

  /** False: there is none left. */
  spendRerun(): boolean {
    return this.#reruns.take();
  }

  /** False: there is none left. */
  spendContextRead(): boolean {
    return this.#contextReads.take();
  }

  /** False: the slot had none left of it, or is not there. It is not stopped by that. */
  spendStage(slot: string, strategy: Strategy): boolean {
    const stages = this.#slots.get(slot);
    if (stages === undefined || strategy === "exit") return false;
    const stage = stages[strategy];
    const had = stage.left > 0;
    stage.count();
    return had;
  }

  /** One round of the overdraft, of the slot that is wished for where it has one left. Otherwise it would never end. */
  spendOverdraft(wished: string, open: readonly string[]): void {
    const slot = this.#withExploitLeft([wished, ...open]);
    if (slot !== undefined) this.spendStage(slot, "exploit");
  }

  /** As the model reads it. */
  get line(): string {
    const shown = (what: string, of: Allowance): string => `${what} left ${String(of.left)}/${String(of.limit)}`;
    const global = [
      shown("decisions", this.#rounds),
      shown("tools", this.#calls),
      shown("reruns", this.#reruns),
      shown("context reads", this.#contextReads),
    ];
    const stages = Array.from(this.#slots, ([slot, accounts]) => {
      const parts = STAGES.filter((stage) => accounts[stage].limit > 0 || accounts[stage].used > 0);
      return `stage[${slot}](${parts.map((stage) => shown(stage, accounts[stage])).join(", ")})`;
    });
    return [`BUDGET_STATE: global(${global.join(", ")})`, ...stages].join(" ");
  }

  #withExploitLeft(open: readonly string[]): string | undefined {
    return open.find((slot) => (this.#slots.get(slot)?.exploit.left ?? 0) > 0);
  }
}

function allowance(limit: number, used?: number): Allowance {
  return new Allowance(Math.max(0, Math.trunc(limit)), used);
}
