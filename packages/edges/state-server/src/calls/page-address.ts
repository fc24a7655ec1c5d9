import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { consoleAddress } from '@cairn/http-api';
import type { ConsolePage } from '@cairn/http-api';
import type { ServicePorts } from './service-ports.js';

/** Returns the address of a page of a stack in the console, if the service knows its own address [AGT-24]. */
export function pageAddress(
  { url, signIn }: Pick<ServicePorts, 'url' | 'signIn'>,
  stack: StackId,
  page?: ConsolePage,
): string | undefined {
  const service = url ?? signIn?.url;
  if (service === undefined) return undefined;
  const name = { organization: organizationOf(stack), project: stack.project, stack: stack.stack };
  return consoleAddress(service, name, page);
}
