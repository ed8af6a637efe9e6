import { SourcePool, type FetchedContext, type Source } from "../codegen/index.js";
import { parseTurnContract, type SlotSpec, type TurnContract } from "../contract/index.js";
import { optionCheck } from "../options/index.js";
import { randomId, type Problem, type Value } from "../protocol/index.js";
import { StorageReadError, type StorageBackend } from "../storage/index.js";
import { readToolResult, type ReadResult } from "./artifacts-of-result.js";
import {
  bindParams,
  checkBindOptions,
  type BindOptions,
  type BoundParams,
  type FetchDirective,
} from "./bind-params.js";
import type { ContextClaim, NextHead } from "./context-claim.js";
import { ContextStorage, type ContextChange, type StoredContext } from "./context-storage.js";
import { ContextError } from "./errors.js";
import { storedParams } from "./json-value.js";
import { mapSlot, snapshotOf, type ArtifactSnapshot, type MappingOutcome, type SlotMapping } from "./map-slots.js";
import { fileOf, newTurn, type NewFile, type NewTurn } from "./new-turn.js";
import {
  turnContractRecord,
  type BegunCall,
  type ContextArtifact,
  type RoundNote,
  type TurnBudget,
  type TurnEnd,
  type TurnRecord,
} from "./records.js";
import { artifactsOfCall, type RegisteredCall, type Registration } from "./registered-call.js";
import { resolvePath, type ContextContents, type TurnContents } from "./resolve-path.js";

/** A round as it is noted: arguments of its call may be large, and are cut. */
export interface NewRound extends Omit<RoundNote, "begun"> {
  readonly begun?: Omit<BegunCall, "params"> & { readonly params: Readonly<Record<string, Value>> };
}

/** What may be mapped: what there was when the round began, and nothing that it only makes. */
export interface MapOptions {
  /** What was there when the round began. Default: what is there now. */
  readonly snapshot?: ArtifactSnapshot;
  /** Artifacts that the round is about to make, by the names that were written for them. */
  readonly future?: readonly string[];
  readonly round?: number;
}

const checkMapOptions = optionCheck<MapOptions>("context.mapSlots", {
  snapshot: "any?",
  future: "array?",
  round: "number?",
});

/** What a conversation has come to so far: turns, what was promised in them and made for them, and the sources of it all. */
export class ReactContext {
  readonly id: string;
  readonly #storage: ContextStorage;
  readonly #claim: ContextClaim;
  readonly #turns = new Map<string, TurnContents | StorageReadError>();
  readonly #sources = new SourcePool();
  /** As they are stored. */
  readonly #storedSources = new Map<number, Source>();
  readonly #damage: readonly StorageReadError[];
  #current: string | null;
  #workSoFar = "";
  #changes: Promise<unknown> = Promise.resolve();

  /** @internal Use `openContext`. */
  constructor(id: string, storage: ContextStorage, stored: StoredContext) {
    this.id = id;
    this.#storage = storage;
    this.#damage = stored.damage;
    for (const sid of stored.lostSids) this.#sources.reserve(sid);
    for (const source of stored.sources) {
      const kept = this.#sources.add({ ...source });
      if (kept !== null) this.#storedSources.set(kept.sid, kept);
    }
    this.#claim = storage.claim(stored.head);
    const current = stored.head?.current ?? null;
    const turns = [...stored.turns].sort(([, one], [, other]) => orderOf(one) - orderOf(other));
    for (const [turnId, record] of turns) {
      const versions = stored.artifacts.get(turnId) ?? new Map<string, ContextArtifact | StorageReadError>();
      this.#turns.set(turnId, record instanceof StorageReadError ? record : contentsOf(record, versions));
    }
    this.#current = current !== null && this.#turns.has(current) ? current : null;
  }

  /** The turn that `current_turn` means: the one that was begun or reopened last. Null before the first. */
  get currentTurn(): TurnContents | null {
    const turn = this.#current === null ? undefined : this.#turns.get(this.#current);
    return turn === undefined || turn instanceof StorageReadError ? null : turn;
  }

