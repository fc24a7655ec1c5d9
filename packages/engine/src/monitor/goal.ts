import { noTimeouts } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { Goal } from './registration.js';

const blank: Omit<Goal, 'urn' | 'type' | 'name' | 'custom'> = Object.freeze({
  parent: undefined,
  inputs: emptyMap,
  provider: undefined,
  dependencies: [],
  propertyDependencies: {},
  protect: false,
  retainOnDelete: false,
  deleteBeforeReplace: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  hideDiffs: [],
  additionalSecretOutputs: [],
  aliases: [],
  statedAliases: [],
  importId: '',
  customTimeouts: noTimeouts,
  deletedWith: undefined,
  replaceWith: [],
  replacementTrigger: undefined,
  resourceHooks: {},
  sourcePosition: undefined,
  stackTrace: [],
  naming: undefined,
  rollback: undefined,
  idempotencyKey: undefined,
  gates: [],
  extensionRef: undefined,
});

/** What a goal is made of: identity, and whatever differs from a goal without options. */
export type GoalSpec = Pick<Goal, 'urn' | 'type' | 'name' | 'custom'> & Partial<Goal>;

/** A goal with every field present, so that all have one shape. */
export function goalOf(spec: GoalSpec): Goal {
  return { ...blank, ...spec };
}
