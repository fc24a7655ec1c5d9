import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Step } from '../../model/step.js';

/** Parts of a provider's call with an effect that limits consider. */
export interface ProviderCall {
  readonly type: string;
  /** Entry of the called provider's resource. */
  readonly entry: ResourceEntry;
  /** Inputs before and after the call, used for mutual exclusion. */
  readonly inputs: readonly PropertyMap[];
}

/**
 * Returns the call of a step with an effect outside: a create, an update or a delete. Questions (checks, diffs, reads,
 * look-ups) count towards no limit of this kind. Undefined for a step without such a call. The undo of a step counts as
 * the step.
 */
export function callOf(step: Step): ProviderCall | undefined {
  switch (step.kind) {
    case 'create':
    case 'create-replacement':
      return call(step.new, [step.new.inputs]);
    case 'update':
      return call(step.new, [step.old.inputs, step.new.inputs]);
    case 'delete':
    case 'delete-replaced':
      return step.noCall === undefined ? call(step.old, [step.old.inputs]) : undefined;
    default:
      return undefined;
  }
}

/** Returns the call that brings back, alters or removes the object of an entry. */
export function callAbout(entry: ResourceEntry | undefined): ProviderCall | undefined {
  return entry === undefined ? undefined : call(entry, [entry.inputs]);
}

function call(entry: ResourceEntry, inputs: readonly PropertyMap[]): ProviderCall | undefined {
  if (!entry.custom || entry.external || isProviderType(entry.type)) return undefined;
  return { type: entry.type, entry, inputs };
}
