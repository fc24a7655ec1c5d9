import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationSummary } from '../model/events.js';
import type { OperationRequest } from '../model/request.js';
import type { OperationResult } from '../model/result.js';
import type { StatefulPhases } from './execution.js';
import { rootOutputsOf } from './phases/outputs.js';
import { isFellEarlier } from './phases/prelude.js';
import type { Run } from './run.js';

/** What there is to know of an operation whose phases are over. */
export interface EndingFacts {
  readonly kind: OperationRequest['kind'];
  readonly preview: boolean;
  /** Something was reported as an error, or nothing more may start. */
  readonly failed: boolean;
  /** An error was reported that is one of this operation. */
  readonly reported: boolean;
  /** A person wanted it to end. */
  readonly stoppedByPerson: boolean;
  /** What was to be rolled back: not begun, or at its end. */
  readonly rollback: 'none' | 'running' | 'over';
  /** What was not rolled back: held, failed, in doubt. */
  readonly notRolledBack: number;
  /** Resources for whose rollback a person's consent is missing. */
  readonly consents: number;
  /** Approvals and answers that it cannot go on without. */
  readonly waiting: number;
}

/** Nothing has failed but what an earlier operation had begun to roll back. */
function isOnlyFellEarlier(diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 && errors.every(isFellEarlier);
}

/** How an operation ended [CLI-10]. */
export function resultOf(facts: EndingFacts): OperationSummary['result'] {
  const { kind, preview, failed, rollback } = facts;
  if (rollback === 'over') {
    if (facts.consents > 0 || (facts.waiting > 0 && !facts.reported)) return 'waiting';
    const complete = facts.notRolledBack === 0;
    if (kind === 'rollback') return failed || !(complete || preview) ? 'failed' : 'succeeded';
    if (complete) return 'rolled-back';
  }
  if (facts.stoppedByPerson) return 'cancelled';
  if (!facts.reported && facts.waiting > 0) return 'waiting';
  return failed ? 'failed' : 'succeeded';
}

/** What an operation whose phases are over, or that was killed, leaves for its caller. */
export function endOf(
  { request, report, control, chains, gates, plan, context }: Run,
  { rollback, inDoubt }: StatefulPhases,
  durationMs: number,
): OperationResult {
  const { kind, preview, base } = request;
  const failed = report.failed || control.stopped;
  const { counts, consents, awaited, result } = chains.undoer;
  return {
    summary: {
      kind,
      preview,
      result: resultOf({
        kind,
        preview,
        failed,
        reported: report.failed && !isOnlyFellEarlier(report.diagnostics),
        stoppedByPerson: control.cancelled || rollback.unwanted,
        rollback: rollback.state,
        notRolledBack: counts.held + counts.failed + chains.inDoubt.length,
        consents: consents.length,
        waiting: inDoubt.waiting.length + gates.left.length,
      }),
      durationMs,
      changes: report.changes,
      found: report.found,
      rollback: result,
      policyPacks: report.policyPacks,
    },
    diagnostics: report.diagnostics,
    inDoubt: chains.inDoubt,
    waiting: [...inDoubt.waiting, ...gates.left, ...awaited],
    stackOutputs: rootOutputsOf(chains.live),
    order: preview ? undefined : chains.live.order(),
    plan: failed ? undefined : plan.made(base.extensions),
    claims: preview ? context.contract.claims : undefined,
  };
}
