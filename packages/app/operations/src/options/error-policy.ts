import { cairnError } from '@cairn/diagnostics';
import type { OperationPolicy } from '@cairn/engine';
import type { OperationSettings } from '@cairn/workspace';
import type { OperationOptions } from './operation-options.js';

/** What an error does to the rest of an operation, and to what was done already [REC-10]. */
export type ErrorPolicy = Pick<OperationPolicy, 'onError' | 'continueOnError'>;

/** What fails and is rolled back together. */
export type Isolation = NonNullable<OperationPolicy['isolate']>;

/**
 * What `onError` or the older `continueOnError` ask for, else what the project file says; `stop` by default. `project`
 * undefined: it does not count. Throws CAIRN-USAGE when the two contradict each other.
 */
export function errorPolicy(
  { onError: asked, continueOnError: goesOn = false }: OperationOptions,
  project: Pick<OperationSettings, 'onError'> | undefined,
): ErrorPolicy {
  if (goesOn && asked !== undefined && asked !== 'continue')
    throw cairnError('CAIRN-USAGE', `--continue-on-error and --on-error ${asked} cannot be given together`);
  const onError = asked ?? (goesOn ? 'continue' : (project?.onError ?? 'stop'));
  return { onError, continueOnError: onError === 'continue' };
}
