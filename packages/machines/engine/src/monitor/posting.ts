import { isStatusError } from '@cairn/wire';
import type { RegisterResourceResponse } from '@cairn/wire';
import type { Goal, ReadGoal } from '../model/goal.js';
import type {
  PostRegistration,
  ReadResult,
  RegisteredOutputs,
  RegisterResult,
  Reply,
} from '../model/registration.js';
import { DefaultProviderRefused } from '../providers/defaults.js';
import type { Draft } from './normalise/draft.js';
import { unavailable } from './refusal.js';
import type { ResourceRecord } from './resources.js';
import type { MonitorContext } from './monitor-context.js';

/** Posts registrations and waits for the engine's answer. */

export function postGoal(post: PostRegistration, goal: Goal): Promise<RegisterResult> {
  return answered((reply) => post({ t: 'register', goal, reply }));
}

export function postRead(post: PostRegistration, goal: ReadGoal): Promise<ReadResult> {
  return answered((reply) => post({ t: 'read', goal, reply }));
}

export function postOutputs(post: PostRegistration, said: RegisteredOutputs): Promise<void> {
  return answered((reply) => post({ ...said, t: 'outputs', reply }));
}

function answered<T>(send: (reply: Reply<T>) => void): Promise<T> {
  return new Promise<T>((resolve, refuse) =>
    send({ resolve, refuse: (error) => refuse(new Refused(error)) }),
  );
}

/** Signals that the engine has refused a registration and has reported the reason to the user. */
class Refused extends Error {
  override readonly name = 'Refused';

  constructor(override readonly cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * Returns the error for the program if the engine has reported an error itself, or `undefined` if it has not been
 * reported yet. A status that the engine chose passes through. Any other error means that the deployment is over
 * [PRG-9].
 */
export function reportedAs(error: unknown): Error | undefined {
  if (!(error instanceof Refused) && !(error instanceof DefaultProviderRefused)) return undefined;
  return isStatusError(error.cause) ? error.cause : unavailable();
}

/**
 * Posts a goal and records it for its children. One promise serves the answer, because nearly all goals are answered at
 * once. The record does not keep the answer.
 */
export function registerGoal(
  { goal, providers }: Draft,
  context: MonitorContext,
): Promise<RegisterResourceResponse> {
  const record = context.resources.addGoal(goal, providers);
  let isOpen = true;
  const over = (): void => {
    isOpen = false;
    record.settled = undefined;
  };
  const answer = new Promise<RegisterResourceResponse>((resolve, refuse) =>
    context.post({
      t: 'register',
      goal,
      reply: {
        resolve: (result) => {
          settle(record, result);
          over();
          resolve(responseTo(result));
        },
        refuse: (error) => {
          over();
          refuse(new Refused(error));
        },
      },
    }),
  );
  if (isOpen && record.custom) record.settled = answer.catch(() => undefined);
  return answer;
}

function settle(record: ResourceRecord, { id, oldUrn, result, unknown, leftOut }: RegisterResult): void {
  record.oldUrn = oldUrn;
  record.leftOut = unknown;
  if (record.custom) record.created = id !== '' && result === 'success' && !unknown && leftOut !== true;
}

function responseTo({ urn, id, outputs, result, unknown }: RegisterResult): RegisterResourceResponse {
  return { urn, id, outputs, propertyDependencies: {}, result, unknown };
}
