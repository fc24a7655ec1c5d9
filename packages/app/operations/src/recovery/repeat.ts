import type { ChangeLineage } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { SavedPlan } from '@cairn/engine';
import { importRequest } from '../imports/import-request.js';
import { keptPlan, openedFile } from '../operation/kept-options.js';
import type { RequestedOperation } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { readOptions, repeatedOptions } from '../options/recorded-options.js';
import type { ResumeOverrides } from '../options/recorded-options.js';

/** An operation from its record, to be continued. */
interface Repeated {
  readonly operation: RequestedOperation;
  /** The plan that limits it. */
  readonly plan: SavedPlan | undefined;
}

/**
 * Returns the operation that began a lineage, with its options then [REC-13], except for those decided again in `now`.
 * Throws CAIRN-CHANGE-ENDED if it cannot be continued, and CAIRN-JOURNAL-CORRUPT when its options cannot be read.
 */
export async function repeatedOperation(
  prepared: Prepared,
  lineage: ChangeLineage,
  now: ResumeOverrides,
): Promise<Repeated> {
  const number = Number(lineage.origin);
  const origin = lineage.changes[0];
  const kind = origin?.operation.kind;
  if (
    origin === undefined ||
    kind === undefined ||
    kind === 'edit' ||
    kind === 'resolve' ||
    kind === 'rollback'
  )
    throw cairnError('CAIRN-CHANGE-ENDED', `change ${number} has nothing to continue`, {
      hint: 'Run `cairn up` to continue from the current state.',
    });
  const recorded = readOptions(origin.operation.options, number);
  const options = repeatedOptions(recorded, now);
  const common = { options, projectPolicy: true };
  switch (kind) {
    case 'up':
      return { operation: { ...common, kind }, plan: await keptPlan(prepared, recorded) };
    case 'refresh':
    case 'destroy':
      return { operation: { ...common, kind }, plan: undefined };
    case 'import': {
      const sealed = recorded.files['list'];
      const list = sealed === undefined ? undefined : await openedFile(prepared, sealed);
      const words = recorded.words.map((word) => word ?? undefined);
      const imports = importRequest({ words, list }, options);
      return { operation: { ...common, kind, imports }, plan: undefined };
    }
  }
}
