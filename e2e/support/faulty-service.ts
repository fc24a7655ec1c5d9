import { request } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Postgres } from '@cairn/testkit/servers';
import type { Sandbox } from './cairn.js';
import type { Random } from './random.js';
import { RoundRobin } from './round-robin.js';
import { newToken, startServe } from './served.js';
import type { ServedProcess, ServedStore } from './served.js';

/** Answer of the service, or of the proxy in front of it. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Request of a client. The header defaults to the token of a user. */
interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly auth?: string;
  readonly body?: object;
}

/** Routes that clients call again when no answer comes. */
const RETRIED = /\/(?:journalentries|events\/batch|renew_lease|complete|cancel)$/;
/** Number of answers of these routes for each one that gets lost on its way. */
const LOST = 8;
/** Tries of one request, after which it is no fault that passes. */
const MOST_TRIES = 1000;

/** Service in several processes behind a proxy that loses answers. Its processes and its database die and come back. */
export class FaultyService {
  /** Number of faults by their kinds. */
  readonly faults = { kill: 0, crash: 0, clock: 0, lost: 0 };
  #token = '';
  #url = '';
  #loses = true;
  /** Ends when the service is whole again. */
  #whole: Promise<void> = Promise.resolve();
  readonly #processes: Omit<ServedProcess, 'client'>[] = [];
  readonly #proxy: RoundRobin;
  readonly #urls: string[] = [];
  readonly #box: Sandbox;
  readonly #store: ServedStore;
  readonly #random: Random;
  readonly #postgres: Postgres | undefined;

  constructor(box: Sandbox, store: ServedStore, random: Random, postgres?: Postgres) {
    this.#box = box;
    const clock = pathToFileURL(path.join(__dirname, 'moved-clock.mjs')).href;
    this.#store = { ...store, env: { ...store.env, NODE_OPTIONS: `--import=${clock}` } };
    this.#random = random;
    this.#postgres = postgres;
    this.#proxy = new RoundRobin(this.#urls);
    this.#proxy.loses = ({ path: at }) => {
      const lost = this.#loses && RETRIED.test(at) && random.below(LOST) === 0;
      if (lost) this.faults.lost += 1;
      return lost;
    };
  }

  /** Starts the processes, of which a bucket has one. */
  async start(): Promise<void> {
    const targets = this.#postgres === undefined ? [0] : [0, 1, 2];
    await Promise.all(targets.map((target) => this.#serve(target)));
    this.#url = await this.#proxy.start();
    this.#token = await newToken(this.#box, this.#store);
  }

  stop(): void {
    this.#proxy.stop();
    for (const { running } of this.#processes) running.process.kill('SIGKILL');
  }

  /** True if leases run on a clock that no process of the service moves. */
  get hasClock(): boolean {
    return this.#postgres !== undefined;
  }

  /** Loses no more answers. Resolves when the service is whole. */
  async calm(): Promise<void> {
    this.#loses = false;
    await this.#whole;
  }

  /** Does something random to the service, after what is done to it already. */
  harm(): void {
    const kinds = this.#postgres === undefined ? KINDS_OF_BUCKET : KINDS;
    const kind = this.#random.pick(kinds);
    const target = this.#random.below(this.#processes.length);
    this.faults[kind] += 1;
    this.#whole = this.#whole.then(() => this.#do(kind, target));
  }

  /** Sends a request once. Undefined if there is no answer. */
  async once({ method, path: at, auth, body }: ServiceRequest): Promise<ServiceAnswer | undefined> {
    const headers = { authorization: auth ?? `token ${this.#token}`, 'content-type': 'application/json' };
    try {
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(this.#url + at, sent);
      const text = await response.text();
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as ServiceAnswer['body']),
      };
    } catch {
      return undefined;
    }
  }

  /** Sends a request until the service answers it. */
  async sure(sent: ServiceRequest): Promise<ServiceAnswer> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const answer = await this.once(sent);
      if (answer !== undefined && !passes(answer.status)) return answer;
      await this.#whole;
    }
    throw new Error(`no answer to ${sent.method} ${sent.path}`);
  }

  /** Sends a part of a request to a process, and breaks off. Resolves when the connection is closed. */
  tear({ method, path: at, auth = '', body = {} }: ServiceRequest): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(body));
    const target = this.#random.pick(this.#urls);
    return new Promise((resolve) => {
      const torn = request(target + at, {
        ...{ method, agent: false },
        headers: { authorization: auth, 'content-length': bytes.length, 'content-type': 'application/json' },
      });
      torn.on('error', () => undefined).on('close', () => resolve());
      torn.write(bytes.subarray(0, 1 + this.#random.below(bytes.length - 1)), () => torn.destroy());
    });
  }

  async #do(kind: FaultKind, target: number): Promise<void> {
    if (kind === 'crash') return this.#postgres?.crash();
    const { running } = this.#processes[target] as ServedProcess;
    if (kind === 'clock') {
      const moved = new Promise<void>((resolve) => {
        const take = (chunk: string): void => {
          if (!chunk.includes('the clock has moved')) return;
          running.process.stderr?.off('data', take);
          resolve();
        };
        running.process.stderr?.on('data', take);
      });
      running.process.kill('SIGUSR2');
      return moved;
    }
    running.process.kill('SIGKILL');
    await running.finished;
    await this.#serve(target);
  }

  async #serve(target: number): Promise<void> {
    const served = await startServe(this.#box, this.#store);
    this.#processes[target] = served;
    this.#proxy.replace(target, served.url);
  }
}

/** True for a status of a service that is not there, or not whole. */
export function passes(status: number): boolean {
  return status === 502 || status === 503;
}

type FaultKind = 'kill' | 'crash' | 'clock';

/** Kinds as often as they come: more kills than others. */
const KINDS: readonly FaultKind[] = ['kill', 'kill', 'crash', 'clock'];
const KINDS_OF_BUCKET: readonly FaultKind[] = ['kill', 'kill', 'clock'];
