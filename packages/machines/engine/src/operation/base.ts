import { isProviderType } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { isEmptyMap } from '@cairn/values';
import { LiveState } from '../record/live-state.js';

/**
 * Returns the state an operation starts from. Provider entries without outputs get their inputs as outputs [PROV-7].
 * `added`: entries in front of the base that no journal contains yet.
 */
export function startingState(base: Snapshot, added: readonly ResourceEntry[] = []): LiveState {
  const live = new LiveState(base.resources, added);
  for (const cell of live.base) {
    const { type, inputs, outputs } = cell.entry;
    if (!isProviderType(type) || !isEmptyMap(outputs) || isEmptyMap(inputs)) continue;
    live.set(cell, withEntry(cell.entry, { outputs: inputs }), true);
  }
  return live;
}

/**
 * Returns warnings for operations that an earlier run left open [REF-7]. A plain up continues, warns, and forgets all
 * but the creates.
 */
export function pendingWarnings(base: Snapshot): readonly Diagnostic[] {
  return base.pendingOperations.map(({ type, resource }) =>
    warningDiagnostic('CAIRN-IN-DOUBT', `an earlier run was interrupted while ${type} ${resource.urn}`, {
      urn: resource.urn,
      hint: type === 'creating' ? CREATING_HINT : 'Run refresh to see what happened to it.',
    }),
  );
}

const CREATING_HINT =
  'Look for an object that was created without being recorded. Then clear the pending operation with `cairn stack export --file FILE` and `cairn stack import --file FILE`.';
