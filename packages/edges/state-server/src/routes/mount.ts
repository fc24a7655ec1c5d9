import { ROUTES, errorBody } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ApiCaller, CallerPorts } from '../calls/caller.js';
import { authorize } from './authorize.js';
import type { AllHandlers } from './call.js';
import { errorAnswer } from './error-answer.js';
import { readBody } from './read-body.js';

/** One answered request. It names no token and no body, and of a path only the route. */
export interface Answered {
  readonly route: RouteName | 'none';
  readonly status: number;
  readonly user: string | undefined;
  /** Failure that became a 500. */
  readonly fault: unknown;
}

/** Facilities of the routes. */
interface MountPorts extends CallerPorts {
  readonly handlers: AllHandlers;
  readonly answered: (request: Answered) => void;
}

/** Mounts every row of the table. Everything else is a JSON 404. */
export function mountRoutes(ports: MountPorts): Hono {
  const app = new Hono({ strict: true });
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][])
    app.on(route.method, patternOf(route.path), (context) => answer(context, name, route, ports));
  app.notFound((context) => {
    ports.answered({ route: 'none', status: 404, user: undefined, fault: undefined });
    return context.json(errorBody(404, 'Route not found.'), 404);
  });
  app.onError((fault, context) => {
    ports.answered({ route: 'none', status: 500, user: undefined, fault });
    return context.json(errorAnswer(fault), 500);
  });
  return app;
}

/** Returns a path of the table in the grammar of the router, which anchors a group and no bare alternatives. */
function patternOf(path: string): string {
  return path.replace(/\{(\w+)(?::([\w|]+))?\}/g, (_whole, name: string, words?: string) =>
    words === undefined ? `:${name}` : `:${name}{(?:${words})}`,
  );
}

async function answer(
  context: Context,
  name: RouteName,
  { needs, maxBody }: Route,
  ports: MountPorts,
): Promise<Response> {
  const { handlers, answered } = ports;
  let caller: ApiCaller | undefined;
  try {
    const names = context.req.param() as Readonly<Record<string, string>>;
    const header = context.req.header('authorization') ?? null;
    const authorized = await authorize({ needs, header, names }, ports);
    ({ caller } = authorized);
    const body = await readBody(context.req.raw, maxBody);
    const reply = await handlers[name]({
      names,
      query: new URL(context.req.url).searchParams,
      body,
      caller: caller as ApiCaller,
      updateToken: authorized.updateToken,
      ifMatch: context.req.header('if-match'),
      contentMd5: context.req.header('content-md5'),
    });
    const status = 'text' in reply ? 200 : (reply.status ?? 200);
    answered({ route: name, status, user: caller?.name, fault: undefined });
    if ('text' in reply) return new Response(reply.text, { headers: { ...JSON_TYPE, ...reply.headers } });
    return context.json(reply.json, status);
  } catch (thrown) {
    const body = errorAnswer(thrown);
    answered({
      route: name,
      status: body.code,
      user: caller?.name,
      fault: body.code === 500 ? thrown : undefined,
    });
    return context.json(body, body.code);
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };
