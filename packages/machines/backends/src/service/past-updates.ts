import { settled } from '@cairn/crypters';
import { untypedDeploymentText } from '@cairn/state';
import type { PastUpdate } from '../model/past-update.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { configTexts } from './service-history.js';
import { ServiceRefusal } from './service-refusal.js';

/** Adds an update of the past to the history; see `ServicePart.addHistory`. */
export async function addServiceHistory(
  context: ServiceContext,
  id: StackId,
  number: number,
  { entry, state }: Omit<PastUpdate, 'order'>,
): Promise<boolean> {
  const { cairn: _cairn, config, ...rest } = entry;
  const info = { ...rest, version: number, config: configTexts(config) };
  const text = state && untypedDeploymentText(await settled(state));
  const body = `{"info":${JSON.stringify(info)}${text === undefined ? '' : `,"state":${text}`}}`;
  try {
    await context.http.text('importVersion', { names: pathNames(context, id), body });
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceRefusal && NOT_TAKEN.has(thrown.status)) return false;
    throw thrown;
  }
}

/** Statuses of a service without the route, and of one that takes history from administrators only. */
const NOT_TAKEN: ReadonlySet<number> = new Set([403, 404, 405, 501]);
