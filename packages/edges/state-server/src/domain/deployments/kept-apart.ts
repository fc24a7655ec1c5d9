import { Refusal } from '../refusal.js';
import type { SealedSettings } from './deployment.js';

const SCHEDULE = 'Make a schedule with `cairn stack schedule new`.';
const GIVEN = 'The service gives it to each run: leave it out.';

/** Keys of a stack in the agent's file that no run reads from settings, with the place of what they mean. */
const KEPT_APART: Readonly<Record<string, string>> = {
  ...{ drift: SCHEDULE, up: SCHEDULE, timeToLive: SCHEDULE },
  ...{ stack: GIVEN, name: GIVEN, backend: GIVEN },
  environment: 'Write variables into operationContext.environmentVariables.',
  pulls: 'Name the stack in the file of --pulls.',
};

/** Refuses settings that set a member of `cairn` which has no effect there. `null` removes one. */
export function refuseKeptApart(settings: SealedSettings): void {
  const own = settings['cairn'];
  if (typeof own !== 'object' || own === null) return;
  for (const [name, value] of Object.entries(own)) {
    const where = Object.hasOwn(KEPT_APART, name) ? KEPT_APART[name] : undefined;
    if (where !== undefined && value !== null && value !== undefined)
      throw new Refusal(400, `cairn.${name}: has no effect in settings. ${where}`);
  }
}
