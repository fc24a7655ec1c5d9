import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Step } from '../../model/step.js';

/** A call of a provider that has an effect, as far as limits look at it. */
export interface ProviderCall {
  readonly type: string;
  /** Entry whose provider is called. */
  readonly entry: ResourceEntry;
  /** Inputs before and after: what they touch is touched by the call. */
  readonly inputs: readonly PropertyMap[];
}

/**
 * The call that a step makes, when it has an effect outside: a create, an update or a delete. Questions (checks, diffs,
 * reads, look-ups) count towards no limit of this kind. Undefined: it makes none. The undo of a step counts as the
 * step.
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

/** The call that brings back, alters or removes the object of an entry. */
export function callAbout(entry: ResourceEntry | undefined): ProviderCall | undefined {
  return entry === undefined ? undefined : call(entry, [entry.inputs]);
}

function call(entry: ResourceEntry, inputs: readonly PropertyMap[]): ProviderCall | undefined {
  if (!entry.custom || entry.external || isProviderType(entry.type)) return undefined;
  return { type: entry.type, entry, inputs };
}
