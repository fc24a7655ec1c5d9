import { EVERYTHING, findConflict } from '@cairn/changes';
import type { ChangeView, Claim, Conflict, DataMap } from '@cairn/changes';

/** Facts that the rules use: a task of an unfinished change. */
export interface AffectingTask {
  readonly kind: string;
  readonly data: DataMap;
}

/** Claims of tasks and changes, by kind and by data [CHG-19] [CHG-27]. */
export interface ConflictRules {
  /** Return the claims of a task of this kind. */
  readonly byKind: Readonly<Record<string, (task: AffectingTask) => readonly Claim[]>>;
  /**
   * Return the claims of a task whose data has this entry, in the order of the table. They serve kinds without a
   * function in `byKind`.
   */
  readonly byAttribute: Readonly<Record<string, (value: unknown, task: AffectingTask) => readonly Claim[]>>;
  /** Kinds of changes beside which no other may start, with the message of the refusal. */
  readonly exclusive: Readonly<Record<string, string>>;
  /** Kinds of changes that never conflict. */
  readonly irrelevant: ReadonlySet<string>;
  /** Claims of a task without a function: everything in Cairn, nothing in the bare machine. */
  readonly unknown: 'everything' | 'nothing';
}

/** A change that may conflict. */
export type RunningChange = Pick<ChangeView, 'id' | 'kind' | 'isReady' | 'claims'> & {
  readonly tasks: ReadonlyMap<string, AffectingTask>;
};

/** Change that a caller wants to begin. */
export interface WantedChange {
  /** Kind of the change. */
  readonly kind: string;
  readonly claims: readonly Claim[];
  /** Id of a change that is ignored: the one that continues itself. */
  readonly ignore?: string;
  /** Value read before a slow planning, and the present one. If they differ, another change came first. */
  readonly planned?: { readonly read: unknown; readonly present: unknown };
}

/** Reasons why it may not begin, in the order of the checks. */
export type ConflictRefusal =
  | {
      readonly t: 'exclusive';
      readonly changeId: string;
      readonly changeKind: string;
      readonly message: string;
    }
  | {
      readonly t: 'not-alone';
      readonly changeId: string;
      readonly changeKind: string;
      readonly message: string;
    }
  | ({ readonly t: 'claimed'; readonly message: string } & Conflict)
  | { readonly t: 'stale'; readonly message: string };

/** Returns the claims of a task: by its kind, else by its data, else as the rules say for unknown tasks. */
export function affectedBy(task: AffectingTask, rules: ConflictRules): readonly Claim[] {
  if (Object.hasOwn(rules.byKind, task.kind)) return rules.byKind[task.kind]?.(task) ?? [];
  for (const [attribute, claims] of Object.entries(rules.byAttribute)) {
    if (Object.hasOwn(task.data, attribute)) return claims(task.data[attribute], task);
  }
  return rules.unknown === 'everything' ? [{ key: EVERYTHING, mode: 'exclusive' }] : [];
}

/**
 * Returns the reason why a change may not begin beside the others, or `undefined` if it may [CHG-19]. Pure. Called when
 * a change is made, and again after slow planning.
 */
export function refuseConflict(
  wanted: WantedChange,
  changes: Iterable<RunningChange>,
  rules: ConflictRules,
): ConflictRefusal | undefined {
  const others = [...changes].filter(
    (change) => !change.isReady && change.id !== wanted.ignore && !rules.irrelevant.has(change.kind),
  );
  return (
    besideExclusive(others, rules) ??
    notAlone(wanted, others, rules) ??
    claimed(wanted, others, rules) ??
    stale(wanted)
  );
}

function besideExclusive(
  others: readonly RunningChange[],
  rules: ConflictRules,
): ConflictRefusal | undefined {
  const holder = others.find((change) => Object.hasOwn(rules.exclusive, change.kind));
  if (holder === undefined) return undefined;
  const message = rules.exclusive[holder.kind] as string;
  return { t: 'exclusive', changeId: holder.id, changeKind: holder.kind, message };
}

function notAlone(
  wanted: WantedChange,
  others: readonly RunningChange[],
  rules: ConflictRules,
): ConflictRefusal | undefined {
  const [holder] = others;
  if (holder === undefined || !Object.hasOwn(rules.exclusive, wanted.kind)) return undefined;
  const message = `cannot start "${wanted.kind}" while change ${holder.id} ("${holder.kind}") is in progress: it must run alone`;
  return { t: 'not-alone', changeId: holder.id, changeKind: holder.kind, message };
}

function claimed(
  wanted: WantedChange,
  others: readonly RunningChange[],
  rules: ConflictRules,
): ConflictRefusal | undefined {
  const held = others.map((change) => ({
    changeId: change.id,
    changeKind: change.kind,
    claims: [...change.claims, ...[...change.tasks.values()].flatMap((task) => affectedBy(task, rules))],
  }));
  const conflict = findConflict(held, wanted.claims);
  if (conflict === undefined) return undefined;
  const message = `${conflict.key} has change ${conflict.changeId} ("${conflict.changeKind}") in progress`;
  return { t: 'claimed', ...conflict, message };
}

function stale({ planned }: WantedChange): ConflictRefusal | undefined {
  if (planned === undefined || Object.is(planned.read, planned.present)) return undefined;
  return { t: 'stale', message: 'stack changed since the plan' };
}
