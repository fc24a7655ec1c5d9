import { ChangeHookRequest, CreateHookRequest, byHookRoute } from '@cairn/http-api';
import type { HookSender } from '../calls/hook-sender.js';
import {
  changeHook,
  createHook,
  findHook,
  hookAnswer,
  listHooks,
  removeHook,
  stackScope,
} from '../calls/hooks.js';
import type { HookPorts, HookScope } from '../calls/hooks.js';
import { stackOf } from '../calls/stack-names.js';
import type { Stacks } from '../calls/stacks.js';
import type { Hook } from '../domain/hooks.js';
import { orgOf } from './access-handlers.js';
import { NOTHING, parseBody } from './call.js';
import type { Call, RouteReply, SomeHandlers } from './call.js';

/** Returns the handlers of the routes for webhooks: the same for those of a stack and those of an organization. */
export function hookHandlers(ports: HookPorts, stacks: Stacks, sender: HookSender) {
  const inStack = handlersIn(ports, sender, async ({ names }) => {
    const stack = stackOf(names);
    return stackScope(stack, (await stacks.record(stack)).id);
  });
  const inOrganization = handlersIn(ports, sender, async ({ names }) => ({ organization: orgOf(names) }));
  return byHookRoute(inStack, inOrganization) satisfies SomeHandlers;
}

function handlersIn(ports: HookPorts, sender: HookSender, scopeOf: (call: Call) => Promise<HookScope>) {
  const { keys, store } = ports;
  const found = async (call: Call): Promise<{ readonly scope: HookScope; readonly hook: Hook }> => {
    const scope = await scopeOf(call);
    const hook = await findHook(store, scope, nameIn(call));
    return { scope, hook };
  };
  return {
    list: async (call: Call): Promise<RouteReply> => {
      const scope = await scopeOf(call);
      const hooks = await listHooks(store, scope);
      return { json: await Promise.all(hooks.map((hook) => hookAnswer(keys, scope, hook))) };
    },
    create: async (call: Call): Promise<RouteReply> => {
      const request = parseBody(CreateHookRequest, call);
      call.note({ detail: request.displayName });
      const scope = await scopeOf(call);
      return { json: await hookAnswer(keys, scope, await createHook(ports, scope, request)) };
    },
    get: async (call: Call): Promise<RouteReply> => {
      const { scope, hook } = await found(call);
      return { json: await hookAnswer(keys, scope, hook) };
    },
    change: async (call: Call): Promise<RouteReply> => {
      const request = parseBody(ChangeHookRequest, call);
      call.note({ detail: nameIn(call) });
      const scope = await scopeOf(call);
      const hook = await changeHook(ports, scope, nameIn(call), request);
      return { json: await hookAnswer(keys, scope, hook) };
    },
    remove: async (call: Call): Promise<RouteReply> => {
      call.note({ detail: nameIn(call) });
      await removeHook(ports, await scopeOf(call), nameIn(call));
      return NOTHING;
    },
    ping: async (call: Call): Promise<RouteReply> => {
      call.note({ detail: nameIn(call) });
      const { scope, hook } = await found(call);
      return { json: await sender.ping(scope, hook, call.caller.name) };
    },
    deliveries: async (call: Call): Promise<RouteReply> => {
      const { scope, hook } = await found(call);
      return { json: await sender.deliveries(scope, hook) };
    },
    redeliver: async (call: Call): Promise<RouteReply> => {
      const { delivery = '' } = call.names;
      call.note({ detail: `${nameIn(call)}: ${delivery}` });
      const { scope, hook } = await found(call);
      return { json: await sender.redeliver(scope, hook, delivery) };
    },
  };
}

function nameIn({ names }: Call): string {
  return names['hook'] ?? '';
}
