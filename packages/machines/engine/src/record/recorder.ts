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
  /** Entry that must be durable before the provider is called; `undefined` if the step leaves no pending operation. */
  readonly entry: JournalEntry | undefined;
}

/** Change that an undo makes to the snapshot. */
export type UndoneChange =
  /** No change, or one that was written already. */
  | { readonly t: 'none' }
  /** Removes the entry. */
  | { readonly t: 'gone'; readonly cell: Cell }
  /** Puts another entry in the place of the cell's entry. `drop`: its other cell, which is removed. */
  | {
      readonly t: 'place';
      readonly cell: Cell;
      readonly entry: ResourceEntry;
      readonly drop?: Cell | undefined;
    }
  /** Brings back an entry that is missing. */
  | { readonly t: 'add'; readonly entry: ResourceEntry };

/**
 * The only writer of state. It turns begun and ended steps into journal entries [JRN-2] and updates the live state with
 * them. Everything an entry refers to is in the journal before the entry. Unchanged entries whose writing was put off
 * are written when something new refers to them. A replay thus gives a snapshot in order at every moment [STATE-11].
 */
export class Recorder {
  #sequence = 0;
  #operation = 0;
  /** Entries written before their own step ended, because something needed them or because they were looked up. */
  readonly #forwarded = new Set<Cell>();
  /** Steps that leave a pending operation, by id, from their beginning to their end. */
  readonly #open = new Map<number, PendingOperation>();
  /** Ids of steps that are pending in the base, until their outcome is known. */
  readonly #pending = new Map<string, number>();
  #hasWritten = false;

  #live: LiveState;
  readonly #write: WriteEntry;

  /**
   * `pending`: pending operations of the base, which remain pending until their outcome is known. A replay keeps
   * creates; the others are begun again before the first entry.
   */
  constructor(live: LiveState, write: WriteEntry, pending: readonly PendingOperation[] = []) {
    this.#write = write;
    this.#live = live;
    for (const operation of pending) {
      if (operation.type === 'creating') continue;
      const operationId = this.#nextOperation();
      this.#open.set(operationId, operation);
      this.#pending.set(pendingStep(operation), operationId);
    }
  }

  /** The snapshot as recorded so far. Another object after {@link rebase}. */
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

  /** Begins to find out about a step of an earlier operation. It remains pending until that has ended. */
  beginAgain(operation: PendingOperation): Begun {
    const operationId = this.#pending.get(pendingStep(operation)) ?? this.#nextOperation();
    return { operationId, entry: this.#beginEntry(operationId, operation) };
  }

  /**
   * Records that the base has other pending operations from here on. Its resources are the same, at the same indexes.
   */
  pendingChanged(newSnapshot: SerializedDeployment): void {
    this.#write({ ...this.#entry('write', 0, {}), newSnapshot });
  }

  /** Records that the step did its work or, after a partial failure, enough of it to be recorded. */
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

  /** Records that the step certainly did nothing. */
  failure(operationId: number): JournalEntry {
    this.#open.delete(operationId);
    return this.#entry('failure', operationId, {});
  }

  /** Begins an undo. `type`: type of the call that will be made; `undefined` if there will be none. */
  beginUndo(type: PendingOperationType | undefined, resource: ResourceEntry | undefined): Begun {
    const operationId = this.#nextOperation();
    if (type === undefined || resource === undefined) return { operationId, entry: undefined };
    return { operationId, entry: this.#beginEntry(operationId, { type, resource }) };
  }

  /** Ends an undo. Entries keep their places where possible, so that entries that refer to them remain behind them. */
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
   * Puts another entry in the place of the cell's entry. It goes to the end, with the entries that refer to it, if its
   * own references require that.
   */
  putBack(cell: Cell, back: ResourceEntry): void {
    // Entries that still use the name it loses must find it in a replay.
    const entry = back.urn === cell.entry.urn ? back : withEntry(back, { aliases: [cell.entry.urn] });
    const renamed = back.urn !== cell.entry.urn;
    if (cell.place.t === 'base' && !renamed) return this.#writeSame(cell, entry);
    this.#bringForward(entry);
    if (cell.place.t === 'new' && this.#isInOrder(cell, entry)) {
      const touches = { ...removes(cell.place), state: entry };
      this.live.set(cell, entry, false);
      this.#write(this.#entry('outputs', this.#nextOperation(), touches));
    } else this.#renew(cell, entry, (id) => moveTo(this.live, { cell }, entry, id));
  }

  #takeOut(cell: Cell): Touches {
    const touches = removes(cell.place);
    this.live.remove(cell);
    return touches;
  }

  /** Tells whether everything the entry refers to comes before the cell. */
  #isInOrder(cell: Cell, entry: ResourceEntry): boolean {
    let ordered = true;
    eachReference(entry, (urn, kind, detail) => {
      const needed = this.live.providing(urn, kind, detail);
      if (needed !== undefined && needed !== cell) ordered &&= this.live.precedes(needed, cell);
    });
    return ordered;
  }

