import type { Urn } from '@cairn/addresses';
import { BugError } from '@cairn/diagnostics';
import { blankEntry, resourceEntry, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Goal, ReadGoal } from './goal.js';
import { sameEntry } from './entry-fields.js';
import { markSecretOutputs } from './secret-outputs.js';
import { STORED_OPTIONS } from './options.js';
import type { StoredOption } from './options.js';
import type { Reason } from './reason.js';
import type { Cell } from './cell.js';
import { noDiff } from './step.js';
import type {
  CreateReplacementStep,
  CreateStep,
  DeleteStep,
  ImportStep,
  Listed,
  NoDeleteCall,
  ReadStep,
  RefreshStep,
  RemovePendingReplaceStep,
  ReplaceStep,
  SameStep,
  StepDiff,
  UpdateStep,
} from './step.js';

/** Makes the entry for a goal: metadata and inputs. Id and outputs come from the provider. */
export function goalEntry(goal: Goal, inputs: PropertyMap, oldUrn: Urn | undefined): ResourceEntry {
  const entry: MutableEntry = blankEntry();
  const { urn } = goal;
  entry.urn = urn;
  entry.type = goal.type;
  entry.custom = goal.custom;
  entry.inputs = inputs;
  entry.parent = goal.parent;
  entry.provider = goal.provider;
  if (oldUrn !== undefined && oldUrn !== urn) entry.aliases = [oldUrn];
  for (let at = 0; at < STORED_OPTIONS.length; at++) {
    const name = STORED_OPTIONS[at] as StoredOption;
    (entry as Record<StoredOption, unknown>)[name] = goal[name];
  }
  return entry;
}

/** Makes the entry for a goal whose object is that of another entry [REG-1] [IMP-1]. */
export function changedEntry(
  goal: Goal,
  inputs: PropertyMap,
  oldUrn: Urn | undefined,
  old: ResourceEntry,
): ResourceEntry {
  return fillObject(goalEntry(goal, inputs, oldUrn), old);
}

type MutableEntry = { -readonly [K in keyof ResourceEntry]: ResourceEntry[K] };

/** Keeps the provider's values in an entry that remains the same object. Copies the entry only if it has others. */
function keepObject(entry: ResourceEntry, old: ResourceEntry): ResourceEntry {
  return hasObject(entry, old) ? entry : fillObject(withEntry(entry, {}), old);
}

function hasObject(entry: ResourceEntry, old: ResourceEntry): boolean {
  return (
    entry.id === old.id &&
    entry.outputs === old.outputs &&
    entry.created === old.created &&
    entry.modified === old.modified &&
    entry.initErrors === old.initErrors &&
    entry.refreshBeforeUpdate === old.refreshBeforeUpdate &&
    (entry.importId !== '' || old.importId === '') &&
    entry.viewOf === old.viewOf
  );
}

/** Sets the provider's values of a new entry. */
function fillObject(entry: MutableEntry, old: ResourceEntry): ResourceEntry {
  entry.id = old.id;
  entry.outputs = old.outputs;
  entry.created = old.created;
  entry.modified = old.modified;
  entry.initErrors = old.initErrors;
  entry.refreshBeforeUpdate = old.refreshBeforeUpdate;
  if (entry.importId === '') entry.importId = old.importId;
  entry.viewOf = old.viewOf;
  return entry;
}

/**
 * Makes the step of an unchanged resource. An entry that is stored like the old one is the old one itself, so that one
 * of them remains in memory.
 */
export function sameStep(
  cell: Cell,
  old: ResourceEntry,
  entry: ResourceEntry,
  reason: Reason = { t: 'unchanged' },
): SameStep {
  const kept = markedAnew(keepObject(entry, old), old);
  return {
    kind: 'same',
    urn: entry.urn,
    reason,
    diff: noDiff,
    cell,
    old,
    new: sameEntry(kept, old) ? old : kept,
    untargeted: reason.t === 'out-of-scope',
  };
}

/** Marks outputs that the entry keeps secret only since it has other options or other marks on its inputs [REG-8]. */
function markedAnew(entry: ResourceEntry, old: ResourceEntry): ResourceEntry {
  if (entry.inputs === old.inputs && entry.additionalSecretOutputs.length === 0) return entry;
  const outputs = markSecretOutputs(entry.outputs, entry);
  return outputs === entry.outputs ? entry : withEntry(entry, { outputs });
}

export function createStep(entry: ResourceEntry, reason: Reason = { t: 'new' }): CreateStep {
  return { kind: 'create', urn: entry.urn, reason, diff: noDiff, new: entry };
}

/** Precondition: `old` is not pending delete. */
export function updateStep(
  cell: Cell,
  old: ResourceEntry,
  entry: ResourceEntry,
  diff: StepDiff,
  reason: Reason,
): UpdateStep {
  if (old.delete) throw new BugError(`update of ${old.urn}, which is pending delete`);
  return { kind: 'update', urn: entry.urn, reason, diff, cell, old, new: keepObject(entry, old) };
}

export function createReplacement(
  cell: Cell,
  old: ResourceEntry,
  entry: ResourceEntry,
  diff: StepDiff,
  reason: Reason,
): CreateReplacementStep {
  return { kind: 'create-replacement', urn: entry.urn, reason, diff, cell, old, new: entry };
}

