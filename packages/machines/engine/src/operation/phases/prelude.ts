import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent } from '../../model/events.js';
import type { Report } from '../../model/report.js';
import type { OperationRequest } from '../../model/request.js';
import { pendingWarnings } from '../base.js';

/**
 * Reports facts before anything is done: the configuration without its secrets, and the operations that an earlier run
 * of another tool left open.
 */
export function prelude(
  { config, base, kind, preview, scope, inDoubt, continues }: OperationRequest,
  emit: (event: EngineEvent) => void,
  report: Report,
): void {
  const { values, secretKeys } = config;
  const hidden = new Set(secretKeys);
  const shown = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, hidden.has(key) ? '[secret]' : value]),
  );
  emit({ t: 'prelude', config: shown, secretKeys });
  if (kind === 'rollback' && continues?.how === 'resume') report.diagnostic(BEING_TAKEN_BACK);
  if (kind !== 'refresh' && !preview && !scope.refresh && inDoubt === undefined) {
    for (const warning of pendingWarnings(base)) report.diagnostic(warning);
  }
}

/** Reports that a resume finishes a rollback instead. */
const BEING_TAKEN_BACK: Diagnostic = {
  severity: 'info',
  code: 'CAIRN-UNFINISHED',
  summary:
    'the operation was being rolled back when it ended early: finishing the rollback, without starting anything again',
};

const FELL_EARLIER =
  'failed steps were being rolled back when the operation ended early: finishing their rollback, without starting them again';

/**
 * Tells whether a diagnostic reports a failure in an earlier operation. This operation may still have to wait for an
 * answer.
 */
export function isFellEarlier({ summary }: Diagnostic): boolean {
  return summary === FELL_EARLIER;
}

/**
 * Reports the failed domains of a resumed operation: their resources do not exist when it ends. A preview must not end
 * because of that.
 */
export function fellEarlier(preview: boolean): Diagnostic {
  return {
    severity: preview ? 'warning' : 'error',
    code: 'CAIRN-UNFINISHED',
    summary: FELL_EARLIER,
    hint: 'Correct the cause and run `cairn resume` to try again.',
  };
}
