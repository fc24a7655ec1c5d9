import type { Urn } from '@cairn/addresses';
import type { StepContext } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import { undoPartOf } from '../decide/undo.js';
import { deletedBy, wentWithContainer } from '../model/step.js';
import type { Step } from '../model/step.js';
import type { Effect } from './effect.js';
import type { TaskOptions } from './task-options.js';
import type { UndoSubject } from './undo/planner.js';

/** A door that is opened once. */
interface Turn {
  readonly come: Promise<void>;
  readonly open: () => void;
}

function newTurn(): Turn {
  let open: () => void = () => undefined;
  const come = new Promise<void>((resolve) => (open = resolve));
  return { come, open: () => open() };
}

/** One step on its way through the change. */
export interface StepRun {
  readonly step: Step;
  /** What the program says of it; undefined when it says nothing. */
  readonly options: TaskOptions | undefined;
  operationId: number;
  /** Opens when all that is before it in its chain has been announced. */
  readonly turn: Turn;
  /** When its handler was called; undefined before. */
  startedMs: number | undefined;
  effect: Effect | undefined;
  announced: boolean;
}

/** A task that only undoes something: what it is about was done by another change, or by a step that failed. */
export interface UndoOnly {
  readonly undoes: Omit<UndoSubject, 'followers'>;
}

/** What tasks of steps carry in this process. */
export type Payload = StepRun | UndoOnly;

/** A step that is about to become a task. */
export function newRun(step: Step, options: TaskOptions | undefined): StepRun {
  return {
    step,
    options,
    operationId: 0,
    turn: newTurn(),
    startedMs: undefined,
    effect: undefined,
    announced: false,
  };
}

/** The step of a task that has something to do. */
export function stepOf(payload: Payload): StepRun {
  if ('step' in payload) return payload;
  throw new BugError(`a task that undoes something of ${payload.undoes.urn} has nothing to do`);
}

/** What a task's undo is about. */
export function subjectOf({ payload, task }: StepContext<Payload>): UndoSubject {
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
