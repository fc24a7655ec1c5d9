import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { BugError, CairnError, cairnError, messageOf } from '@cairn/diagnostics';
import { ROUTES } from '@cairn/http-api';
import { retryAfterMs, retrying } from '@cairn/retries';
import type { RetryPorts } from '@cairn/retries';
import * as v from 'valibot';
import { SERVICE_CALLS } from './service-calls.js';
import type { ServiceCallName, ServiceCallRules } from './service-calls.js';
import { ServiceRefusal } from './service-refusal.js';

/** Arguments of one call. */
interface ServiceCall {
  /** Values of the names in the path of the route. */
  readonly names?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** JSON value, or JSON text. */
  readonly body?: object | string;
  /** Fields of a form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>;
  /** Token of an update, for the calls of its holder. */
  readonly updateToken?: string;
  /** Mark of the state that the call replaces. */
  readonly ifMatch?: string | undefined;
}

/** Answer with the mark of what it shows, if the service has marks. */
interface MarkedAnswer {
  readonly text: string;
  readonly etag: string | undefined;
}

/** Service and means of access. `url` has no slash at its end. */
export interface ServiceAddress {
  readonly url: string;
  readonly token: string | undefined;
  /** Version of this client. */
  readonly version: string;
  readonly retries: RetryPorts;
}

/** Four attempts, with waits of up to 1, 2 and 4 s, or as long as the service asks, up to 30 s. */
const LIMITS = { attempts: 4, firstMs: 1000, mostMs: 30_000, askedMostMs: 30_000, totalMs: 300_000 } as const;

/** Time limit of one attempt. A state may be large. */
const PATIENCE_MS = 300_000;

const pack = promisify(gzip);

/** Calls a state service. Failures are `CairnError`s without tokens; any other answer than success is a refusal. */
export class ServiceHttp {
  readonly #address: ServiceAddress;

  constructor(address: ServiceAddress) {
    this.#address = address;
  }

  get url(): string {
    return this.#address.url;
  }

  /** Calls a route. Resolves with its answer in the given shape. */
  async json<S extends v.GenericSchema>(
    route: ServiceCallName,
    shape: S,
    call: ServiceCall,
  ): Promise<v.InferOutput<S>> {
    const text = await this.text(route, call);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw this.#odd(route, 'the answer is not JSON');
    }
    const parsed = v.safeParse(shape, answer);
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    throw this.#odd(route, `${v.getDotPath(issue) ?? 'the answer'}: ${issue.message}`);
  }

  /** Calls a route that may answer "not found". */
  async find<S extends v.GenericSchema>(
    route: ServiceCallName,
    shape: S,
    call: ServiceCall,
  ): Promise<v.InferOutput<S> | undefined> {
    try {
      return await this.json(route, shape, call);
    } catch (thrown) {
      if (thrown instanceof ServiceRefusal && thrown.status === 404) return undefined;
      throw thrown;
    }
  }

  /** Calls a route. Resolves with the text of its answer. */
  async text(route: ServiceCallName, call: ServiceCall): Promise<string> {
    return (await this.marked(route, call)).text;
  }

  /** Calls a route. Resolves with the text of its answer and its mark. */
  async marked(route: ServiceCallName, call: ServiceCall): Promise<MarkedAnswer> {
    const rules: ServiceCallRules = SERVICE_CALLS[route];
    const request = await this.#requestOf(route, rules, call);
    if (!rules.retried) return this.#attempt(rules, request);
    const { retries } = this.#address;
    return retrying({ limits: LIMITS, ports: retries, passing }, () => this.#attempt(rules, request));
  }

  async #requestOf(route: ServiceCallName, rules: ServiceCallRules, call: ServiceCall): Promise<Request> {
    const { url, token, version } = this.#address;
    const { method, needs, path } = ROUTES[route];
    const authorization =
      needs === 'update' ? `update-token ${call.updateToken ?? ''}` : token && `token ${token}`;
    if (authorization === undefined && needs !== 'anyone') throw noToken(url, rules.verb);
    const { form } = call;
    const text = typeof call.body === 'object' ? JSON.stringify(call.body) : call.body;
    const packs = rules.packs === true && text !== undefined;
    return {
      address: url + filled(path, call.names ?? {}) + queryOf(call.query ?? {}),
      method,
      headers: {
        accept: 'application/vnd.pulumi+9',
        'content-type': form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
        'user-agent': `cairn/${version}`,
        ...(authorization !== undefined && { authorization }),
        ...(packs && { 'content-encoding': 'gzip' }),
        ...(call.ifMatch !== undefined && { 'if-match': call.ifMatch }),
      },
      body: packs ? await pack(text) : form === undefined ? text : new URLSearchParams(form).toString(),
    };
  }

  async #attempt(
    { verb }: ServiceCallRules,
    { address, method, headers, body }: Request,
  ): Promise<MarkedAnswer> {
    const { url } = this.#address;
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      response = await fetch(address, { method, headers, ...(body !== undefined && { body }), signal });
      text = await response.text();
    } catch (thrown) {
      throw new Unreachable(url, verb, thrown);
    }
    if (response.ok) return { text, etag: response.headers.get('etag') ?? undefined };
    throw new ServiceRefusal({
      ...{ url, verb, status: response.status, body: text },
      requestId: response.headers.get('x-pulumi-request-id') ?? undefined,
      afterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
    });
  }

  #odd(route: ServiceCallName, cause: string): Error {
    const { url } = this.#address;
    return cairnError(
      'CAIRN-STORE-FAILED',
      `cannot ${SERVICE_CALLS[route].verb}: ${url} does not answer as a state service`,
      { causes: [cause], hint: 'Check the address of the service.' },
    );
  }
}

interface Request {
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Failure to get any answer. */
class Unreachable extends CairnError {
  constructor(url: string, verb: string, thrown: unknown) {
    const reason = fieldOf(thrown, 'cause') ?? thrown;
    const isPlain = fieldOf(reason, 'code') === 'ERR_SSL_WRONG_VERSION_NUMBER';
    super(
      [
        {
          severity: 'error',
          code: 'CAIRN-STORE-UNAVAILABLE',
          summary: `cannot ${verb}: cannot reach ${url}: ${isPlain ? 'it does not speak TLS' : messageOf(reason)}`,
          hint: isPlain
            ? 'Use the address with http://, or give the service a certificate.'
            : 'Check the address and the network, then run the command again.',
        },
      ],
      { cause: thrown },
    );
  }
}

function fieldOf(thrown: unknown, name: 'cause' | 'code'): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined;
}

function passing(thrown: unknown): { readonly afterMs?: number | undefined } | undefined {
  if (thrown instanceof Unreachable) return {};
  const passes = thrown instanceof ServiceRefusal && (thrown.status === 429 || thrown.status >= 500);
  return passes ? { afterMs: thrown.afterMs } : undefined;
}

function filled(path: string, names: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)(?::[^}]*)?\}/g, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new BugError(`no ${name} for ${path}`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, value);
  return given.size === 0 ? '' : `?${given.toString()}`;
}

function noToken(url: string, verb: string): Error {
  return cairnError('CAIRN-STORE-CREDENTIALS', `cannot ${verb}: not logged in to ${url}`, {
    hint: `Run \`cairn login ${url}\`, or set CAIRN_ACCESS_TOKEN to an access token of the service.`,
  });
}