  /** Ids in the order of the turns; with those that cannot be read. */
  get turnIds(): readonly string[] {
    return [...this.#turns.keys()];
  }

  /** @throws {ContextError} `UNKNOWN_TURN` @throws {StorageReadError} where its record is damaged. */
  turn(id: string): TurnContents {
    const turn = this.#turns.get(id);
    if (turn === undefined) throw new ContextError("UNKNOWN_TURN", `There is no turn ${id.slice(0, 100)}.`);
    if (turn instanceof StorageReadError) throw turn;
    return turn;
  }

  /** What texts of the context can cite. */
  get sources(): readonly Source[] {
    return this.#sources.rows;
  }

  /** Stored records that cannot be read. The others can. */
  problems(): readonly Problem[] {
    return this.#damage.map((error) => error.toProblem());
  }

  /** What is at a path, for a program or a page: `fetchContext` of codegen. It never throws. */
  readonly fetch = (path: string): FetchedContext => {
    const at = resolvePath(this.#contents, path);
    if (at.kind === "found") return { ret: at.value, err: null };
    const { code, message, details } = at;
    return { ret: null, err: { code, message, ...(details === undefined ? {} : { details }) } };
  };

  /** A copy of its sources, for whoever makes texts that cite them by their sids: `knownSources` of codegen. */
  readonly knownSources = (): SourcePool => new SourcePool(this.#sources);

  /**
   * What has been done in the turn so far, as whoever works on it says, for a model that writes a program in its course:
   * `workSoFar` of codegen. Empty where nobody works on one.
   */
  readonly workSoFar = (): string => this.#workSoFar;

  /** Says so, until something else is said. It is not kept. */
  describeWork(text: string): void {
    this.#workSoFar = text;
  }

  /** Puts what paths name into the parameters of a call; see `docs/react-context.md`. It never throws. */
  bindParams(
    baseParams: Readonly<Record<string, Value>>,
    directives: readonly FetchDirective[],
    options: BindOptions = {},
  ): BoundParams {
    checkBindOptions(options);
    return bindParams(this.#contents, baseParams, { ...options, directives });
  }

  /**
   * Keeps the context for one who works on it for longer: others, in this tab or another one, cannot change it until the
   * answer is called. `DecisionLoop` does so for its turn.
   *
   * @throws {ContextError} `CONTEXT_IN_USE`, `CONTEXT_CHANGED`
   */
  hold(): Promise<() => Promise<void>> {
    const held = this.#changes.then(() => this.#claim.hold());
    this.#changes = held.catch(() => undefined);
    return held;
  }

  /** The artifacts that are there now, of all turns. */
  snapshot(): ArtifactSnapshot {
    return snapshotOf([...this.#turns.values()].flatMap((turn) => ("artifacts" in turn ? turn.artifacts : [])));
  }

  /** The contract of the current turn; null before anybody said one. */
  get contract(): TurnContract | null {
    const { contract } = this.currentTurn?.record ?? { contract: null };
    return contract === null ? null : parseTurnContract(contract);
  }

  /** @throws {ContextError} `TURN_ID` @throws {ContractError} @throws {StorageError} with nothing changed. */
  beginTurn(begun: NewTurn): Promise<TurnContents> {
    const { id = `turn_${randomId().slice(0, 8)}` } = begun;
    return this.#change(() => {
      if (!TURN_ID.test(id) || this.#turns.has(id)) {
        const problem = this.#turns.has(id) ? "is taken" : "is not turn_ and letters, digits, _ or -";
        throw new ContextError(
          "TURN_ID",
          `A turn cannot have the id ${JSON.stringify(id.slice(0, 100))}, which ${problem}.`,
        );
      }
      const last = Math.max(0, ...[...this.#turns.values()].map(orderOf).filter(Number.isFinite));
      return { current: id, turn: newTurn(begun, id, last + 1) };
    });
  }

  /**
   * Makes a turn the current one again, with all that it had.
   *
   * @throws {ContextError} `UNKNOWN_TURN` @throws {StorageReadError} where its record is damaged.
   */
  reopenTurn(id: string): Promise<TurnContents> {
    return this.#change(() => ({ current: id, turn: { ...this.turn(id).record, end: null } }));
  }

  /** Says what the current turn promises. @throws {ContractError} @throws {ContextError} where it has promised something. */
  setContract(contract: Value): Promise<TurnContents> {
    const parsed = parseTurnContract(contract);
    return this.#changeTurn((turn) => {
      if (turn.contract !== null)
        throw new ContextError("TURN_CONTRACT", `The turn ${turn.id} has a contract already.`);
      return { contract: turnContractRecord(parsed) };
    });
  }

  /** Keeps what the user is answered, and the files of the answer. */
  answer(completion: string, files: readonly NewFile[] = []): Promise<TurnContents> {
    return this.#changeTurn((turn) => ({ completion, files: [...turn.files, ...files.map(fileOf)] }));
  }

  /** Keeps what a call came to: an artifact for each thing that it made, or was to make, each a new version. */
  async registerResult(call: RegisteredCall): Promise<Registration> {
    let read: ReadResult | undefined;
    let made: readonly ContextArtifact[] = [];
    await this.#change(() => {
      const turn = this.#open();
      read = readToolResult(call, this.#sources);
      made = artifactsOfCall(call, read.artifacts, turn);
      return { turn: turn.record, artifacts: made };
    });
    const { error = null, summary = "", warnings = [] } = read ?? {};
    return { artifacts: made, error, summary, warnings };
  }

  /** Fills slots of the current turn. Each mapping is applied or refused for itself. */
  async mapSlots(mappings: readonly SlotMapping[], options: MapOptions = {}): Promise<readonly MappingOutcome[]> {
    checkMapOptions(options);
    const { snapshot, future = [], round } = options;
    let outcomes: MappingOutcome[] = [];
    await this.#changeTurn((turn) => {
      const contract = turn.contract === null ? new Map<string, SlotSpec>() : parseTurnContract(turn.contract);
      const given = { contract, future, round: round ?? null, ...(snapshot === undefined ? {} : { snapshot }) };
      outcomes = mappings.map((mapping) => mapSlot(this.#contents, mapping, given));
      const slots = new Map(turn.slots.map((slot) => [slot.name, slot]));
      for (const outcome of outcomes) if (outcome.kind === "applied") slots.set(outcome.slot.name, outcome.slot);
      return { slots: [...slots.values()] };
    });
    return outcomes;
  }

  /** Notes what happened in a round, in the place of what was noted of it before, and what has been used since the turn began. */
  noteRound({ begun, ...round }: NewRound, budget?: TurnBudget): Promise<TurnContents> {
    const note: RoundNote =
      begun === undefined ? round : { ...round, begun: { ...begun, params: storedParams(begun.params) } };
    return this.#changeTurn((turn) => ({
      rounds: [...turn.rounds.filter(({ number }) => number !== note.number), note],
      ...(budget === undefined ? {} : { budget }),
    }));
  }

