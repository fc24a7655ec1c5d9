import { CONSOLE_HEADER } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import type { ApiCaller, CallerPorts } from '../calls/caller.js';
import { isLoss } from '../calls/lost-states.js';
import type { LostStates } from '../calls/lost-states.js';
import type { RefusedCalls } from '../calls/refused-calls.js';
import { stackOf } from '../calls/stack-names.js';
import type { PathNames } from '../calls/stack-names.js';
import { Refusal } from '../domain/refusal.js';
import { TerraformLocked } from '../domain/terraform-rules.js';
import { LeaseExpired } from '../domain/update-machine.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';
import type { ServiceStore } from '../store/service-store.js';
import { AuditNotes, kebab } from './audit-notes.js';
import { authorize } from './authorize.js';
import { RefusedPage } from './call.js';
import type { AllHandlers } from './call.js';
import { sessionIn } from './console-cookie.js';
import { errorAnswer } from './error-answer.js';
import { readBody } from './read-body.js';
import type { BodyBudget, RequestBody } from './read-body.js';
import { requestOrigin } from './request-origin.js';
import type { RequestOrigin } from './request-origin.js';
import { inRequestSpan } from './request-span.js';
import type { RouteRequest } from './route-request.js';
import { answerOf, jsonAnswer } from './written-answer.js';
import type { WrittenAnswer } from './written-answer.js';

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
export interface RoutePorts extends CallerPorts {
  readonly handlers: AllHandlers;
  readonly store: ServiceStore;
  readonly now: () => Date;
  readonly answered: (request: Answered) => void;
  readonly monotonic: () => number;
  readonly proxies: TrustedProxies;
  readonly budget: BodyBudget;
  readonly refused: RefusedCalls;
  readonly lost: LostStates;
  /** True if requests have spans. */
  readonly traced: boolean;
  /** Refuses a token that is not that of the update that a path names. */
  readonly checkHolder: (names: PathNames, token: string) => Promise<void>;
}

/** Outcome of a route. */
interface Outcome {
  readonly answer: WrittenAnswer;
  readonly user: string | undefined;
  readonly fault: unknown;
}

/** Answers a request, and reports that. */
export async function observedCall(
  request: RouteRequest,
  route: Answered['route'],
  { answered, monotonic, proxies, traced }: RoutePorts,
  work: (origin: RequestOrigin) => Promise<Outcome>,
): Promise<WrittenAnswer> {
  const began = monotonic();
  const origin = requestOrigin(request, proxies);
  const { answer, user, fault } = await (traced
    ? inRequestSpan(
        route,
        origin.id,
        () => request.headers(),
        () => work(origin),
      )
    : work(origin));
  const { status } = answer;
  answered({ ...origin, route, status, user, ms: monotonic() - began, fault });
  return { ...answer, headers: { ...answer.headers, ...idHeaders(origin, status) } };
}

/** The second name is the one that Pulumi's command shows with a failure of the service. */
function idHeaders({ id }: RequestOrigin, status: number): Readonly<Record<string, string>> {
  return status >= 500 ? { 'x-request-id': id, 'x-pulumi-request-id': id } : { 'x-request-id': id };
}

/** Answers a request of a route: authorizes its caller, reads its body, and runs the handler. */
export function answerRoute(
  request: RouteRequest,
  name: RouteName,
  route: Route,
  ports: RoutePorts,
): Promise<WrittenAnswer> {
  return observedCall(request, name, ports, (origin) => outcomeOf(request, name, route, origin, ports));
}

/** Returns the answer to a failure outside of the handlers. */
export function answerFault(
  request: RouteRequest,
  fault: unknown,
  ports: RoutePorts,
): Promise<WrittenAnswer> {
  return observedCall(request, 'none', ports, async ({ id }) => ({
    ...{ answer: jsonAnswer(errorAnswer(fault, id).body, 500), user: undefined, fault },
  }));
}

