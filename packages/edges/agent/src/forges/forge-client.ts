import { fail } from '@cairn/diagnostics';
import type { ForgeSettings } from '../config/agent-config.js';

/** Time for an answer of a forge, in milliseconds. */
const ANSWER_MS = 30_000;
/** Time to wait when a forge has no more calls for us and does not say until when. */
const UNTOLD_MS = 60_000;
/** Most bytes of an answer. */
const MOST_BYTES = 16 << 20;
const PAGES = 30;
const PAGE = 100;

/** Request of a forge's API. Paths begin after the address of the API. */
interface ForgeCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  /** True if an answer 404 is `undefined`. Defaults to an error. */
  readonly orNothing?: boolean;
}

/** Calls the API of a forge, and keeps to its limits of calls. */
export class ForgeClient {
  readonly #settings: ForgeSettings;
  readonly #token: string;
  readonly #now: () => Date;
  /** Time before which the forge wants no more calls, in milliseconds since 1970. */
  #closedUntil = 0;

  constructor(settings: ForgeSettings, token: string, now: () => Date) {
    this.#settings = settings;
    this.#token = token;
    this.#now = now;
  }

  /** Returns the answer as JSON. Fails with `CAIRN-AGENT-FORGE`. */
  async call(call: ForgeCall): Promise<unknown> {
    const { method = 'GET', path, body, orNothing = false } = call;
    if (this.#now().getTime() < this.#closedUntil) return this.#limited(path);
    const answer = await fetch(`${this.#settings.api}${path}`, {
      method,
      // A token must not follow a redirect to another host.
      redirect: 'error',
      headers: { ...this.#headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((thrown: unknown) => this.#fail(path, reasonOf(thrown)));
    const text = await this.#textOf(path, answer);
    if (isLimited(answer)) {
      this.#closedUntil = this.#now().getTime() + waitOf(answer, this.#now());
      return this.#limited(path);
    }
    if (answer.status === 404 && orNothing) return undefined;
    if (!answer.ok) return this.#fail(path, `it answered ${answer.status}: ${text.slice(0, 200)}`);
    try {
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    } catch {
      return this.#fail(path, 'its answer is not JSON');
    }
  }

  /** Returns all items of a list that comes in pages. `size` is the name of the parameter for their size. */
  async list(path: string, size: 'per_page' | 'limit'): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for (let page = 1; page <= PAGES; page += 1) {
      const found = await this.call({ path: `${path}?${size}=${PAGE}&page=${page}` });
      if (!Array.isArray(found)) return this.#fail(path, 'its answer is no list');
      items.push(...(found as unknown[]));
      // A forge may have smaller pages than were asked for.
      if (found.length === 0) break;
    }
    return items;
  }

  /** Milliseconds until the forge takes calls again. */
  get waitMs(): number {
    return Math.max(0, this.#closedUntil - this.#now().getTime());
  }

  #headers(): Readonly<Record<string, string>> {
    const { kind } = this.#settings;
    const agent = { 'user-agent': 'cairn-agent', accept: 'application/json' };
    if (kind === 'gitlab') return { ...agent, 'private-token': this.#token };
    if (kind === 'forgejo') return { ...agent, authorization: `token ${this.#token}` };
    return {
      ...{ ...agent, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      authorization: `Bearer ${this.#token}`,
    };
  }

  async #textOf(path: string, { body }: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MOST_BYTES) return this.#fail(path, `its answer is larger than ${MOST_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #limited(path: string): never {
    const until = new Date(this.#closedUntil).toISOString();
    return this.#fail(path, `it takes no calls until ${until}`, 'The agent continues by itself then.');
  }

  #fail(
    path: string,
    cause: string,
    hint = `Look at the token in ${this.#settings.token}, and at the address of the forge.`,
  ): never {
    const { name, api } = this.#settings;
    fail('CAIRN-AGENT-FORGE', `cannot call ${api}${path} of forge ${name}: ${cause}`, { hint });
  }
}

function isLimited({ status, headers }: Response): boolean {
  if (status === 429) return true;
  return status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0');
}

/** Returns the milliseconds that a forge wants us to wait. */
function waitOf({ headers }: Response, now: Date): number {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (after > 0) return after * 1000;
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  const left = reset * 1000 - now.getTime();
  return left > 0 ? left : UNTOLD_MS;
}

function reasonOf(thrown: unknown): string {
  const { name, message, cause } = thrown as Error & { readonly cause?: { readonly message?: string } };
  if (name === 'TimeoutError') return `there was no answer in ${ANSWER_MS / 1000} s`;
  return cause?.message ?? message;
}