  /** Notes how the turn was left. It stays the current one. */
  endTurn(end: TurnEnd): Promise<TurnContents> {
    return this.#changeTurn(() => ({ end }));
  }

  get #contents(): ContextContents {
    return { currentTurnId: this.#current, turn: (id) => this.#turns.get(id), sources: this.#sources };
  }

  /** @throws {ContextError} `UNKNOWN_TURN` */
  #open(): TurnContents {
    if (this.#current === null) throw new ContextError("UNKNOWN_TURN", "No turn was begun. Begin one, or reopen one.");
    return this.turn(this.#current);
  }

  #changeTurn(change: (turn: TurnRecord) => Partial<TurnRecord>): Promise<TurnContents> {
    return this.#change(() => {
      const { record } = this.#open();
      return { turn: { ...record, ...change(record) } };
    });
  }

  /** One after the other. What could not be stored is not there afterwards, but for sources: they are stored with the next change. */
  #change(plan: () => ContextChange & { readonly turn: TurnRecord }): Promise<TurnContents> {
    const changed = this.#changes.then(async () => {
      // What it would change may not be what is stored: then nothing is even planned.
      return this.#claim.change((head) => this.#apply(plan(), head));
    });
    this.#changes = changed.catch(() => undefined);
    return changed;
  }

  async #apply(change: ContextChange & { readonly turn: TurnRecord }, nextHead: NextHead): Promise<TurnContents> {
    const { turn: record, artifacts = [], current = this.#current } = change;
    const sources = this.#sources.rows.filter((source) => this.#storedSources.get(source.sid) !== source);
    await this.#storage.write({ head: nextHead(current), turn: record, artifacts, sources });
    for (const source of sources) this.#storedSources.set(source.sid, source);
    const before = this.#turns.get(record.id);
    const [old, damaged] =
      before === undefined || before instanceof StorageReadError ? [[], NO_DAMAGE] : [before.artifacts, before.damaged];
    const after: TurnContents = { record, artifacts: [...old, ...artifacts], damaged };
    this.#turns.set(record.id, after);
    this.#current = current;
    return after;
  }
}

/** @throws {ContextError} `CONTEXT_ID` @throws {StorageError} */
export async function readContext(id: string, storage: StorageBackend): Promise<ReactContext> {
  if (!CONTEXT_ID.test(id)) {
    throw new ContextError("CONTEXT_ID", `A context cannot have the id ${JSON.stringify(id.slice(0, 100))}.`);
  }
  const records = new ContextStorage(storage, id);
  return new ReactContext(id, records, await records.read());
}

const CONTEXT_ID = /^[\w-]{1,100}$/;
const TURN_ID = /^turn_[\w-]{1,80}$/;
const NO_DAMAGE: ReadonlyMap<string, StorageReadError> = new Map();

/** Those that cannot be read come last. */
function orderOf(turn: TurnRecord | TurnContents | StorageReadError): number {
  if (turn instanceof StorageReadError) return Infinity;
  return "order" in turn ? turn.order : turn.record.order;
}

function contentsOf(
  record: TurnRecord,
  versions: ReadonlyMap<string, ContextArtifact | StorageReadError>,
): TurnContents {
  const artifacts: ContextArtifact[] = [];
  const damaged = new Map<string, StorageReadError>();
  for (const [name, stored] of versions) {
    if (stored instanceof StorageReadError) damaged.set(name, stored);
    else artifacts.push(stored);
  }
  // Keys are in another order.
  artifacts.sort((one, other) => one.order - other.order);
  return { record, artifacts, damaged };
}
