import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { BugError, unreachable } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import { sameEntry } from '../model/entry-fields.js';
import type { RollbackOption } from '../model/goal.js';
import type { StepKind } from '../model/step-kinds.js';

/**
 * What is to be undone of one resource. `remove`: the object that an operation has made or taken over. `restore`:
 * what it has changed about an object that is still the same. `recreate`: the object that it has deleted.
 */
export type UndoPart = 'remove' | 'restore' | 'recreate';

/** Which part a step's undo is; undefined: the step has no effect that could be undone [REC-4]. */
export const UNDO_PART = {
  same: undefined,
  create: 'remove',
  'create-replacement': 'remove',
  update: 'restore',
  delete: 'recreate',
  'delete-replaced': 'recreate',
  'read-discard': 'recreate',
  'discard-replaced': 'recreate',
  replace: undefined,
  read: 'remove',
  'read-replacement': 'remove',
  refresh: undefined,
  import: 'remove',
  'import-replacement': 'remove',
  'remove-pending-replace': 'recreate',
} as const satisfies Record<StepKind, UndoPart | undefined>;

/** What the rule of undoing looks at: what there was, what there is, and what people want. */
export interface UndoFacts {
  readonly part: UndoPart;
  /**
   * The entry to come back to: as it was before the change, with what was created again since. Undefined: there was
   * none.
   */
  readonly was: ResourceEntry | undefined;
  /** The entry that owns the URN now. */
  readonly now: ResourceEntry | undefined;
  /** The object of `was` still exists beside `now`, pending delete. */
  readonly original: boolean;
  /** `now` is pending delete: something else owns the URN. */
  readonly leftOver: boolean;
  /**
   * What was deleted was pending delete before the change, beside `was` if there was one: it was on its way out
   * already.
   */
  readonly wasLeaving: boolean;
  /** The operation has taken `now` over; it has not made it. */
  readonly imported: boolean;
  readonly option: RollbackOption;
  /** Its provider says that objects of this type hold data. */
  readonly holdsData: boolean;
  /** It was not deleted by a call of its own, because it was to go with another object, and that one is still there. */
  readonly containerStands: boolean;
  /** Whether the object of a URN goes in the same rollback. */
  readonly goesToo: (urn: Urn) => boolean;
  /** A person has agreed to a new object, should its provider not change it back in place. */
  readonly mayReplace: boolean;
  /** A resource that stays and cannot be without this one; undefined: there is none. */
  readonly neededBy: Urn | undefined;
}

/** Why an undo needs no call of the provider. */
type NoUndoCall = 'component' | 'external' | 'imported' | 'retained' | 'deleted-with' | 'provider';

/** Why an undo does not take place. */
export type UndoHold =
  /** The resource says so. */
  | { readonly t: 'retain' }
  /** The resource, or the project, leaves it to a person. */
  | { readonly t: 'hold' }
  /** Its object holds data that would be lost, or cannot be brought back. */
  | { readonly t: 'holds-data' }
  /** A resource that stays refers to it. */
  | { readonly t: 'needed'; readonly urn: Urn };

/** How one part is undone. */
export type Undo =
  /** It is as it was. */
  | { readonly t: 'nothing' }
  /** The object is deleted; `leaves` takes the place of the entry. */
  | { readonly t: 'delete'; readonly now: ResourceEntry; readonly leaves: ResourceEntry | undefined }
  /** Only the entry goes. */
  | {
      readonly t: 'forget';
      readonly now: ResourceEntry;
      readonly leaves: ResourceEntry | undefined;
      readonly because: NoUndoCall;
    }
  /** The object is changed back, if its provider can do that in place. */
  | {
      readonly t: 'update';
      readonly now: ResourceEntry;
      readonly was: ResourceEntry;
      readonly mayReplace: boolean;
    }
  /** Only the entry is written. */
  | { readonly t: 'write'; readonly now: ResourceEntry; readonly was: ResourceEntry }
  /** The object is created again. `beside`: another one owns the URN as yet. */
  | { readonly t: 'create'; readonly was: ResourceEntry; readonly beside: boolean }
  /** The entry comes back; its object, if it has one, was never touched. */
  | {
      readonly t: 'put-back';
      readonly was: ResourceEntry;
      readonly beside: boolean;
      readonly because: NoUndoCall;
    }
  | { readonly t: 'keep'; readonly because: UndoHold };

/**
 * How one part of what happened to a resource is undone [REC-4]. Pure, and a function of what there is: asked again
 * after an undo that was cut off, it gives what is left to do. Rules of protection do not apply: they guard objects
 * that were there before, and none of those is deleted here.
 */
export function decideUndo(facts: UndoFacts): Undo {
  switch (facts.part) {
    case 'remove':
      return removeMade(facts);
    case 'restore':
      return restoreChanged(facts);
    case 'recreate':
      return recreateDeleted(facts);
    default:
      return unreachable(facts.part);
  }
}

