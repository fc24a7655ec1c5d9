import { systemClock } from '@cairn/changes';
import type { ChangeMachine } from '@cairn/changes';
import type { OperationRequest } from '../model/request.js';
import { RegistrationIntake, roomFor } from '../monitor/intake.js';
import type { EngineClock } from '../ports.js';
import { atATime, Limiter } from './limiter.js';
import type { OperationControl } from './operation-control.js';

/** Limits the program's registrations that are under way at a time. */
export class Concurrency {
  /** Limits the number of open questions. */
  readonly limiter: Limiter;
  readonly questions: OpenQuestions;
  /** Holds registrations back while others wait for a slot. */
  readonly backpressure: RegistrationIntake;

  constructor(
    { concurrency }: Pick<OperationRequest, 'concurrency'>,
    control: OperationControl,
    machine: ChangeMachine,
    clock: EngineClock,
  ) {
    const parallel = atATime(concurrency.parallel);
    const limiter = new Limiter(parallel);
    this.limiter = limiter;
    this.questions = new OpenQuestions(control);
    this.backpressure = new RegistrationIntake({
      waiting: () => limiter.waiting + machine.waiting,
      room: roomFor(parallel),
      after: (ms, run) => clock.after?.(ms, run) ?? systemClock.after(ms, run),
    });
  }
}

/**
 * Counts the registrations that wait for something other than a task: an answer to a question of a rule, or about a
 * step in doubt.
 */
class OpenQuestions {
  /** Number of open questions. */
  asking = 0;
  #parked = 0;
  readonly #control: Pick<OperationControl, 'stopped'>;

  constructor(control: Pick<OperationControl, 'stopped'>) {
    this.#control = control;
  }

  /** Records that a registration waits, until the operation ends, for an answer about a step in doubt. */
  park(): void {
    this.#parked += 1;
  }

  /** True if any registration waits so and the operation has not stopped. */
  get parked(): boolean {
    return this.#parked > 0 && !this.#control.stopped;
  }
}
