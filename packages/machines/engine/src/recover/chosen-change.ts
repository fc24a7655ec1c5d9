import type { OperationKind } from '../model/request.js';

/** Fields of a listed change that identify the one a command means. */
export interface ChoosableChange {
  readonly number: number;
  readonly kind: OperationKind | 'edit';
  /** Result; `undefined` if no record says how the change ended. */
  readonly result?: string | undefined;
  readonly unfinished: boolean;
}

/** Changes of a stack that a command may mean. */
export interface ChangeCandidates {
  /**
   * Newest change, if any. `idle`: it continued no other change and died before it did anything. `declined`: the user
   * has declined it since.
   */
  readonly newest?: (ChoosableChange & { readonly idle: boolean; readonly declined: boolean }) | undefined;
  /** Numbers of the unfinished lineage, oldest first. Undefined if each lineage has ended. */
  readonly unfinished?: readonly number[] | undefined;
  /** Lineages whose last change was over when its process died, but is only now recorded as such. */
  readonly finished: readonly (readonly ChoosableChange[])[];
}

/** A change that was over when its process died: nothing is left to do. */
export interface DoneChange {
  readonly result: 'succeeded' | 'rolled-back';
  readonly kind: OperationKind;
  /** Number of the first change of its lineage. */
  readonly origin: number;
  readonly number: number;
}

/** Action of a resume. `other` of `nothing`: the change that could be resumed instead of the named one. */
export type Resumed =
  | { readonly t: 'begin-again'; readonly number: number }
  | { readonly t: 'unfinished' }
  | { readonly t: 'done'; readonly done: DoneChange }
  | { readonly t: 'nothing'; readonly other: number | undefined };

/**
 * Finds the change to resume: the named one, or else the newest. A change that did nothing begins again, unless it only
 * answered or edited, or was declined and is not named. A change that was over when its process died needs nothing
 * [REC-13].
 */
export function toResume(choice: ChangeCandidates, named: number | undefined): Resumed {
  const { newest, unfinished } = choice;
  const isMeant = newest !== undefined && (named === undefined ? !newest.declined : named === newest.number);
  if (isMeant && newest.idle && newest.kind !== 'resolve' && newest.kind !== 'edit')
    return { t: 'begin-again', number: newest.number };
  const done = doneChange(choice, named);
  if (done !== undefined) return { t: 'done', done };
  if (unfinished !== undefined && (named === undefined || unfinished.includes(named)))
    return { t: 'unfinished' };
  return { t: 'nothing', other: unfinished?.at(-1) };
}

/** Target of a rollback. `done` of `to-be-named`: the change was over when its process died. */
export type RolledBack =
  | { readonly t: 'change'; readonly number: number }
  | { readonly t: 'unfinished' }
  | { readonly t: 'done'; readonly done: DoneChange }
  | { readonly t: 'to-be-named'; readonly number: number; readonly done: DoneChange | undefined }
  | { readonly t: 'nothing' };

/**
 * Finds the change to roll back: the named one, or else the newest, even if that did nothing. A finished change must be
 * named, unless `shown`: the rollback's effect is shown to the user for confirmation. A change that was rolled back
 * already is only reported [REC-12].
 */
export function toRollBack(choice: ChangeCandidates, named: number | undefined, shown: boolean): RolledBack {
  const { newest, unfinished } = choice;
  const done = doneChange(choice, named);
  if (done?.kind === 'rollback' || done?.result === 'rolled-back') return { t: 'done', done };
  if (named !== undefined) return { t: 'change', number: named };
  if (newest?.idle !== true && unfinished !== undefined) return { t: 'unfinished' };
  if (newest === undefined) return { t: 'nothing' };
  const { number } = newest;
  return newest.idle || shown ? { t: 'change', number } : { t: 'to-be-named', number, done };
}

/** Finds a change that is done. An edit does not count, nor does a change that failed before it did anything. */
function doneChange(
  { finished, unfinished }: ChangeCandidates,
  named: number | undefined,
): DoneChange | undefined {
  if (named === undefined && unfinished !== undefined) return undefined;
  const lineage = finished.findLast(
    (all) => named === undefined || all.some(({ number }) => number === named),
  );
  const [first, last] = [lineage?.[0], lineage?.at(-1)];
  if (first === undefined || last === undefined || last.unfinished) return undefined;
  const { kind, result, number } = last;
  if (kind === 'edit' || (result !== 'succeeded' && result !== 'rolled-back')) return undefined;
  return { result, kind, origin: first.number, number };
}

/** Tells whether continuing a lineage means continuing its rollback. `kinds`: of its changes, oldest first. */
export function isRollingBack(kinds: readonly ChoosableChange['kind'][]): boolean {
  return kinds.findLast((kind) => kind !== 'resolve' && kind !== 'edit') === 'rollback';
}
