import type { StackId } from '@cairn/backends';
import type { ConsoleSchedule, ConsoleSettingsAnswer, ScheduleAnswer } from '@cairn/http-api';
import { shownSettings } from '../../domain/deployments/settings.js';
import { Refusal } from '../../domain/refusal.js';
import type { Deployments } from '../deployments/deployments.js';
import type { Schedules } from '../deployments/schedules.js';

interface SettingsCalls {
  readonly deployments: Deployments;
  readonly schedules: Schedules;
}

/** Returns the settings and schedules of a stack for the console. A stack that agents never had has neither. */
export async function settingsView(
  { deployments, schedules }: SettingsCalls,
  stack: StackId,
): Promise<ConsoleSettingsAnswer> {
  const settings = await foundOr(undefined, deployments.settings(stack));
  return {
    settings: settings === undefined ? null : await shownSettings(settings),
    schedules: (await foundOr([], schedules.list(stack))).map(shownSchedule),
  };
}

async function foundOr<T, U>(nothing: U, found: Promise<T>): Promise<T | U> {
  try {
    return await found;
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.status === 404) return nothing;
    throw thrown;
  }
}

/** Leaves out the settings of what a schedule asks for: they may have secrets. */
function shownSchedule(answer: ScheduleAnswer): ConsoleSchedule {
  const { id, scheduleCron, scheduleOnce, nextExecution, lastExecuted, paused, definition, cairn } = answer;
  const { request } = definition as ScheduleDefinition;
  const { remediateIfDriftDetected, deleteAfterDestroy } = request.operationContext?.options ?? {};
  return {
    ...{ id, operation: request.operation, paused },
    kind: remediateIfDriftDetected !== undefined ? 'drift' : deleteAfterDestroy !== undefined ? 'ttl' : 'raw',
    also: remediateIfDriftDetected === true || deleteAfterDestroy === true,
    ...(scheduleCron !== undefined && { cron: scheduleCron }),
    ...(scheduleOnce !== undefined && { once: scheduleOnce }),
    ...cairn,
    ...(nextExecution !== undefined && { next: nextExecution }),
    ...(lastExecuted !== undefined && { last: lastExecuted }),
  };
}

interface ScheduleDefinition {
  readonly request: {
    readonly operation: string;
    readonly operationContext?: {
      readonly options?: {
        readonly remediateIfDriftDetected?: boolean;
        readonly deleteAfterDestroy?: boolean;
      };
    };
  };
}
