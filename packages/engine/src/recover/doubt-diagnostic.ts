import { urnName } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PastTask } from '../model/history.js';

/**
 * What the preview of a rollback says of a step in doubt: the rollback asks what became of it before it takes anything
 * back [REC-2].
 */
export function doubtToFindOut({ doubt }: Pick<PastTask, 'doubt'>): Diagnostic | undefined {
  if (doubt === undefined) return undefined;
  const { urn, type } = doubt.resource;
  const about = doubt.direction === 'undo' ? 'its rollback goes on' : 'it is undone too if it was';
  return warningDiagnostic(
    'CAIRN-IN-DOUBT',
    `nobody knows whether ${doubt.type} "${urnName(urn)}" (${type}) was done`,
    { urn, causes: [`the rollback finds out first; ${about}`] },
  );
}