async function outcomeOf(
  request: RouteRequest,
  name: RouteName,
  route: Route,
  origin: RequestOrigin,
  ports: RoutePorts,
): Promise<Outcome> {
  const { handlers, budget, now, store } = ports;
  const { needs, maxBody } = route;
  const { names } = request;
  let caller: ApiCaller | undefined;
  let notes: AuditNotes | undefined;
  try {
    const header = request.header('authorization') ?? null;
    const session = header === null ? sessionIn(request) : undefined;
    const authorized = await authorize(
      { route, header, session, names },
      ports,
      (found) => void (caller = found),
    );
    if (needs === 'update' && isLarge(request)) await ports.checkHolder(names, authorized.updateToken);
    notes = new AuditNotes({ name, route, names, caller, sourceIp: origin.source ?? '', now });
    const record = notes.record();
    const work = (body: Buffer): ReturnType<AllHandlers[RouteName]> =>
      handlers[name]({
        ...{ names, body, origin, caller: caller as ApiCaller, updateToken: authorized.updateToken },
        get query() {
          return new URL(request.url).searchParams;
        },
        ifMatch: request.header('if-match'),
        contentMd5: request.header('content-md5'),
        cookie: request.header('cookie'),
        page: request.header('origin'),
        lastEventId: request.header('last-event-id'),
        initiator: request.header('x-pulumi-deployment-initiator') ?? '',
        isConsole: request.header(CONSOLE_HEADER) !== undefined,
        note: (note) => notes?.add(note),
      });
    const reply = await readBody(bodyOf(request), maxBody, budget, (body) =>
      record === undefined ? work(body) : store.audited(record, () => work(body)),
    );
    return { answer: answerOf(reply), user: caller?.name, fault: undefined };
  } catch (thrown) {
    if (thrown instanceof RefusedPage) {
      const { status, headers: pageHeaders, html } = thrown;
      return { answer: { status, headers: pageHeaders, body: html }, user: undefined, fault: undefined };
    }
    // Clients of Terraform read the holder of the lock from the body.
    if (thrown instanceof TerraformLocked)
      return { answer: jsonAnswer(thrown.holder, 423), user: caller?.name, fault: undefined };
    if (isLoss(thrown) && names.stack !== undefined) await ports.lost.note(stackOf(names));
    const { body, fault } = errorAnswer(thrown, origin.id, names.stack);
    // An update that lost its lease had the right.
    if (body.code === 401 || body.code === 429 || (body.code === 403 && !(thrown instanceof LeaseExpired)))
      ports.refused.note({ ...refusedCall(name, names, caller, origin), user: notes?.user });
    return { answer: jsonAnswer(body, body.code, laterHeaders(thrown)), user: caller?.name, fault };
  }
}

function refusedCall(
  name: RouteName,
  { org = '', project, stack }: PathNames,
  caller: ApiCaller | undefined,
  { source = '' }: RequestOrigin,
): Omit<Parameters<RefusedCalls['note']>[0], 'user'> {
  const target = project !== undefined && stack !== undefined ? `${project}/${stack}` : '';
  return { route: kebab(name), organization: org, stack: target, sourceIp: source, token: caller?.token };
}

function laterHeaders(thrown: unknown): Readonly<Record<string, string>> {
  if (!(thrown instanceof Refusal) || thrown.retryAfter === undefined) return {};
  return { 'retry-after': String(thrown.retryAfter) };
}

/** Bytes of a body that is read before its caller is known. */
const SMALL_BODY = 1 << 20;

/** True for a body that is large, or may be. */
export function isLarge(request: Pick<RouteRequest, 'header'>): boolean {
  const declared = request.header('content-length');
  return declared === undefined || !(Number(declared) <= SMALL_BODY);
}

/**
 * Returns the body of a request. That of a connection is read from it directly: the platform's own class for requests
 * costs more than the rest of a small call.
 */
function bodyOf(request: RouteRequest): RequestBody {
  return {
    bytes: request.incoming ?? request.body,
    encoding: request.header('content-encoding'),
    length: request.header('content-length'),
  };
}
