import type { Urn } from '@cairn/addresses';
import type { StepContext } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import { undoPartOf } from '../decide/undo.js';
import { deletedBy, wentWithContainer } from '../model/step.js';
import type { Step } from '../model/step.js';
import type { Effect } from './effect.js';
import type { TaskOptions } from './task-options.js';
import type { UndoSubject } from './undo/planner.js';

/** One step in progress in the change. */
export interface StepRun {
  /** Once it has ended, with the entry that it left. */
  step: Step;
  /** Program's options for it. Undefined if it has none. */
  readonly options: TaskOptions | undefined;
  operationId: number;
  /** Time when its handler was called. Undefined before. */
  startedMs: number | undefined;
  effect: Effect | undefined;
  announced: boolean;
}

/** Task that only undoes. Another change, or a step that failed, has done the work that it undoes. */
export interface UndoOnly {
  readonly undoes: Omit<UndoSubject, 'followers'>;
}

/** Payload of step tasks in this process. */
export type Payload = StepRun | UndoOnly;

/** Makes the run of a step that is about to become a task. */
export function newStepRun(step: Step, options: TaskOptions | undefined): StepRun {
  return {
    step,
    options,
    operationId: 0,
    startedMs: undefined,
    effect: undefined,
    announced: false,
  };
}

/** Returns the step of a task that can be done. */
export function stepOf(payload: Payload): StepRun {
  if ('step' in payload) return payload;
  throw new BugError(`a task that undoes something of ${payload.undoes.urn} has nothing to do`);
}

/** Returns the subject of a task's undo. */
export function undoSubject({ payload, task }: StepContext<Payload>): UndoSubject {
  const followers = task.halts.flatMap(({ data }) =>
    typeof data['urn'] === 'string' ? [data['urn'] as Urn] : [],
  );
  if (!('step' in payload)) return { ...payload.undoes, followers };
  const { step, options } = payload;
  return {
    urn: step.urn,
    part: undoPartOf(step.kind),
    imported: step.kind === 'import' || step.kind === 'import-replacement',
    option: options?.urn === step.urn ? options.rollback : undefined,
    deleted: deletedBy(step),
    withContainer: wentWithContainer(step),
    followers,
  };
}
