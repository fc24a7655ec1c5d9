import type { ControlMessage, OperationLog } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import type { RunningOperation } from '@cairn/engine';
import { unreachable } from '@cairn/diagnostics';
import type { MessageResult, PassView } from '../pass-view.js';

/** Methods of a running operation that serve requests from outside. */
type RunningPass = Pick<RunningOperation, 'abort' | 'approve' | 'cancelRunning' | 'kill'>;

/**
 * Carries out requests of other processes to a running operation, and notifies the view. A repeated request to stop has
 * the effect of a further interrupt.
 */
export function receiveMessages(
  log: Pick<OperationLog, 'onMessage'>,
  running: RunningPass,
  view: Pick<PassView, 'asked'>,
  warn: (diagnostic: Diagnostic) => void,
): void {
  let stage: Stage = 'on';
  log.onMessage({
    hear: (message) => {
      if (message.t === 'abort') stage = nextStage(stage, message.rollback);
      const carryOut = (): MessageResult => carriedOut(message, stage, running);
      if (view.asked === undefined) carryOut();
      else view.asked(message, carryOut);
    },
    warn,
  });
}

/** Stages of ending an operation on request. */
type Stage = 'on' | 'undo' | 'keep' | 'cancelled' | 'left';

/** Returns the next stage. Repeating a request moves one stage on; a request to keep the results ends the rollback. */
function nextStage(stage: Stage, rollback: boolean): Stage {
  switch (stage) {
    case 'on':
      return rollback ? 'undo' : 'keep';
    case 'undo':
      return rollback ? 'cancelled' : 'keep';
    case 'keep':
      return 'cancelled';
    case 'cancelled':
    case 'left':
      return 'left';
  }
}

function carriedOut(message: ControlMessage, stage: Stage, running: RunningPass): MessageResult {
  switch (message.t) {
    case 'abort':
      return { t: 'abort', how: stage === 'on' ? 'too-late' : ended(stage, running) };
    case 'approve':
      return { t: 'approve', waits: running.approve(message.task, message.by) };
    case 'resolve':
      return { t: 'resolve' };
    default:
      return unreachable(message);
  }
}

/** Asks the operation to end. */
function ended(
  stage: Exclude<Stage, 'on'>,
  running: RunningPass,
): (MessageResult & { readonly t: 'abort' })['how'] {
  switch (stage) {
    case 'undo':
    case 'keep':
      return running.abort({ rollback: stage === 'undo' }) ? stage : 'too-late';
    case 'cancelled':
      running.cancelRunning();
      return stage;
    case 'left':
      running.kill();
      return stage;
  }
}
