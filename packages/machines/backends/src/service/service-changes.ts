import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { Backend } from '../backend.js';
import type { ServiceContext } from './service-context.js';

/** Returns the members of a backend about changes, for a service that keeps none. */
export function noChanges(
  context: ServiceContext,
): Pick<Backend, 'changes' | 'newestChange' | 'changeRow' | 'change' | 'tell' | 'follow'> {
  const refuse = async (_: unknown, number: number): Promise<never> => {
    throw unknownChange(context, number);
  };
  return {
    changes: async () => [],
    newestChange: async () => undefined,
    changeRow: refuse,
    change: refuse,
    tell: refuse,
    follow: refuse,
  };
}

/** Returns the error for a change of a service that keeps none. */
export function unknownChange({ http }: ServiceContext, number: number): CairnError {
  return cairnError('CAIRN-CHANGE-UNKNOWN', `cannot find change ${number}: ${http.url} keeps no changes`, {
    hint: 'Run `cairn stack history` to see the updates that the service keeps, or `cairn up` to continue from its state.',
  });
}
