import type { IncomingMessage } from 'node:http';
import { CONSOLE_HEADER, ROUTES, errorBody } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ApiCaller, CallerPorts } from '../calls/caller.js';
import type { RefusedCalls } from '../calls/refused-calls.js';
import type { PathNames } from '../calls/stack-names.js';
import { TerraformLocked } from '../domain/terraform-rules.js';
import { LeaseExpired } from '../domain/update-machine.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';
import { requestOrigin } from './request-origin.js';
import type { RequestOrigin } from './request-origin.js';
import type { ServiceStore } from '../store/service-store.js';
import { authorize } from './authorize.js';
import { AuditNotes, kebab } from './audit-notes.js';
import type { AllHandlers, RouteReply } from './call.js';
import { sessionIn } from './console-cookie.js';
import { consoleFile } from './console-files.js';
import type { ConsoleFiles } from './console-files.js';
import { errorAnswer } from './error-answer.js';
import { readBody } from './read-body.js';
import type { BodyBudget, RequestBody } from './read-body.js';
import { inRequestSpan } from './request-span.js';

/** One answered request. It names no token and no body, and of a path only the route. */
export interface Answered extends RequestOrigin {
  readonly route: RouteName | 'none';
  readonly status: number;
  readonly user: string | undefined;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** Failure of the service itself. */
  readonly fault: unknown;
}

/** Facilities of the routes. */
interface MountPorts extends CallerPorts {
  readonly handlers: AllHandlers;
  readonly store: ServiceStore;
  readonly now: () => Date;
  readonly answered: (request: Answered) => void;
  readonly monotonic: () => number;
  readonly proxies: TrustedProxies;
  readonly budget: BodyBudget;
  readonly refused: RefusedCalls;
  /** Files of the console, if it is served. */
  readonly files?: ConsoleFiles | undefined;
  /** Refuses a token that is not that of the update that a path names. */
  readonly checkHolder: (names: PathNames, token: string) => Promise<void>;
}

/** Outcome of a route. */
interface Outcome {
  readonly response: Response;
  readonly user: string | undefined;
  readonly fault: unknown;
}

/** Mounts every row of the table. Everything else is a JSON 404. */
export function mountRoutes(ports: MountPorts): Hono {
  const app = new Hono({ strict: true });
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][])
    app.on(route.method, patternOf(route.path), (context) =>
      observed(context, name, ports, (origin) => answer(context, name, route, origin, ports)),
    );
  app.notFound((context) =>
    observed(context, 'none', ports, async ({ id }) => {
      const file = await consoleFile(context, ports.files);
      const response = file ?? context.json(errorBody(404, 'Route not found.', id), 404);
      return { response, user: undefined, fault: undefined };
    }),
  );
  app.onError((fault, context) =>
    observed(context, 'none', ports, async ({ id }) => ({
      ...{ response: context.json(errorAnswer(fault, id).body, 500), user: undefined, fault },
    })),
  );
  return app;
}

/** Returns a path of the table in the grammar of the router, which anchors a group and no bare alternatives. */
function patternOf(path: string): string {
  return path.replace(/\{(\w+)(?::([\w|]+))?\}/g, (_whole, name: string, words?: string) =>
    words === undefined ? `:${name}` : `:${name}{(?:${words})}`,
  );
}

/** Answers a request, and reports that. */
async function observed(
  context: Context,
  route: Answered['route'],
  { answered, monotonic, proxies }: MountPorts,
  work: (origin: RequestOrigin) => Promise<Outcome>,
): Promise<Response> {
  const began = monotonic();
  const origin = requestOrigin(context, proxies);
  const { response, user, fault } = await inRequestSpan(
    ...([route, origin.id, () => context.req.header()] as const),
    async () => {
      const outcome = await work(origin);
      return { ...outcome, status: outcome.response.status };
    },
  );
  response.headers.set('x-request-id', origin.id);
  // The name that Pulumi's command shows with a failure of the service.
  if (response.status >= 500) response.headers.set('x-pulumi-request-id', origin.id);
  answered({ ...origin, route, status: response.status, user, ms: monotonic() - began, fault });
  return response;
}