  /**
   * Records a step without a task of its own, begun and ended at once. Views are recorded so: they follow their owner.
   */
  alone(step: Step, entry: ResourceEntry | undefined): void {
    const { operationId, entry: begun } = this.begin(step);
    if (begun !== undefined) this.#write(begun);
    const ended = this.success(step, operationId, entry);
    if (ended !== undefined) this.#write(ended);
  }

  /** Records an unchanged entry. It is written at once only if its metadata changed in a way that must not be lost. */
  same(step: SameStep): void {
    const { cell, old, new: entry } = step;
    if (mustWrite(old, entry)) return this.#writeSame(cell, entry);
    this.live.set(cell, entry, cell.unwritten || mustWriteAtEnd(old, entry));
    this.live.endTurn(cell);
  }

  /** Replaces the outputs of the entry with those that the program registered. */
  outputs(cell: Cell, entry: ResourceEntry): void {
    if (cell.place.t === 'base') return this.live.keepingTurn(cell, () => this.#writeSame(cell, entry));
    const touches = { ...removes(cell.place), state: entry };
    this.live.set(cell, entry, false);
    this.#write(this.#entry('outputs', this.#nextOperation(), touches));
  }

  /** Records an extension that resources of this run need and the base does not contain [PKG-3]. */
  extension(ref: string, extension: Extension): void {
    const parts = { extensionRef: ref, extension: encodeExtension(extension) };
    this.#write({ ...this.#entry('extension-parameterize', this.#nextOperation(), {}), ...parts });
  }

  /** Records that a refresh changed an entry, or its references. It keeps its place. */
  found(cell: Cell, entry: ResourceEntry): void {
    const touches = { ...removes(cell.place), isRefresh: true, state: entry };
    this.live.set(cell, entry, false);
    this.#write(this.#entry('refresh-success', this.#nextOperation(), touches));
  }

  /**
   * Completes the base before anything else: `added` entries go in front of it, and the entries at the base indexes of
   * `changed` are replaced. Called once, first. O(V).
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

  /** Writes all snippets of the stack. */
  snippets(snippets: readonly Snippet[]): void {
    this.#write({ ...this.#entry('snippets', 0, {}), snippets });
  }

  /**
   * Writes the changed entries that were put off, and the steps that remain pending. Called once, when nothing runs.
   */
  flush(): void {
    this.#keepPending();
    for (const cell of [...this.live.unwritten()])
      if (cell.unwritten) this.live.keepingTurn(cell, () => this.#writeSame(cell, cell.entry));
  }

  /**
   * Records that the base was rebuilt after refreshes: base indexes count from its new state. Cells of the old base are
   * no longer used. A replay forgets which steps have begun. Steps that wait for an answer are begun once more, so that
   * they remain pending.
   */
  rebase(live: LiveState): void {
    this.#write(this.#entry('rebuilt-base-state', 0, {}));
    this.#writeOpen();
    this.#live = live;
    this.#forwarded.clear();
  }

  #beginEntry(operationId: number, operation: PendingOperation): JournalEntry {
    const entry = this.#entry('begin', operationId, { operation });
    this.#open.set(operationId, operation);
    return entry;
  }

  /** Makes every later replay contain the pending steps of the base. */
  #keepPending(): void {
    if (this.#hasWritten) return;
    this.#hasWritten = true;
    this.#writeOpen();
  }

  #writeOpen(): void {
    for (const [operationId, operation] of this.#open)
      this.#write(this.#entry('begin', operationId, { operation }));
  }

  #writeSame(cell: Cell, entry: ResourceEntry): void {
    this.#bringForward(entry);
    if (this.#forwarded.has(cell)) this.#renew(cell, entry, (id) => moveTo(this.live, { cell }, entry, id));
    else this.#writeSuccess((id) => moveTo(this.live, { cell }, entry, id));
  }

  /**
   * Moves an entry that others needed ahead of its turn to a new place at the end. Entries before it that refer to it
   * follow. Needed only when a run leaves resources as they are (targets) and registers them before their dependencies.
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
    this.#write(this.#entry('success', operationId, touches));
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

  /**
   * Returns the base entries that the entry refers to. For a URN without an owner, that is its entry pending delete.
   */
  #behind(entry: ResourceEntry, own: Urn): readonly Cell[] {
    let found: Set<Cell> | undefined;
    eachReference(entry, (urn, kind, detail) => {
      const cell = this.live.providing(urn, kind, detail);
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

/**
 * Tells whether a step should delete an entry. Called for steps that leave one: it was to be deleted and still exists.
 */
function leavesWhatItDeletes(
  step: Step,
): step is StepOf<'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced'> {
  return BEGIN[step.kind] === 'deleting';
}
