import type { DiffResponse } from '@cairn/wire';
import type { StepKind } from '../model/step-kinds.js';
import type { Reason, ReasonSource, SourceStep } from '../model/reason.js';
import type { Facts } from './facts.js';
import { rootOf } from './provider-path.js';

/** Returns the reason of a change in place. Paths of the detailed diff are more precise than keys. */
export function changeReason(facts: Facts, diff: DiffResponse): Reason {
  const paths = Object.keys(diff.detailedDiff ?? {});
  const keys = paths.length > 0 ? paths : diff.changedKeys;
  return { t: 'property', keys, replaces: false, sources: sourcesOf(facts, keys) };
}

/**
 * Returns the reason of a diff that asks for a new object. `promoted`: the provider alone would have changed the object
 * in place, but replaceOnChanges applied.
 */
export function replacementReason(facts: Facts, diff: DiffResponse, promoted: boolean): Reason {
  const paths = Object.entries(diff.detailedDiff ?? {})
    .filter(([, { kind }]) => kind.endsWith('-replace'))
    .map(([path]) => path);
  const keys = paths.length > 0 ? paths : diff.replaceKeys;
  const sources = sourcesOf(facts, keys);
  return promoted
    ? { t: 'option', name: 'replaceOnChanges', keys, sources }
    : { t: 'property', keys, replaces: true, sources };
}

/** Returns the properties that take their values from a resource that this run has changed. */
function sourcesOf({ goal, view }: Facts, keys: readonly string[]): readonly ReasonSource[] {
  const sources: ReasonSource[] = [];
  for (const key of new Set(keys.map(rootOf))) {
    for (const urn of goal.propertyDependencies[key] ?? []) {
      const step = SOURCE_STEPS[view.step(urn) ?? 'same'];
      if (step !== undefined) sources.push({ key, urn, step });
    }
  }
  return sources;
}

/** Effect of a dependency's step on resources that take values from it. */
const SOURCE_STEPS: Readonly<Partial<Record<StepKind, SourceStep>>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  'create-replacement': 'replace',
  read: 'read',
  'read-replacement': 'replace',
  import: 'import',
  'import-replacement': 'replace',
};
