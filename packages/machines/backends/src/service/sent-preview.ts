import { settled } from '@cairn/crypters';
import { CreatedBody, StartedBody } from '@cairn/http-api';
import type { SentPreview } from '../service-part.js';
import type { StackId } from '../stack-id.js';
import { addressInConsole } from './console-address.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ofStack } from './service-stacks.js';
import { requestOf, updateRouteKind } from './start-update.js';
import { UpdateLease } from './update-lease.js';

/** Events of one request. */
const BATCH = 500;

/**
 * Records a preview that has ended: an update without effects, with its events. It does not hold the stack. Resolves
 * with the address of its page, if the service has one.
 */
export async function sendPreview(
  context: ServiceContext,
  id: StackId,
  { start, events, succeeded }: SentPreview,
): Promise<string | undefined> {
  const { http, now } = context;
  const verb = start.kind === 'update' ? 'preview' : updateRouteKind(start);
  const names = { ...pathNames(context, id), kind: verb };
  const body = await settled(requestOf(id, start, true));
  const { updateID } = await ofStack(id, () => http.json('createUpdate', CreatedBody, { names, body }));
  const update = { ...names, kind: 'update', update: updateID };
  const started = await http.json('startUpdate', StartedBody, { names: update, body: { tags: null } });
  const until = started.tokenExpiration ?? undefined;
  const lease = new UpdateLease(context, { id, names: update, token: started.token, until });
  try {
    const timestamp = Math.floor(now().getTime() / 1000);
    const sent = events.map((event, sequence) => ({ sequence, timestamp, ...event }));
    for (let from = 0; from < sent.length; from += BATCH)
      await lease.call('addEvents', { events: sent.slice(from, from + BATCH) });
    await lease.call('completeUpdate', { status: succeeded ? 'succeeded' : 'failed' });
    return await addressInConsole(context, id, `previews/${updateID}`, started.consoleUrl);
  } finally {
    lease.end();
  }
}
