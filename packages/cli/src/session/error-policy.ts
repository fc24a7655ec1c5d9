import { cairnError } from '@cairn/diagnostics';
import type { OperationPolicy } from '@cairn/engine';
import type { OperationSettings } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';

/** What an error does to the rest of an operation, and to what was done already [REC-10]. */
export type ErrorPolicy = Pick<OperationPolicy, 'onError' | 'continueOnError'>;

/** What fails and is rolled back together. */
export type Isolation = NonNullable<OperationPolicy['isolate']>;

const CHOICES = ['stop', 'continue', 'rollback'] as const;

/**
 * What `--on-error` or the older `--continue-on-error` ask for, else what the project file says, where the command
 * takes the flag; `stop` by default. Throws CAIRN-USAGE.
 */
export function errorPolicy(flags: Flags, project?: Pick<OperationSettings, 'onError'>): ErrorPolicy {
  const text = flags.has('on-error') ? flags.text('on-error') : undefined;
  const goesOn = flags.has('continue-on-error') && flags.on('continue-on-error');
  const asked = CHOICES.find((choice) => choice === text);
  if (text !== undefined && asked === undefined)
    throw cairnError('CAIRN-USAGE', `--on-error takes ${CHOICES.join(', ')}, not ${JSON.stringify(text)}`);
  if (goesOn && asked !== undefined && asked !== 'continue')
    throw cairnError('CAIRN-USAGE', `--continue-on-error and --on-error ${asked} cannot be given together`);
  const set = flags.has('on-error') ? project?.onError : undefined;
  const onError = asked ?? (goesOn ? 'continue' : (set ?? 'stop'));
  return { onError, continueOnError: onError === 'continue' };
}

const ISOLATIONS = ['none', 'component', 'resource'] as const satisfies readonly Isolation[];

/** What `--isolate` asks for, else what the project file says, where the command takes the flag. Throws CAIRN-USAGE. */
export function isolation(flags: Flags, project?: Pick<OperationSettings, 'isolate'>): Isolation | undefined {
  if (!flags.has('isolate')) return undefined;
  const text = flags.text('isolate');
  const asked = ISOLATIONS.find((choice) => choice === text);
  if (text !== undefined && asked === undefined)
    throw cairnError('CAIRN-USAGE', `--isolate takes ${ISOLATIONS.join(', ')}, not ${JSON.stringify(text)}`);
  return asked ?? project?.isolate;
}
