import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationSummary } from '../model/events.js';
import type { OperationRequest } from '../model/request.js';
import type { EngineResult } from '../model/result.js';
import type { StatefulPhases } from './execution.js';
import { rootOutputsOf } from './phases/outputs.js';
import { isFellEarlier } from './phases/prelude.js';
import type { Run } from './run.js';

/** Facts about an operation whose phases are over. */
export interface EndingFacts {
  readonly kind: OperationRequest['kind'];
  readonly preview: boolean;
  /** True if an error was reported, or nothing more may start. */
  readonly failed: boolean;
  /** True if an error of this operation was reported. */
  readonly reported: boolean;
  /** True if a person requested the end. */
  readonly stoppedByPerson: boolean;
  /** State of the rollback: not begun, running, or at its end. */
  readonly rollback: 'none' | 'running' | 'over';
  /** Number of steps that were not rolled back: held, failed, in doubt. */
  readonly notRolledBack: number;
  /** Resources whose rollback lacks a person's consent. */
  readonly consents: number;
  /** Number of approvals and answers that the operation needs to continue. */
  readonly waiting: number;
}

/** Tells whether the only errors are about steps that an earlier operation had begun to roll back. */
function isOnlyFellEarlier(diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 && errors.every(isFellEarlier);
}

/** Returns the result of an operation [CLI-10]. */
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

/** Returns the result, for the caller, of an operation whose phases are over or that was killed. */
export function operationEnd(
  { request, report, control, chains, undoer, recorder, gates, plan, context, settled }: Run,
  { rollback, inDoubt }: StatefulPhases,
  durationMs: number,
): EngineResult {
  const { kind, preview, base } = request;
  const failed = report.failed || control.stopped;
  const { counts, consents, awaited, result } = undoer.tally;
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
    stackOutputs: rootOutputsOf(recorder.live),
    order: preview ? undefined : recorder.live.order(),
    digests: settled?.result(!failed && !preview && isWhole(request)),
    plan: failed ? undefined : plan.made(base.extensions),
    claims: preview ? context.contract.claims : undefined,
  };
}

/** True if no resource of the stack was out of the operation's scope. */
function isWhole({ scope, snippets }: OperationRequest): boolean {
  const isLimited = scope.targets.length > 0 || (scope.excludes ?? []).length > 0;
  return !isLimited && (snippets?.targets ?? []).length === 0;
}
