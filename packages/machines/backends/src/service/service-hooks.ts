import { HookBody, HookDeliveryBody } from '@cairn/http-api';
import * as v from 'valibot';
import type { StackHooks } from '../service-part.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';

/** Returns the webhooks of a stack of the service. */
export function serviceHooks(context: ServiceContext, id: StackId): StackHooks {
  const { http } = context;
  const names = pathNames(context, id);
  const of = (hook: string) => ({ names: { ...names, hook } });
  // The protocol names the stack in the body as well.
  const place = { organizationName: names['org'], projectName: names['project'], stackName: names['stack'] };
  return {
    list: () => http.json('listStackHooks', v.array(HookBody), { names }),
    get: (hook) => http.json('getStackHook', HookBody, of(hook)),
    create: (body) => http.json('createStackHook', HookBody, { names, body: { ...body, ...place } }),
    change: (hook, body) =>
      http.json('changeStackHook', HookBody, { ...of(hook), body: { ...body, ...place } }),
    remove: async (hook) => void (await http.text('deleteStackHook', of(hook))),
    ping: (hook) => http.json('pingStackHook', HookDeliveryBody, of(hook)),
    deliveries: (hook) => http.json('stackHookDeliveries', v.array(HookDeliveryBody), of(hook)),
    redeliver: (hook, delivery) =>
      http.json('redeliverStackHook', HookDeliveryBody, { names: { ...names, hook, delivery } }),
  };
}
