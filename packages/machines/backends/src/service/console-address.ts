import { consoleAddress } from '@cairn/http-api';
import type { ConsolePage } from '@cairn/http-api';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';

/** Matches an address that is safe to print. */
const ADDRESS = /^https?:\/\/[!-~]+$/;

/**
 * Returns the address of a page in the console of a service [AGT-24]: `named`, which the service has given, or else one
 * below the address of the service. Returns undefined if the service is none of ours, because it has no such page.
 */
export async function addressInConsole(
  context: ServiceContext,
  id: StackId,
  page: ConsolePage,
  named: string | null | undefined,
): Promise<string | undefined> {
  if (!(await context.capabilities()).keepsChanges) return undefined;
  if (named && ADDRESS.test(named)) return named;
  const { org = '', project = '', stack = '' } = pathNames(context, id);
  return consoleAddress(context.http.url, { organization: org, project, stack }, page);
}
