import { cairnError, messageOf } from '@cairn/diagnostics';
import { AgentsBody, ClaimBody, NoticesBody, ROUTES, RunTokenBody } from '@cairn/http-api';
import type {
  AttendRequest,
  ClaimRequest,
  ClaimedLook,
  ClaimedRun,
  LookRequest,
  RouteName,
  RunTokenRequest,
} from '@cairn/http-api';
import * as v from 'valibot';

/** Service that an agent works for. */
export interface AgentServiceAddress {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
}

/** Stack and deployment of a run. */
export type RunPlace = Pick<ClaimedRun, 'organization' | 'project' | 'stack' | 'deployment'>;

/** Time for a call that does not wait, in milliseconds. */
const CALL_MS = 30_000;

/** Parts of a call beside its route. */
interface CallParts {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: object | undefined;
  readonly signals: readonly AbortSignal[];
}

/** Refusal by the service. Calls that fail without an answer, or with one of 500 or more, fail otherwise. */
export class RefusedByService extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls of an agent to its service. */
export class ServiceApi {
  readonly #address: AgentServiceAddress;

  constructor(address: AgentServiceAddress) {
    this.#address = address;
  }

  get url(): string {
    return this.#address.url;
  }

  /** Asks for a run. `signal` ends the wait. */
  async claim(
    request: v.InferInput<typeof ClaimRequest>,
    signal: AbortSignal,
  ): Promise<v.InferOutput<typeof ClaimBody>> {
    const { organization } = this.#address;
    const ms = CALL_MS + (request.wait ?? 0) * 1000;
    const signals = [signal, AbortSignal.timeout(ms)];
    return v.parse(
      ClaimBody,
      await this.#call('claimRun', { org: organization }, { body: request, signals }),
    );
  }

  /** Reports about a run. */
  async attend(
    { organization: org, project, stack, deployment }: RunPlace,
    report: v.InferInput<typeof AttendRequest>,
  ): Promise<void> {
    await this.call('attendDeployment', { org, project, stack, deployment }, { body: report });
  }

  /** Reports about a look at the source of a stack. */
  async attendLook(
    { organization: org, project, stack }: ClaimedLook,
    report: v.InferInput<typeof LookRequest>,
  ): Promise<void> {
    await this.call('attendLook', { org, project, stack }, { body: report });
  }

  /** Gets an OpenID Connect token for a run. The audience defaults to the address of the service. */
  async runToken(
    { organization: org, project, stack, deployment }: RunPlace,
    request: v.InferInput<typeof RunTokenRequest>,
  ): Promise<v.InferOutput<typeof RunTokenBody>> {
    const names = { org, project, stack, deployment };
    return v.parse(RunTokenBody, await this.call('issueRunToken', names, { body: request }));
  }

  /** Lists the agents of the organization. */
  async agents(): Promise<v.InferOutput<typeof AgentsBody>['agents']> {
    const { organization } = this.#address;
    return v.parse(AgentsBody, await this.call('listAgents', { org: organization })).agents;
  }

  /** Lists the notices after an RFC 3339 time. Waits some seconds for one. */
  async notices(after: string, wait: number): Promise<v.InferOutput<typeof NoticesBody>['notices']> {
    const { organization } = this.#address;
    const query = { after, ...(wait > 0 && { wait: String(wait) }) };
    const answer = await this.call('listNotices', { org: organization }, { query, waitMs: wait * 1000 });
    return v.parse(NoticesBody, answer).notices;
  }

  /** Makes a call, and returns the answer. Fails with {@link RefusedByService} if it is refused. */
  call(
    route: RouteName,
    names: Readonly<Record<string, string>>,
    {
      query,
      body,
      waitMs = 0,
    }: { query?: Readonly<Record<string, string>>; body?: object; waitMs?: number } = {},
  ): Promise<unknown> {
    const signals = [AbortSignal.timeout(CALL_MS + waitMs)];
    return this.#call(route, names, { query, body, signals });
  }

  async #call(
    route: RouteName,
    names: Readonly<Record<string, string>>,
    { query = {}, body, signals }: CallParts,
  ): Promise<unknown> {
    const { url, token } = this.#address;
    const { method, path } = ROUTES[route];
    const at = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(names[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${url.replace(/\/$/, '')}${at}${search === '' ? '' : `?${search}`}`, {
      ...{ method, signal: AbortSignal.any([...signals]) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    }).catch((thrown: unknown) => {
      const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
      throw cairnError('CAIRN-STORE-UNAVAILABLE', `cannot reach ${url}: ${messageOf(cause)}`, {}, thrown);
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const said = messageIn(text) ?? `${response.status} ${response.statusText}`;
    if (response.status < 500 && response.status !== 429) throw new RefusedByService(response.status, said);
    throw cairnError('CAIRN-STORE-UNAVAILABLE', `cannot call ${url}: ${said}`);
  }
}

function messageIn(text: string): string | undefined {
  try {
    return String((JSON.parse(text) as { readonly message?: unknown }).message);
  } catch {
    return undefined;
  }
}
