import type { ResourceEntry } from '@cairn/state';
import type { HookBinding } from '@cairn/wire';
import type { StepKind } from './step-kinds.js';
import type { StepOf } from './step.js';

/** Operations that hooks run before and after. */
export type HookedOperation = 'create' | 'update' | 'delete';

export type HookPhase = 'before' | 'after';

/** Kinds of steps with hooks. A replacement has them around its two physical halves [HOOK-2]. */
const OPERATIONS = {
  create: 'create',
  'create-replacement': 'create',
  update: 'update',
  delete: 'delete',
  'delete-replaced': 'delete',
} as const satisfies Partial<Record<StepKind, HookedOperation>>;

type HookedKind = keyof typeof OPERATIONS;

/** Step that may have hooks. */
export type HookedStep = StepOf<HookedKind>;

/** Returns the operation that a kind of step carries out. Undefined when hooks do not apply to it. */
export function operationOf(kind: StepKind): HookedOperation | undefined {
  return (OPERATIONS as Partial<Record<StepKind, HookedOperation>>)[kind];
}

/** Returns true if hooks may apply to a step. */
export function isHooked(step: { readonly kind: StepKind }): step is HookedStep {
  return operationOf(step.kind) !== undefined;
}

/** Names under which the lists of hooks are stored with an entry [STATE-6]. */
const STORED_LISTS = {
  beforeCreate: 'BeforeCreate',
  afterCreate: 'AfterCreate',
  beforeUpdate: 'BeforeUpdate',
  afterUpdate: 'AfterUpdate',
  beforeDelete: 'BeforeDelete',
  afterDelete: 'AfterDelete',
  onError: 'OnError',
} as const satisfies Record<keyof HookBinding, string>;

const LISTS = {
  before: { create: 'beforeCreate', update: 'beforeUpdate', delete: 'beforeDelete' },
  after: { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' },
} as const satisfies Record<HookPhase, Record<HookedOperation, keyof HookBinding>>;

/** Returns the names of an entry's hooks at a moment, in order. */
export function hookNames(
  entry: ResourceEntry,
  phase: HookPhase,
  operation: HookedOperation,
): readonly string[] {
  return stored(entry, LISTS[phase][operation]);
}

/** Returns the names of an entry's error hooks, in order. */
export function errorHookNames(entry: ResourceEntry): readonly string[] {
  return stored(entry, 'onError');
}

/**
 * Returns the entry whose lists count for a step: the new entry of the program, or the stored one for deletes [HOOK-2]
 * [HOOK-9].
 */
export function hookOwner(step: HookedStep): ResourceEntry {
  return 'new' in step ? step.new : step.old;
}

/** Returns a binding in its stored form. Empty lists are omitted. */
export function storedHooks(binding: HookBinding | undefined): ResourceEntry['resourceHooks'] {
  if (binding === undefined) return {};
  const keys = Object.keys(STORED_LISTS) as (keyof HookBinding)[];
  return Object.fromEntries(
    keys.filter((key) => binding[key].length > 0).map((key) => [STORED_LISTS[key], binding[key]]),
  );
}

/** Returns the stored lists of an entry as a binding. Undefined when it has none. */
export function hookBinding(entry: ResourceEntry): HookBinding | undefined {
  if (Object.keys(entry.resourceHooks).length === 0) return undefined;
  return {
    beforeCreate: stored(entry, 'beforeCreate'),
    afterCreate: stored(entry, 'afterCreate'),
    beforeUpdate: stored(entry, 'beforeUpdate'),
    afterUpdate: stored(entry, 'afterUpdate'),
    beforeDelete: stored(entry, 'beforeDelete'),
    afterDelete: stored(entry, 'afterDelete'),
    onError: stored(entry, 'onError'),
  };
}

function stored(entry: ResourceEntry, key: keyof HookBinding): readonly string[] {
  return entry.resourceHooks[STORED_LISTS[key]] ?? [];
}