export function replace(
  old: ResourceEntry,
  entry: ResourceEntry,
  diff: StepDiff,
  reason: Reason,
): ReplaceStep {
  return { kind: 'replace', urn: entry.urn, reason, diff, old, new: entry };
}

/** Makes the delete of an object whose resource is no longer wanted. External objects are only forgotten. */
export function deleteStep(cell: Cell, reason: Reason, goesToo: (urn: Urn) => boolean): DeleteStep {
  return removal(cell.entry.external ? 'read-discard' : 'delete', cell, reason, goesToo);
}

/** Makes the delete of an object that was replaced create-first. Precondition: the entry is pending delete. */
export function removeReplaced(cell: Cell, reason: Reason, goesToo: (urn: Urn) => boolean): DeleteStep {
  const { urn, delete: isPending, external } = cell.entry;
  if (!isPending) throw new BugError(`delete of the replaced ${urn}, which is not pending delete`);
  return removal(external ? 'discard-replaced' : 'delete-replaced', cell, reason, goesToo);
}

/**
 * Makes the delete of an object before its replacement is created. The entry stays, pending replacement. An object that
 * was already replaced is simply deleted [DIFF-8].
 */
export function removeFirst(
  cell: Cell,
  diff: StepDiff,
  reason: Reason,
  goesToo: (urn: Urn) => boolean,
): DeleteStep {
  const wasReplaced = cell.entry.delete;
  const step = removal(wasReplaced ? 'delete' : 'delete-replaced', cell, reason, goesToo);
  return { ...step, diff, leavesPending: !wasReplaced };
}

function removal(
  kind: DeleteStep['kind'],
  cell: Cell,
  reason: Reason,
  goesToo: (urn: Urn) => boolean,
): DeleteStep {
  const { entry: old } = cell;
  const { urn } = old;
  return {
    ...{ kind, urn, reason, diff: noDiff, cell, old },
    leavesPending: false,
    noCall: noCall(old, goesToo),
  };
}

export function removePendingReplace(cell: Cell): RemovePendingReplaceStep {
  const old = cell.entry;
  return {
    kind: 'remove-pending-replace',
    urn: old.urn,
    reason: { t: 'abandoned' },
    diff: noDiff,
    cell,
    old,
  };
}

/** `old` is the entry under the names that a registration gives it, if there is one. */
export function refreshStep(
  cell: Cell,
  asked: 'user' | 'before-update' = 'user',
  old: ResourceEntry = cell.entry,
  isFollowed = false,
): RefreshStep {
  return {
    kind: 'refresh',
    urn: old.urn,
    reason: { t: 'refresh', asked },
    diff: noDiff,
    cell,
    old,
    isFollowed,
  };
}

/** `replaces`: the prior entry becomes pending delete. Otherwise the read only renews or adds. */
export function readStep(
  goal: ReadGoal,
  cell: Cell | undefined,
  old: ResourceEntry | undefined,
  replaces: boolean,
): ReadStep {
  const entry = resourceEntry({
    urn: goal.urn,
    type: goal.type,
    custom: true,
    external: true,
    id: goal.id,
    inputs: goal.properties,
    outputs: emptyMap,
    parent: goal.parent,
    provider: goal.provider,
    dependencies: goal.dependencies,
    additionalSecretOutputs: goal.additionalSecretOutputs,
    sourcePosition: goal.sourcePosition,
    stackTrace: goal.stackTrace,
    extensionRef: goal.extensionRef,
    created: old?.created,
    modified: old?.modified,
  });
  const kind = replaces ? 'read-replacement' : 'read';
  const reason: Reason = { t: replaces ? 'read-other' : 'read' };
  return { kind, urn: goal.urn, reason, diff: noDiff, cell, old, new: entry, idUnknown: goal.idUnknown };
}

export function importStep(
  goal: Goal,
  cell: Cell | undefined,
  old: ResourceEntry | undefined,
  oldUrn: Urn | undefined,
): ImportStep {
  const entry = withEntry(goalEntry(goal, emptyMap, oldUrn), { id: goal.importId });
  const kind = old === undefined ? 'import' : 'import-replacement';
  return {
    kind,
    urn: goal.urn,
    reason: { t: 'import', id: goal.importId },
    diff: noDiff,
    cell,
    old,
    new: entry,
  };
}

/** Makes the import of an item of an import list. Precondition: state has no entry of it. */
export function importListed(entry: ResourceEntry, listed: Listed): ImportStep {
  return {
    kind: 'import',
    urn: entry.urn,
    reason: { t: 'import', id: listed.id },
    diff: noDiff,
    cell: undefined,
    old: undefined,
    new: entry,
    listed,
  };
}

/**
 * Returns the reason not to call the provider's delete for an entry [DEL-1]. `goesToo` returns true if a URN's object
 * is deleted in this run as well.
 */
function noCall(old: ResourceEntry, goesToo: (urn: Urn) => boolean): NoDeleteCall | undefined {
  if (!old.custom) return 'component';
  if (old.external) return 'external';
  if (old.retainOnDelete) return 'retained';
  if (old.deletedWith !== undefined && goesToo(old.deletedWith)) return 'deleted-with';
  return undefined;
}
