import { equalMaps } from '@cairn/values';
import { sameElsewhere } from './entry-fields.js';
import type { EngineEvent } from './events.js';

/**
 * Returns true if a pass that emits only such events leaves objects and state unchanged. Lines of the program that
 * register resources do not count.
 */
export function changesNothing(event: EngineEvent): boolean {
  switch (event.t) {
    case 'step-ended': {
      const { kind, old, new: entry } = event.step;
      if (kind !== 'same' && kind !== 'read' && kind !== 'refresh') return false;
      return old !== undefined && entry !== undefined && sameElsewhere(old, entry);
    }
    case 'outputs': {
      const { old, new: entry } = event.step;
      return old !== undefined && entry !== undefined && equalMaps(old.outputs, entry.outputs);
    }
    case 'step-failed':
      return false;
    default:
      return true;
  }
}
