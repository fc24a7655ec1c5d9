import type { OnError } from '@cairn/changes';
import type { ScopeFacts } from '../decide/facts.js';
import { phasesOf } from '../decide/operation-phases.js';
import type { OperationPhases } from '../decide/operation-phases.js';
import { scopeFacts } from '../decide/scope.js';
import { goalDigest } from '../model/goal-digest.js';
import type { Goal } from '../model/goal.js';
import type { OperationRequest, UnexpectedSteps } from '../model/request.js';
import { ownedByTargets } from '../snippets/plan-snippets.js';

/** Settings of the whole operation that follow from a request. */
export interface RunSettings {
  /** Actions of each phase. */
  readonly phases: OperationPhases;
  readonly scope: ScopeFacts;
  /** True if an error leaves everything else alone. */
  readonly continues: boolean;
  /** True if a failure affects only its failure domain. */
  readonly isolates: boolean;
  /** True if an error causes a rollback. */
  readonly rollsBack: boolean;
  /** Reaction of the change to a task that fails [REC-10]. */
  readonly onError: OnError;
  readonly ignoresProtect: boolean;
  /** Steps that are refused [DEL-8]. */
  readonly unexpected: UnexpectedSteps;
  /** Returns the digest of a goal, which is kept with its tasks. Undefined if none is kept. */
  readonly digest: ((goal: Goal) => string | undefined) | undefined;
}

/** Derives the settings from a request, once. */
export function runSettings(request: OperationRequest): RunSettings {
  const { kind, policy, preview, goalKey, runProgram = false, scope } = request;
  const continues = policy.continueOnError || policy.onError === 'continue';
  const rollsBack = !preview && policy.onError === 'rollback';
  return {
    phases: phasesOf(kind, scope.refresh, runProgram),
    scope: scopeFacts(scope, ownedByTargets(request)),
    continues,
    // A rollback rolls everything back in one order: none of it is isolated from the rest.
    isolates: kind !== 'rollback' && (policy.isolate ?? 'none') !== 'none',
    rollsBack,
    onError: continues ? 'continue' : rollsBack ? 'rollback' : 'stop',
    ignoresProtect: policy.ignoreProtect ?? false,
    unexpected: policy.unexpected ?? { replacements: false, deletes: false },
    digest: goalKey === undefined || preview ? undefined : (goal) => goalDigest(goal, goalKey),
  };
}
