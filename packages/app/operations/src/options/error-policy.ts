import { cairnError } from '@cairn/diagnostics';
import type { OperationPolicy } from '@cairn/engine';
import type { ProjectOperationSettings } from '@cairn/workspace';
import type { OperationOptions } from './operation-options.js';

/** Effect of an error on the rest of an operation, and on completed steps [REC-10]. */
export type ErrorPolicy = Pick<OperationPolicy, 'onError' | 'continueOnError'>;

/** Unit that fails and is rolled back as a whole. */
export type Isolation = NonNullable<OperationPolicy['isolate']>;

/**
 * Returns the policy of `onError` or the older `continueOnError`, else that of the project file; `stop` by default.
 * Without `project`, the project file does not count. Throws CAIRN-USAGE when the two contradict each other.
 */
export function errorPolicy(
  { onError: asked, continueOnError = false }: OperationOptions,
  project: Pick<ProjectOperationSettings, 'onError'> | undefined,
): ErrorPolicy {
  if (continueOnError && asked !== undefined && asked !== 'continue')
    throw cairnError('CAIRN-USAGE', `--continue-on-error and --on-error ${asked} cannot be given together`);
  const onError = asked ?? (continueOnError ? 'continue' : (project?.onError ?? 'stop'));
  return { onError, continueOnError: onError === 'continue' };
}
