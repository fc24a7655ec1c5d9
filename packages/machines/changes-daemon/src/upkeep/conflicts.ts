import { EVERYTHING, findConflict } from '@cairn/changes';
import type { ChangeView, Claim, Conflict, DataMap } from '@cairn/changes';

/** What the rules look at: a task of a change that is not over. */
export interface AffectingTask {
  readonly kind: string;
  readonly data: DataMap;
}

/** What tasks and changes hold, by what they are [CHG-19] [CHG-27]. */
export interface ConflictRules {
  /** What a task of this kind holds. */
  readonly byKind: Readonly<Record<string, (task: AffectingTask) => readonly Claim[]>>;
  /**
   * What a task holds that has this entry in its data, in the order of the table; asked for kinds without a function.
   */
  readonly byAttribute: Readonly<Record<string, (value: unknown, task: AffectingTask) => readonly Claim[]>>;
  /** Kinds of changes beside which no other may start, and what is said then. */
  readonly exclusive: Readonly<Record<string, string>>;
  /** Kinds of changes that are in nobody's way. */
  readonly irrelevant: ReadonlySet<string>;
  /** What a task holds for which no function knows it. Cairn: everything; the bare machine: nothing. */
  readonly unknown: 'everything' | 'nothing';
}

/** A change that may be in the way. */
export type RunningChange = Pick<ChangeView, 'id' | 'kind' | 'isReady' | 'claims'> & {
  readonly tasks: ReadonlyMap<string, AffectingTask>;
};

/** What somebody wants to begin. */
export interface Wanted {
  /** Kind of the change. */
  readonly kind: string;
  readonly claims: readonly Claim[];
  /** A change that does not count: the one that goes on with itself. */
  readonly ignore?: string;
  /** What was read before a slow planning, and what is there now: different means that somebody else came first. */
  readonly planned?: { readonly read: unknown; readonly present: unknown };
}

/** Why it may not begin, in the order in which it is looked for. */
export type Refusal =
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

/** What a task holds: by its kind, else by its data, else as the rules say of what is unknown. */
export function affectedBy(task: AffectingTask, rules: ConflictRules): readonly Claim[] {
  if (Object.hasOwn(rules.byKind, task.kind)) return rules.byKind[task.kind]?.(task) ?? [];
  for (const [attribute, claims] of Object.entries(rules.byAttribute)) {
    if (Object.hasOwn(task.data, attribute)) return claims(task.data[attribute], task);
  }
  return rules.unknown === 'everything' ? [{ key: EVERYTHING, mode: 'exclusive' }] : [];
}

/**
 * Why a change may not begin beside the others; undefined: it may [CHG-19]. Pure. Asked when a change is made,
 * and again after slow planning.
 */
export function refuseConflict(
  wanted: Wanted,
  changes: Iterable<RunningChange>,
  rules: ConflictRules,
): Refusal | undefined {
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

function besideExclusive(others: readonly RunningChange[], rules: ConflictRules): Refusal | undefined {
  const holder = others.find((change) => Object.hasOwn(rules.exclusive, change.kind));
  if (holder === undefined) return undefined;
  const message = rules.exclusive[holder.kind] as string;
  return { t: 'exclusive', changeId: holder.id, changeKind: holder.kind, message };
}

function notAlone(
  wanted: Wanted,
  others: readonly RunningChange[],
  rules: ConflictRules,
): Refusal | undefined {
  const [holder] = others;
  if (holder === undefined || !Object.hasOwn(rules.exclusive, wanted.kind)) return undefined;
  const message = `cannot start "${wanted.kind}" while change ${holder.id} ("${holder.kind}") is in progress: it must run alone`;
  return { t: 'not-alone', changeId: holder.id, changeKind: holder.kind, message };
}

function claimed(
  wanted: Wanted,
  others: readonly RunningChange[],
  rules: ConflictRules,
): Refusal | undefined {
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

function stale({ planned }: Wanted): Refusal | undefined {
  if (planned === undefined || Object.is(planned.read, planned.present)) return undefined;
  return { t: 'stale', message: 'stack changed since the plan' };
}
