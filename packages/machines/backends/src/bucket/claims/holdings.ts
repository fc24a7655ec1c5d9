import type { Claim } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { putJournalFile } from '../journal/journal-files.js';
import { isGone } from '../locks/holder-state.js';
import type { HeldLock } from '../locks/stack-lock.js';
import type { StackId } from '../../stack-id.js';
import { ALL, leavesRoom } from './claims.js';
import { ChangeConflictError, conflictWith, openJournals } from './held-claims.js';

/** Claims that a running operation holds on its stack. */
export class Holdings {
  #claims: readonly Claim[];
  readonly #context: BackendContext;
  readonly #from: {
    readonly id: StackId;
    readonly lock: HeldLock;
    readonly claims: readonly Claim[];
  };
  readonly #directory: string;

  constructor(
    context: BackendContext,
    from: {
      readonly id: StackId;
      readonly lock: HeldLock;
      readonly claims: readonly Claim[];
    },
    directory: string,
  ) {
    this.#context = context;
    this.#from = from;
    this.#directory = directory;
    this.#claims = from.claims;
  }

  /**
   * Adds claims. Its own claims are durable before it looks at those of others: if two operations want the same at
   * once, at least one is refused. One call at a time.
   */
  async claim(more: readonly Claim[]): Promise<Diagnostic | undefined> {
    const before = this.#claims;
    const wanted = more.filter((claim) => !covers(before, claim));
    if (wanted.length === 0 || !leavesRoom(before)) return undefined;
    const { id } = this.#from;
    const locks = await this.#hold([...before, ...wanted]);
    const journals = await openJournals(this.#context.store, id);
    const conflict = conflictWith(this.#context.instance, wanted, locks, journals);
    if (conflict === undefined) return undefined;
    await this.#hold(before);
    return new ChangeConflictError(id, conflict).diagnostics[0];
  }

  /**
   * Runs before the checkpoint is replaced. `whole`: this operation holds the whole stack anyway. Otherwise it claims
   * the whole stack, so that no further operation joins, and looks for others. `others`: they build on the checkpoint,
   * which must stay. `alone`: there are no others.
   */
  async beside(): Promise<'whole' | 'others' | 'alone'> {
    if (!leavesRoom(this.#claims)) return 'whole';
    const locks = await this.#from.lock.hold(ALL);
    return locks.every((lock) => lock.ours && isGone(lock, this.#context.process)) ? 'alone' : 'others';
  }

  async #hold(claims: readonly Claim[]): ReturnType<HeldLock['hold']> {
    const { store, instance } = this.#context;
    await putJournalFile(store, this.#directory, 'claims', { lock: instance, claims });
    this.#claims = claims;
    return this.#from.lock.hold(claims);
  }
}

function covers(held: readonly Claim[], { key, mode }: Claim): boolean {
  return held.some((claim) => claim.key === key && (claim.mode === 'exclusive' || mode === 'shared'));
}

/** Returns the note of an operation that ends before those beside it. */
export function restingNote(number: number): Diagnostic {
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `the steps of operation ${number} are recorded; they become part of the stored state when the parallel operations have ended`,
  };
}