async function answer(
  context: Context,
  name: RouteName,
  route: Route,
  origin: RequestOrigin,
  ports: MountPorts,
): Promise<Outcome> {
  const { handlers, budget, now, store } = ports;
  const { needs, maxBody } = route;
  let caller: ApiCaller | undefined;
  try {
    const names = context.req.param() as Readonly<Record<string, string>>;
    const header = context.req.header('authorization') ?? null;
    const session = header === null ? sessionIn(context.req) : undefined;
    const request = { route, header, session, names };
    const authorized = await authorize(request, ports, (found) => void (caller = found));
    if (needs === 'update' && isLarge(context)) await ports.checkHolder(names, authorized.updateToken);
    const notes = new AuditNotes({ name, route, names, caller, sourceIp: origin.source ?? '', now });
    const record = notes.record();
    const work = (body: Buffer): ReturnType<AllHandlers[RouteName]> =>
      handlers[name]({
        ...{ names, body, origin, caller: caller as ApiCaller, updateToken: authorized.updateToken },
        get query() {
          return new URL(context.req.url).searchParams;
        },
        ifMatch: context.req.header('if-match'),
        contentMd5: context.req.header('content-md5'),
        cookie: context.req.header('cookie'),
        page: context.req.header('origin'),
        lastEventId: context.req.header('last-event-id'),
        isConsole: context.req.header(CONSOLE_HEADER) !== undefined,
        note: (note) => notes.add(note),
      });
    const reply = await readBody(bodyOf(context), maxBody, budget, (body) =>
      record === undefined ? work(body) : store.audited(record, () => work(body)),
    );
    return { response: responseOf(context, reply), user: caller?.name, fault: undefined };
  } catch (thrown) {
    // Clients of Terraform read the holder of the lock from the body.
    if (thrown instanceof TerraformLocked)
      return { response: context.json(thrown.holder, 423), user: caller?.name, fault: undefined };
    const { body, fault } = errorAnswer(thrown, origin.id);
    // An update that lost its lease had the right.
    if (body.code === 401 || (body.code === 403 && !(thrown instanceof LeaseExpired)))
      ports.refused.note(refusedCall(name, context, caller, origin));
    return { response: context.json(body, body.code), user: caller?.name, fault };
  }
}

function refusedCall(
  name: RouteName,
  context: Context,
  caller: ApiCaller | undefined,
  { source = '' }: RequestOrigin,
): Parameters<RefusedCalls['note']>[0] {
  const { org = '', project, stack } = context.req.param() as PathNames;
  const target = project !== undefined && stack !== undefined ? `${project}/${stack}` : '';
  return { route: kebab(name), organization: org, stack: target, sourceIp: source, token: caller?.token };
}

/** Bytes of a body that is read before its caller is known. */
const SMALL_BODY = 1 << 20;

/** True for a body that is large, or may be. */
function isLarge(context: Context): boolean {
  const declared = context.req.header('content-length');
  return declared === undefined || !(Number(declared) <= SMALL_BODY);
}

/**
 * Returns the body of a request. That of a connection is read from it directly: the platform's own class for requests
 * costs more than the rest of a small call.
 */
function bodyOf(context: Context): RequestBody {
  const { req } = context;
  const { incoming } = (context.env ?? {}) as { readonly incoming?: IncomingMessage };
  const bytes =
    incoming === undefined
      ? (req.raw.body as AsyncIterable<Uint8Array> | null)
      : // A refusal is answered, so the connection stays.
        (incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>);
  return {
    bytes: bytes ?? undefined,
    encoding: req.header('content-encoding'),
    length: req.header('content-length'),
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function responseOf(context: Context, reply: RouteReply): Response {
  if ('redirect' in reply)
    return new Response(null, { status: 302, headers: { location: reply.redirect, ...reply.headers } });
  if ('text' in reply) return new Response(reply.text, { headers: { ...JSON_TYPE, ...reply.headers } });
  if ('stream' in reply) return new Response(reply.stream, { headers: reply.headers });
  return context.json(reply.json, 200, reply.headers);
}
