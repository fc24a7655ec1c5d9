import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { BugError, unreachable } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';
import { sameEntry } from '../model/entry-fields.js';
import type { StepKind } from '../model/step-kinds.js';
import { UNDO_PART } from '../model/undo-part.js';
import type { UndoPart } from '../model/undo-part.js';

/** Facts for the undo rule: the entries before and after, and the user's options. */
export interface UndoFacts {
  readonly part: UndoPart;
  /**
   * Entry to return to: the one before the change, with the values of objects that were created again since. Undefined
   * if there was none.
   */
  readonly was: ResourceEntry | undefined;
  /** Entry that now owns the URN. */
  readonly now: ResourceEntry | undefined;
  /** True if the object of `was` still exists beside `now`, pending delete. */
  readonly original: boolean;
  /** True if `now` is pending delete: another entry owns the URN. */
  readonly leftOver: boolean;
  /**
   * True if the deleted object was pending delete before the change, beside `was` if there was one: it was already
   * being deleted.
   */
  readonly wasLeaving: boolean;
  /** True if the operation imported `now` instead of creating it. */
  readonly imported: boolean;
  readonly option: RollbackOption;
  /** True if its provider declares that objects of this type hold data. */
  readonly holdsData: boolean;
  /** True if no call of its own deleted it because it was to be deleted with another object that still exists. */
  readonly containerStands: boolean;
  /** Returns true if the object of a URN is deleted in the same rollback. */
  readonly goesToo: (urn: Urn) => boolean;
  /** True if a person has agreed to a new object, in case its provider cannot change it back in place. */
  readonly mayReplace: boolean;
  /** Resource that stays and cannot exist without this one, if any. */
  readonly neededBy: Urn | undefined;
}

/** Reason why an undo needs no call of the provider. */
type NoUndoCall = 'component' | 'external' | 'imported' | 'retained' | 'deleted-with' | 'provider';

/** Reason why an undo does not take place. */
export type UndoHold =
  /** The resource option asks for it. */
  | { readonly t: 'retain' }
  /** The resource, or the project, leaves it to a person. */
  | { readonly t: 'hold' }
  /** Its object holds data that would be lost, or cannot be brought back. */
  | { readonly t: 'holds-data' }
  /** A resource that stays refers to it. */
  | { readonly t: 'needed'; readonly urn: Urn };

/** Undo of one part. */
export type Undo =
  /** It is already in its earlier state. */
  | { readonly t: 'nothing' }
  /** Deletes the object. `leaves` replaces the entry. */
  | { readonly t: 'delete'; readonly now: ResourceEntry; readonly leaves: ResourceEntry | undefined }
  /** Removes only the entry. */
  | {
      readonly t: 'forget';
      readonly now: ResourceEntry;
      readonly leaves: ResourceEntry | undefined;
      readonly because: NoUndoCall;
    }
  /** Changes the object back, if its provider can do that in place. */
  | {
      readonly t: 'update';
      readonly now: ResourceEntry;
      readonly was: ResourceEntry;
      readonly mayReplace: boolean;
    }
  /** Writes only the entry. */
  | { readonly t: 'write'; readonly now: ResourceEntry; readonly was: ResourceEntry }
  /** Creates the object again. `beside`: another one still owns the URN. */
  | { readonly t: 'create'; readonly was: ResourceEntry; readonly beside: boolean }
  /** Puts the entry back. Its object, if it has one, was never touched. */
  | {
      readonly t: 'put-back';
      readonly was: ResourceEntry;
      readonly beside: boolean;
      readonly because: NoUndoCall;
    }
  | { readonly t: 'keep'; readonly because: UndoHold };

/**
 * Decides how to undo one part of a resource's change [REC-4]. Pure, and a function of the present entries. If it is
 * called again after an interrupted undo, it returns the remaining work. Rules of protection do not apply: they guard
 * objects that existed before, and none of those is deleted here.
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
 * Returns true if both entries represent one object, or one component. A replacement may have the id of the object that
 * it replaced.
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

/** Returns the entry that replaces a removed one: the one that it had replaced, if there was one. */
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
    // The same inputs again would change nothing: the object's present values are true.
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

/** Returns the reason why the delete of an entry had no effect on an object [DEL-1]. */
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

/** Returns the reason why an undo does not take place, as a text that follows "cannot undo … of X: ". */
export function holdText(because: UndoHold): string {
  switch (because.t) {
    case 'retain':
      return 'its option "rollback" is "retain"';
    case 'hold':
      return 'its option "rollback" is "hold"';
    case 'holds-data':
      return 'it holds data, and its option "rollback" is not "auto"';
    case 'needed':
      return `${because.urn}, which stays, needs it`;
    default:
      return unreachable(because);
  }
}

/** Returns the part that a kind of step leaves to undo. Precondition: it leaves one. */
export function undoPartOf(kind: StepKind): UndoPart {
  const part = UNDO_PART[kind];
  if (part === undefined) throw new BugError(`a step of kind ${kind} has no undo`);
  return part;
}