/**
 * Whether both entries stand for one object, or for one component. A replacement may have the id of what it replaced.
 */
export function isSameObject(a: ResourceEntry, b: ResourceEntry): boolean {
  if (a.custom !== b.custom || a.external !== b.external || isProviderType(a.type) !== isProviderType(b.type))
    return false;
  return a.id === b.id && a.created === b.created && a.pendingReplacement === b.pendingReplacement;
}

function removeMade(facts: UndoFacts): Undo {
  const { was, now, option, neededBy } = facts;
  if (now === undefined || now.pendingReplacement) return NOTHING;
  if (was !== undefined && isSameObject(was, now)) return restoreChanged(facts);
  if (neededBy !== undefined) return keep({ t: 'needed', urn: neededBy });
  const leaves = leavesBehind(facts);
  const because = noCall(facts, now);
  if (because !== undefined) return { t: 'forget', now, leaves, because };
  if (option !== 'auto') return keep({ t: option });
  if (facts.holdsData) return keep({ t: 'holds-data' });
  return { t: 'delete', now, leaves };
}

/** What stands in the entry's place when it has gone: the one that it replaced, if there was one. */
function leavesBehind({ was, original, leftOver }: UndoFacts): ResourceEntry | undefined {
  if (was === undefined || leftOver) return undefined;
  if (original || was.external || !was.custom) return was;
  return withEntry(was, { pendingReplacement: true });
}

function noCall({ imported, goesToo }: UndoFacts, now: ResourceEntry): NoUndoCall | undefined {
  if (!now.custom) return 'component';
  if (now.external) return 'external';
  if (imported) return 'imported';
  if (now.retainOnDelete) return 'retained';
  if (now.deletedWith !== undefined && goesToo(now.deletedWith)) return 'deleted-with';
  return undefined;
}

function restoreChanged({ was, now, option, mayReplace }: UndoFacts): Undo {
  if (was === undefined || now === undefined || !isSameObject(was, now) || sameEntry(was, now))
    return NOTHING;
  if (!was.custom || was.external || isProviderType(was.type)) return { t: 'write', now, was };
  if (option === 'retain') return keep({ t: 'retain' });
  const failed = now.initErrors.length > 0 && was.initErrors.length === 0;
  if (equalMaps(was.inputs, now.inputs) && !failed) {
    // The same inputs again would change nothing: what the object is now is true.
    return { t: 'write', now, was: withEntry(was, { outputs: now.outputs, initErrors: now.initErrors }) };
  }
  if (option === 'hold') return keep({ t: 'hold' });
  return { t: 'update', now, was, mayReplace };
}

function recreateDeleted(facts: UndoFacts): Undo {
  const { was, now, original, wasLeaving, option, holdsData } = facts;
  if (was === undefined || original || wasLeaving) return NOTHING;
  if (now !== undefined && isSameObject(was, now)) return NOTHING;
  const beside = now !== undefined && !now.pendingReplacement;
  if (beside && was.pendingReplacement) return NOTHING;
  const because = untouched(was, facts);
  if (because !== undefined) return { t: 'put-back', was, beside, because };
  if (option !== 'auto') return keep({ t: option });
  if (holdsData) return keep({ t: 'holds-data' });
  return { t: 'create', was, beside };
}

/** Why the delete of an entry did nothing to an object [DEL-1]. */
function untouched(was: ResourceEntry, { containerStands }: UndoFacts): NoUndoCall | undefined {
  if (!was.custom) return 'component';
  if (was.external) return 'external';
  if (was.retainOnDelete) return 'retained';
  if (was.pendingReplacement) return 'component';
  if (containerStands) return 'deleted-with';
  return isProviderType(was.type) ? 'provider' : undefined;
}

const NOTHING: Undo = Object.freeze({ t: 'nothing' });

function keep(because: UndoHold): Undo {
  return { t: 'keep', because };
}

/** Why an undo does not take place, for people; follows "cannot undo … of X: ". */
export function holdText(because: UndoHold): string {
  switch (because.t) {
    case 'retain':
      return 'its option "rollback" is "retain"';
    case 'hold':
      return 'its option "rollback" is "hold"';
    case 'holds-data':
      return 'it holds data, and its option "rollback" does not say "auto"';
    case 'needed':
      return `${because.urn}, which stays, needs it`;
    default:
      return unreachable(because);
  }
}

/** The part that a kind of step leaves to undo. Precondition: it leaves one. */
export function undoPartOf(kind: StepKind): UndoPart {
  const part = UNDO_PART[kind];
  if (part === undefined) throw new BugError(`a step of kind ${kind} has no undo`);
  return part;
}
