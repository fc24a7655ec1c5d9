import type { OnError } from '@cairn/changes';
import type { ScopeFacts } from '../decide/facts.js';
import { phasesOf } from '../decide/operation-phases.js';
import type { OperationPhases } from '../decide/operation-phases.js';
import { scopeFacts } from '../decide/scope.js';
import { goalDigest } from '../model/goal-digest.js';
import type { Goal } from '../model/goal.js';
import type { OperationRequest, UnexpectedSteps } from '../model/request.js';
import { ownedByTargets } from '../snippets/plan-snippets.js';

/** What follows from a request for the whole operation. */
export interface OperationSettings {
  /** What is done in which phase. */
  readonly phases: OperationPhases;
  readonly scope: ScopeFacts;
  /** An error leaves everything else alone. */
  readonly continues: boolean;
  /** What fails does not take everything with it. */
  readonly isolates: boolean;
  /** What an error leaves is rolled back. */
  readonly rollsBack: boolean;
  /** What the change does about a task that fails [REC-10]. */
  readonly onError: OnError;
  readonly ignoresProtect: boolean;
  /** Steps that are refused [DEL-8]. */
  readonly unexpected: UnexpectedSteps;
  /** Digest of a goal, to be kept with its tasks; undefined: none is kept. */
  readonly digest: ((goal: Goal) => string | undefined) | undefined;
}

/** Reads a request once. */
export function settingsOf(request: OperationRequest): OperationSettings {
  const { kind, policy, preview, goalKey, runProgram = false, scope } = request;
  const continues = policy.continueOnError || policy.onError === 'continue';
  const rollsBack = !preview && policy.onError === 'rollback';
  return {
    phases: phasesOf(kind, scope.refresh, runProgram),
    scope: scopeFacts(scope, ownedByTargets(request)),
    continues,
    // A rollback rolls everything back in one order: nothing of it is apart from the rest.
    isolates: kind !== 'rollback' && (policy.isolate ?? 'none') !== 'none',
    rollsBack,
    onError: continues ? 'continue' : rollsBack ? 'rollback' : 'stop',
    ignoresProtect: policy.ignoreProtect ?? false,
    unexpected: policy.unexpected ?? { replacements: false, deletes: false },
    digest: goalKey === undefined || preview ? undefined : (goal) => goalDigest(goal, goalKey),
  };
}
