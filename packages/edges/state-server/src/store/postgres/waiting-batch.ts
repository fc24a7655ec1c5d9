import type { Admit } from '../../domain/admission.js';
import { readBatchParts } from '../../domain/batch-acceptance.js';
import type { BatchItems, ReadParts } from '../../domain/batch-acceptance.js';
import type { UpdateName } from '../service-store.js';
import type { GatherOutcome } from './gatherer.js';

/** Journal batch that waits. A batch that breaks the format is refused after its caller is let through. */
export interface WaitingBatch {
  readonly update: UpdateName;
  readonly admit: Admit;
  readonly parts: GatherOutcome<ReadParts>;
}

/** Reads a batch to wait with. */
export function waitingBatch(update: UpdateName, admit: Admit, items: BatchItems): WaitingBatch {
  try {
    return { update, admit, parts: { value: readBatchParts(items) } };
  } catch (refused) {
    return { update, admit, parts: { refused } };
  }
}
