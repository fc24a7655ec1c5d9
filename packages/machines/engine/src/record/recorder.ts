import type { Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';
import { eachReference, encodeExtension, pendingStep, refersToAny, withEntry } from '@cairn/state';
import type {
  Extension,
  JournalEntry,
  JournalKind,
  PendingOperation,
  PendingOperationType,
  ResourceEntry,
  SerializedDeployment,
  Snippet,
} from '@cairn/state';
import { mustWrite, mustWriteAtEnd } from '../model/entry-fields.js';
import type { Cell } from '../model/cell.js';
import { newOf, oldOf } from '../model/step.js';
import type { SameStep, Step, StepOf } from '../model/step.js';
import { BEGIN, endStep, moveTo, removes, staysInPlace } from './entries.js';
import type { Touches } from './entries.js';
import type { LiveState } from './live-state.js';

/** Takes a journal entry that belongs to no task. The order of calls is the order in the journal. */
type WriteEntry = (entry: JournalEntry) => void;

/** A step that has begun. */
interface Begun {
  readonly operationId: number;
  /** To be durable before the provider is called; undefined when the step leaves no pending operation. */
  readonly entry: JournalEntry | undefined;
}

/** What an undo leaves in the snapshot. */
export type UndoneChange =
  /** Nothing, or what was written already. */
  | { readonly t: 'none' }
  /** The entry goes. */
  | { readonly t: 'gone'; readonly cell: Cell }
  /** Another entry stands where the cell's stood. `drop`: it had another cell, which goes. */
  | {
      readonly t: 'place';
      readonly cell: Cell;
      readonly entry: ResourceEntry;
      readonly drop?: Cell | undefined;
    }
  /** An entry that is not there comes back. */
  | { readonly t: 'add'; readonly entry: ResourceEntry };

/**
 * The only writer of state: turns begun and ended steps into journal entries [JRN-2] and keeps the live state in step
 * with them. Everything an entry refers to is in the journal before the entry: unchanged entries whose writing was put
 * off are written when something new refers to them, so that at every moment a replay gives a snapshot in order
 * [STATE-11].
 */
export class Recorder {
  #sequence = 0;
  #operation = 0;
  /**
   * Entries that were written because something needed them or because they were looked up, before their own step
   * ended.
   */
  readonly #forwarded = new Set<Cell>();
  /** Steps that leave a pending operation, by id, from their beginning to their end. */
  readonly #open = new Map<number, PendingOperation>();
  /** Ids of steps that the base has pending, until somebody finds out about them. */
  readonly #pending = new Map<string, number>();
  #hasWritten = false;

  #live: LiveState;

  /**
   * `pending`: of the base, to stay pending until somebody has found out. A replay keeps creates by itself; others are
   * begun again before the first entry.
   */
  constructor(
    live: LiveState,
    private readonly write: WriteEntry,
    pending: readonly PendingOperation[] = [],
  ) {
    this.#live = live;
    for (const operation of pending) {
      if (operation.type === 'creating') continue;
      const operationId = this.#nextOperation();
      this.#open.set(operationId, operation);
      this.#pending.set(pendingStep(operation), operationId);
    }
  }

  /** The snapshot as recorded so far. Another one after {@link rebase}. */
  get live(): LiveState {
    return this.#live;
  }

  begin(step: Step): Begun {
    const operationId = this.#nextOperation();
    const type = BEGIN[step.kind];
    const resource = newOf(step) ?? oldOf(step);
    if (type === undefined || resource === undefined) return { operationId, entry: undefined };
    return { operationId, entry: this.#beginEntry(operationId, { type, resource }) };
  }

  /** Finding out about a step of an earlier operation: it stays pending until that has ended. */
  beginAgain(operation: PendingOperation): Begun {
    const operationId = this.#pending.get(pendingStep(operation)) ?? this.#nextOperation();
    return { operationId, entry: this.#beginEntry(operationId, operation) };
  }

  /** The base has other pending operations from here on; its resources are the same, at the same indexes. */
  pendingChanged(newSnapshot: SerializedDeployment): void {
    this.write({ ...this.#entry('write', 0, {}), newSnapshot });
  }

  /** The step did what it should, or (partial failure) enough to be recorded. */
  success(step: Step, operationId: number, entry: ResourceEntry | undefined): JournalEntry | undefined {
    this.#open.delete(operationId);
    if (step.kind === 'refresh' && (entry === undefined || staysInPlace(step, entry))) {
      return this.#entry('refresh-success', operationId, endStep(this.live, step, entry, operationId) ?? {});
    }
    if (entry !== undefined && leavesWhatItDeletes(step)) {
      this.putBack(step.cell, entry);
      return this.#entry('success', operationId, {});
    }
    if (entry !== undefined) this.#bringForward(entry);
    const cell = 'cell' in step ? step.cell : undefined;
    if (entry !== undefined && cell !== undefined && this.#forwarded.has(cell)) {
      this.#renew(cell, entry, (id) => endStep(this.live, step, entry, id) ?? {});
      return this.#entry('success', operationId, {});
    }
    if (step.kind === 'refresh') this.#forwarded.add(step.cell);
    const touches = endStep(this.live, step, entry, operationId);
    return touches === undefined ? undefined : this.#entry('success', operationId, touches);
  }

  /** The step did nothing, and that is known. */
  failure(operationId: number): JournalEntry {
    this.#open.delete(operationId);
    return this.#entry('failure', operationId, {});
  }

  /** An undo begins. `type`: of the call that will be made; undefined: none will. */
  beginUndo(type: PendingOperationType | undefined, resource: ResourceEntry | undefined): Begun {
    const operationId = this.#nextOperation();
    if (type === undefined || resource === undefined) return { operationId, entry: undefined };
    return { operationId, entry: this.#beginEntry(operationId, { type, resource }) };
  }

  /** An undo has ended. Entries keep their places where they can, so that what refers to them stays behind them. */
  undone(operationId: number, change: UndoneChange): JournalEntry {
    this.#open.delete(operationId);
    switch (change.t) {
      case 'none':
        return this.#entry('success', operationId, {});
      case 'gone':
        return this.#entry('success', operationId, this.#takeOut(change.cell));
      case 'add':
        this.#bringForward(change.entry);
        this.live.add(change.entry, operationId);
        return this.#entry('success', operationId, { state: change.entry });
      case 'place': {
        const { cell, entry, drop } = change;
        this.putBack(cell, entry);
        return this.#entry('success', operationId, drop === undefined ? {} : this.#takeOut(drop));
      }
      default:
        return unreachable(change);
    }
  }

  /**
   * Another entry stands where the cell's stood; at the end, with what refers to it, when its own references demand
   * that.
   */
  putBack(cell: Cell, back: ResourceEntry): void {
    // What still calls it by the name that it loses must find it in a replay.
    const entry = back.urn === cell.entry.urn ? back : withEntry(back, { aliases: [cell.entry.urn] });
    const renamed = back.urn !== cell.entry.urn;
    if (cell.place.t === 'base' && !renamed) return this.#writeSame(cell, entry);
    this.#bringForward(entry);
    if (cell.place.t === 'new' && this.#isInOrder(cell, entry)) {
      const touches = { ...removes(cell.place), state: entry };
      this.live.set(cell, entry, false);
      this.write(this.#entry('outputs', this.#nextOperation(), touches));
    } else this.#renew(cell, entry, (id) => moveTo(this.live, { cell }, entry, id));
  }

  #takeOut(cell: Cell): Touches {
    const touches = removes(cell.place);
    this.live.remove(cell);
    return touches;
  }

  /** Whether everything that the entry refers to stands before the cell. */
  #isInOrder(cell: Cell, entry: ResourceEntry): boolean {
    let ordered = true;
    eachReference(entry, (urn) => {
      const needed = this.live.providing(urn);
      if (needed !== undefined && needed !== cell) ordered &&= this.live.precedes(needed, cell);
    });
    return ordered;
  }

  /** A step without a task of its own: begun and ended at once, as for views, which follow their owner. */
  alone(step: Step, entry: ResourceEntry | undefined): void {
    const { operationId, entry: begun } = this.begin(step);
    if (begun !== undefined) this.write(begun);
    const ended = this.success(step, operationId, entry);
    if (ended !== undefined) this.write(ended);
  }

  /** An unchanged entry: written now only when its metadata changed in a way that must not be lost. */
  same(step: SameStep): void {
    const { cell, old, new: entry } = step;
    if (mustWrite(old, entry)) return this.#writeSame(cell, entry);
    this.live.set(cell, entry, cell.unwritten || mustWriteAtEnd(old, entry));
    this.live.endTurn(cell);
  }

  /** Outputs registered by the program replace those of the entry. */
  outputs(cell: Cell, entry: ResourceEntry): void {
    if (cell.place.t === 'base') return this.live.keepingTurn(cell, () => this.#writeSame(cell, entry));
    const touches = { ...removes(cell.place), state: entry };
    this.live.set(cell, entry, false);
    this.write(this.#entry('outputs', this.#nextOperation(), touches));
  }

  /** Resources of this run need an extension that the base does not hold [PKG-3]. */
  extension(ref: string, extension: Extension): void {
    const parts = { extensionRef: ref, extension: encodeExtension(extension) };
    this.write({ ...this.#entry('extension-parameterize', this.#nextOperation(), {}), ...parts });
  }

  /** A refresh has changed an entry, or what it refers to: it stays where it stands. */
  found(cell: Cell, entry: ResourceEntry): void {
    const touches = { ...removes(cell.place), isRefresh: true, state: entry };
    this.live.set(cell, entry, false);
    this.write(this.#entry('refresh-success', this.#nextOperation(), touches));
  }

  /**
   * The base itself is made complete before anything else: `added` entries stand in front of it, and the entries at the
   * base indexes of `changed` are others. Called once, first. O(V).
   */
  complete(added: readonly ResourceEntry[], changed: ReadonlyMap<number, ResourceEntry>): void {
    const { base } = this.live;
    for (const cell of base.slice(0, added.length)) {
      this.#writeSuccess((id) => {
        this.live.move(cell, cell.entry, id);
        return { state: cell.entry };
      });
    }
    for (const [index, entry] of changed) this.#writeSame(base[added.length + index] as Cell, entry);
  }

  /** The snippets of the stack, all of them. */
  snippets(snippets: readonly Snippet[]): void {
    this.write({ ...this.#entry('snippets', 0, {}), snippets });
  }

  /** Writes what was put off and differs, and what stays pending. Called once, when nothing runs any more. */
  flush(): void {
    this.#keepPending();
    for (const cell of [...this.live.unwritten()])
      if (cell.unwritten) this.live.keepingTurn(cell, () => this.#writeSame(cell, cell.entry));
  }

  /**
   * The base was rebuilt after refreshes: base indexes count anew from here. Cells of the old base are not used any
   * more. A replay forgets which steps have begun: what waits for an answer is begun once more, so that it stays
   * pending.
   */
  rebase(live: LiveState): void {
    this.write(this.#entry('rebuilt-base-state', 0, {}));
    this.#writeOpen();
    this.#live = live;
    this.#forwarded.clear();
  }

  #beginEntry(operationId: number, operation: PendingOperation): JournalEntry {
    const entry = this.#entry('begin', operationId, { operation });
    this.#open.set(operationId, operation);
    return entry;
  }

  /** Whatever a replay comes to from here on, it has pending what the base has. */
  #keepPending(): void {
    if (this.#hasWritten) return;
    this.#hasWritten = true;
    this.#writeOpen();
  }

  #writeOpen(): void {
    for (const [operationId, operation] of this.#open)
      this.write(this.#entry('begin', operationId, { operation }));
  }

  #writeSame(cell: Cell, entry: ResourceEntry): void {
    this.#bringForward(entry);
    if (this.#forwarded.has(cell)) this.#renew(cell, entry, (id) => moveTo(this.live, { cell }, entry, id));
    else this.#writeSuccess((id) => moveTo(this.live, { cell }, entry, id));
  }

  /**
   * An entry that others needed ahead of its turn gets a new place at the end: those that stand before it and refer to
   * it follow. Only met when a run leaves resources as they are (targets) and registers them before what they depend
   * on.
   */
  #renew(cell: Cell, entry: ResourceEntry, end: (operationId: number) => Touches): void {
    const moved = new Set<Urn>([cell.entry.urn, entry.urn]);
    const followers = [...this.live.freshAfter(cell)].filter((each) => {
      const refers = refersToAny(each.entry, {
        has: (urn) => moved.has(this.live.presentUrn(urn)) || moved.has(urn),
      });
      if (refers) moved.add(each.entry.urn);
      return refers;
    });
    this.#writeSuccess(end);
    for (const follower of followers) {
      this.#writeSuccess((id) => moveTo(this.live, { cell: follower }, follower.entry, id));
    }
  }

  #writeSuccess(end: (operationId: number) => Touches): void {
    const operationId = this.#nextOperation();
    const touches = end(operationId);
    this.write(this.#entry('success', operationId, touches));
  }

  /** Writes base entries that the entry refers to, deepest first. Each entry is brought forward at most once. */
  #bringForward(entry: ResourceEntry): void {
    const stack: { readonly cell: Cell; readonly needs: readonly Cell[]; next: number }[] = [];
    const onStack = new Set<Cell>();
    const enter = (cell: Cell) => {
      onStack.add(cell);
      stack.push({ cell, needs: this.#behind(cell.entry, cell.entry.urn), next: 0 });
    };
    for (const needed of this.#behind(entry, entry.urn)) {
      if (needed.place.t !== 'base') continue;
      enter(needed);
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const need = top.needs[top.next++];
        if (need !== undefined) {
          if (need.place.t === 'base' && !onStack.has(need)) enter(need);
          continue;
        }
        stack.pop();
        onStack.delete(top.cell);
        const { cell } = top;
        this.#forwarded.add(cell);
        this.live.keepingTurn(cell, () =>
          this.#writeSuccess((id) => moveTo(this.live, { cell }, cell.entry, id)),
        );
      }
    }
  }

  /** Base entries the entry refers to; of what is only left to be deleted, that. */
  #behind(entry: ResourceEntry, own: Urn): readonly Cell[] {
    let found: Set<Cell> | undefined;
    eachReference(entry, (urn) => {
      const cell = this.live.providing(urn);
      if (cell === undefined || cell.place.t !== 'base' || cell.entry.urn === own) return;
      (found ??= new Set()).add(cell);
    });
    return found === undefined ? NOTHING : [...found];
  }

  #nextOperation(): number {
    return (this.#operation += 1);
  }

  #entry(
    kind: JournalKind,
    operationId: number,
    rest: Touches & { readonly operation?: PendingOperation },
  ): JournalEntry {
    this.#keepPending();
    return { kind, sequenceId: (this.#sequence += 1), operationId, ...rest };
  }
}

const NOTHING: readonly Cell[] = [];

/** Of a step that has an entry afterwards: it was to be deleted and is still there. */
function leavesWhatItDeletes(
  step: Step,
): step is StepOf<'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced'> {
  return BEGIN[step.kind] === 'deleting';
}
