import type { OperationKind } from '../model/request.js';

/** A change as a listing has it, as far as that says which one is meant. */
export interface ListedChange {
  readonly number: number;
  readonly kind: OperationKind | 'edit';
  /** Undefined: nobody has said how it ended. */
  readonly result?: string | undefined;
  readonly unfinished: boolean;
}

/** Changes of a stack of which one may be meant. */
export interface Choice {
  /**
   * `idle`: it was to go on with nothing and died before it did anything; `declined`: and somebody has said since that
   * it is not wanted any more. Absent: there is none.
   */
  readonly newest?: (ListedChange & { readonly idle: boolean; readonly declined: boolean }) | undefined;
  /** The lineage that did not end, by numbers, oldest first. Absent: each has ended. */
  readonly unfinished?: readonly number[] | undefined;
  /** Lineages whose last change was over when its process died, and is stored only now. */
  readonly finished: readonly (readonly ListedChange[])[];
}

/** A change that was over when its process died: there is nothing left to do of it. */
export interface DoneChange {
  readonly result: 'succeeded' | 'rolled-back';
  readonly kind: OperationKind;
  /** The first of its lineage. */
  readonly origin: number;
  readonly number: number;
}

/** What a resume goes on with. `other` of nothing: the change that could be resumed in place of the named one. */
export type Resumed =
  | { readonly t: 'begin-again'; readonly number: number }
  | { readonly t: 'unfinished' }
  | { readonly t: 'done'; readonly done: DoneChange }
  | { readonly t: 'nothing'; readonly other: number | undefined };

/**
 * The change that is named, else the newest: one that did nothing begins again, unless it only answered or edited, or
 * was declined and is not named; one that was over when its process died needs nothing [REC-13].
 */
export function toResume(choice: Choice, named: number | undefined): Resumed {
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

/** What is rolled back. `done` of one that is to be named: it was over when its process died. */
export type RolledBack =
  | { readonly t: 'change'; readonly number: number }
  | { readonly t: 'unfinished' }
  | { readonly t: 'done'; readonly done: DoneChange }
  | { readonly t: 'to-be-named'; readonly number: number; readonly done: DoneChange | undefined }
  | { readonly t: 'nothing' };

/**
 * The change that is named, else the newest one, also when that did nothing: no other one is meant. One that is done
 * has to be named, unless somebody is `shown` what its rollback does, and asked. What was rolled back already is only
 * said [REC-12].
 */
export function toRollBack(choice: Choice, named: number | undefined, shown: boolean): RolledBack {
  const { newest, unfinished } = choice;
  const done = doneChange(choice, named);
  if (done?.kind === 'rollback' || done?.result === 'rolled-back') return { t: 'done', done };
  if (named !== undefined) return { t: 'change', number: named };
  if (newest?.idle !== true && unfinished !== undefined) return { t: 'unfinished' };
  if (newest === undefined) return { t: 'nothing' };
  const { number } = newest;
  return newest.idle || shown ? { t: 'change', number } : { t: 'to-be-named', number, done };
}

/** An edit is none, and one that failed before it did anything came to nothing. */
function doneChange({ finished, unfinished }: Choice, named: number | undefined): DoneChange | undefined {
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

/** Whether going on with a lineage means to go on with taking it back. `kinds`: of its changes, oldest first. */
export function isRollingBack(kinds: readonly ListedChange['kind'][]): boolean {
  return kinds.findLast((kind) => kind !== 'resolve' && kind !== 'edit') === 'rollback';
}
