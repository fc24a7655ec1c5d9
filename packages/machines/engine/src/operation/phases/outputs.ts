import { isRootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import { equalMaps, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { storableOutputs } from '../../decide/stored-outputs.js';
import type { EngineEvent } from '../../model/events.js';
import { outputsView } from '../../model/step-view.js';
import type { LiveState } from '../../record/live-state.js';
import type { Recorder } from '../../record/recorder.js';

/**
 * Stores the outputs of the root stack at the end [REG-13]. After a success they are stored as registered. After a
 * failure the old ones remain, with the registered ones laid over them. Old outputs whose new value is unknown in a
 * real run also remain.
 */
export function storeRootOutputs(
  recorder: Recorder,
  registered: { readonly urn: Urn; readonly outputs: PropertyMap },
  succeeded: boolean,
  preview: boolean,
  emit: (event: EngineEvent) => void,
): void {
  const cell = recorder.live.live(registered.urn);
  if (cell === undefined) return;
  const old = cell.entry;
  const known = preview ? registered.outputs : storableOutputs(old.outputs, registered.outputs);
  const outputs = succeeded ? known : Object.assign(newMap(), old.outputs, known);
  const entry = withEntry(old, { outputs });
  if (!equalMaps(old.outputs, outputs)) recorder.outputs(cell, entry);
  emit({ t: 'outputs', step: outputsView(old, entry), planning: preview });
}

/** Returns the recorded outputs of the root stack. O(V). */
export function rootOutputsOf(live: LiveState): PropertyMap | undefined {
  return live.entries().find((entry) => isRootStackUrn(entry.urn) && !entry.delete)?.outputs;
}
