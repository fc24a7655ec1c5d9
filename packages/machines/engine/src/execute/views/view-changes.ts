import { makeUrn, urnName, urnParts, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { StatusError } from '@cairn/wire';
import type { View, ViewOp, ViewStep } from '@cairn/wire';
import type { Cell } from '../../model/cell.js';

/** Effect on the record of a view, regardless of the step's name. */
type ViewEffect = 'keep' | 'put' | 'remove' | 'none';

/** Effect on the record of every op that a provider may publish. */
const EFFECTS = {
  same: 'keep',
  create: 'put',
  update: 'put',
  delete: 'remove',
  replace: 'none',
  'create-replacement': 'put',
  'delete-replaced': 'remove',
  read: 'put',
  'read-replacement': 'put',
  refresh: 'put',
  'read-discard': 'remove',
  'discard-replaced': 'remove',
  'remove-pending-replace': 'remove',
  import: 'put',
  'import-replacement': 'put',
} as const satisfies Record<ViewOp, ViewEffect>;

/** Change of a view at the end of its owner's step. */
export interface ViewChange {
  readonly op: ViewOp;
  readonly effect: ViewEffect;
  readonly urn: Urn;
  /** Record at the beginning of the call, if any. */
  readonly cell: Cell | undefined;
  readonly old: ResourceEntry | undefined;
  /** New record. Undefined if the view is deleted. */
  readonly entry: ResourceEntry | undefined;
  /** Reason of the failure. Empty if it did not fail. */
  readonly error: string;
  /** True if the failed change is recorded all the same. */
  readonly partial: boolean;
  readonly keys: readonly string[];
  readonly diffs: readonly string[];
  readonly detailedDiff: ViewStep['detailedDiff'];
}

/** Returns a view as providers receive it. */
export function viewOfEntry({ type, inputs, outputs, urn, parent, viewOf }: ResourceEntry): View {
  const nested = parent !== undefined && parent !== viewOf;
  return {
    type,
    name: urnName(urn),
    parentType: nested ? urnType(parent) : '',
    parentName: nested ? urnName(parent) : '',
    inputs,
    outputs,
  };
}

/** Views that publications are about. */
interface PublishedAbout {
  readonly owner: Urn;
  /** Present views of the owner. */
  readonly old: readonly Cell[];
  /** Earlier publications of the same call. */
  readonly earlier: readonly ViewChange[];
  /**
   * True if new records are added beside those of the owner's old object. The old ones stay until that object is gone.
   */
  readonly beside: boolean;
}

/**
 * Converts published steps into changes. Refuses an old view that the owner does not have, a change without a new
 * state, and two changes that leave the same view [VIEW-1] [VIEW-2]. A removal of a view that already got a new record
 * means the old one, regardless of the order in which a replacement is published. The new record has already taken its
 * place.
 */
export function viewChanges(
  steps: readonly ViewStep[],
  { owner, old, earlier, beside }: PublishedAbout,
): readonly ViewChange[] {
  const cells = new Map(old.map((cell) => [cell.entry.urn, cell]));
  const puts = earlier.filter(({ effect }) => effect === 'put');
  return steps.map((step) => {
    const change = viewChange(owner, step, cells);
    const taken = !beside && puts.some(({ cell }) => cell !== undefined && cell === change.cell);
    if (change.effect === 'remove') return taken ? { ...change, effect: 'none' } : change;
    if (change.effect !== 'put') return change;
    if (puts.some(({ urn }) => urn === change.urn)) throw refused(step, owner, 'it is published twice');
    puts.push(change);
    return taken ? { ...change, cell: undefined } : change;
  });
}

/** Returns the removal of a view whose owner is gone and about which its provider published nothing. */
export function removal(cell: Cell, op: 'delete' | 'delete-replaced'): ViewChange {
  return {
    op,
    effect: 'remove',
    urn: cell.entry.urn,
    cell,
    old: cell.entry,
    entry: undefined,
    error: '',
    partial: false,
    keys: [],
    diffs: [],
    detailedDiff: undefined,
  };
}

function viewChange(owner: Urn, step: ViewStep, cells: ReadonlyMap<Urn, Cell>): ViewChange {
  const { op, error, status, keys, diffs, detailedDiff } = step;
  // A refresh without a new state means that the view is gone.
  const effect: ViewEffect = op === 'refresh' && step.new === undefined ? 'remove' : EFFECTS[op];
  const urn = viewUrn(owner, step.new ?? step.old ?? { ...step, parentType: '', parentName: '' });
  const oldUrn = step.old === undefined ? urn : viewUrn(owner, step.old);
  const cell = cells.get(oldUrn);
  if (cell === undefined && (step.old !== undefined || effect === 'remove' || effect === 'keep'))
    throw refused(step, owner, 'there is no such view in the state');
  if (step.new === undefined && effect === 'put') throw refused(step, owner, 'it has no new state');
  return {
    op,
    effect,
    urn,
    cell,
    old: cell?.entry,
    entry: step.new === undefined || effect === 'remove' ? undefined : viewEntry(owner, urn, step.new),
    error,
    partial: status === 'partial-failure',
    keys,
    diffs,
    detailedDiff,
  };
}

function viewEntry(owner: Urn, urn: Urn, { type, inputs, outputs, ...view }: View): ResourceEntry {
  const parent = parentOf(owner, view);
  return resourceEntry({ urn, type, custom: false, parent, viewOf: owner, inputs, outputs });
}

function viewUrn(owner: Urn, view: Pick<View, 'type' | 'name' | 'parentType' | 'parentName'>): Urn {
  if (view.type === '' || view.name === '')
    throw new StatusError('INVALID_ARGUMENT', `a view of ${owner} has no type or no name`);
  return childUrn(parentOf(owner, view), view.type, view.name);
}

function parentOf(owner: Urn, { parentType, parentName }: Pick<View, 'parentType' | 'parentName'>): Urn {
  return parentName === '' ? owner : childUrn(owner, parentType, parentName);
}

function childUrn(parent: Urn, type: string, name: string): Urn {
  const { project, stack } = urnParts(parent);
  return makeUrn({ project, stack, parent, type, name });
}

function refused({ op, type, name }: ViewStep, owner: Urn, why: string): StatusError {
  return new StatusError(
    'INVALID_ARGUMENT',
    `cannot publish the ${op} of view "${name}" (${type}) of ${owner}: ${why}`,
  );
}
