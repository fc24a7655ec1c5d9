import { equalMaps } from '@cairn/values';
import { sameElsewhere } from './entry-fields.js';
import type { EngineEvent } from './events.js';

/**
 * True if a pass that tells only such events leaves objects and state as they are. Lines of the program at which
 * resources are registered do not count.
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
