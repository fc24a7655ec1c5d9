import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { jobFaults, secretFaults } from './cluster-objects.js';

/** An API server of Kubernetes that checks every request, and runs a script in place of each pod. */

export const NAMESPACE = 'runs';
export const TOKEN = 'of-the-agent';

type Json = Record<string, unknown>;

/** Fault of one call: an answer in place of the call, or a cut after it had its effect. */
interface Fault {
  /** Method and kind, such as `POST jobs`, `GET pods`, `WATCH pods`, `GET log`. */
  readonly on: string;
  readonly answer: number | 'cut' | 'half';
}

export interface StoredJob {
  readonly metadata: { readonly name: string; readonly uid: string; readonly labels: Record<string, string> };
  spec: Json & { suspend: boolean };
  status: Json;
  deleted?: true;
}

interface PodVolume {
  readonly name: string;
  readonly secret?: { readonly secretName: string };
  readonly projected?: { readonly sources: readonly { readonly secret: { readonly name: string } }[] };
}

/** Pod of a job, as a script sees it. */
export class FakePod {
  readonly lines: string[] = [];
  readonly logEnds: (() => void)[] = [];
  status: Json = { phase: 'Pending' };
  hasEnded = false;
  /** Called when the cluster asks the pod to end. */
  onTerm: () => void = () => this.end(143);
  readonly #changed: () => void;

  constructor(
    readonly name: string,
    readonly job: StoredJob,
    readonly work: string,
    changed: () => void,
    /** Work of the container that fetches the program. */
    readonly source?: string,
  ) {
    this.#changed = changed;
  }

  set(status: Json): void {
    this.status = status;
    this.#changed();
  }

  wait(reason: string, message = ''): void {
    this.set({
      phase: 'Pending',
      containerStatuses: [{ name: 'run', state: { waiting: { reason, message } } }],
    });
  }

  run(): void {
    this.set({ phase: 'Running', containerStatuses: [{ name: 'run', state: { running: {} } }] });
  }

  log(text: string): void {
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(this.lines.length / 2) * 1000).toISOString();
    this.lines.push(`${at.replace('Z', '000000Z')} ${text}`);
    for (const woken of this.logEnds.splice(0)) woken();
  }

  end(exitCode: number, more: Json = {}): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const state = { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } };
    this.set({
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [{ name: 'run', state }],
      ...more,
    });
    for (const woken of this.logEnds.splice(0)) woken();
  }
}

export class FakeCluster {
  /** Requests that no API server would take. */
  readonly faults: string[] = [];
  readonly calls: string[] = [];
  readonly bodies: Json[] = [];
  readonly jobs = new Map<string, StoredJob>();
  readonly pods = new Map<string, FakePod>();
  readonly secrets = new Map<string, Json>();
  /** Runs in place of a pod. */
  script: (pod: FakePod) => void = (pod) => pod.end(0);
  readonly #next: Fault[] = [];
  readonly #watches = new Set<ServerResponse>();
  #version = 100;
  readonly #server;
  readonly #files;

  private constructor(folder: string) {
    this.#files = { cert: path.join(folder, 'cluster.pem'), key: path.join(folder, 'cluster.key') };
    const words = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    ];
    const names = ['-subj', '/CN=cluster', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const { cert, key } = this.#files;
    execFileSync('openssl', [...words, '-keyout', key, '-out', cert, ...names], { stdio: 'pipe' });
    const tls = { cert: this.certificate, key: readFileSync(key), ca: this.certificate };
    this.#server = createServer(
      { ...tls, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        void this.#answer(request, response);
      },
    );
  }

  static async start(folder: string): Promise<FakeCluster> {
    const cluster = new FakeCluster(folder);
    await new Promise<void>((resolve) => cluster.#server.listen(0, '127.0.0.1', resolve));
    return cluster;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get certificate(): string {
    return readFileSync(this.#files.cert, 'utf8');
  }

  get key(): string {
    return readFileSync(this.#files.key, 'utf8');
  }

  /** Has the next call of a kind fail. */
  fail(on: string, answer: Fault['answer']): void {
    this.#next.push({ on, answer });
  }

  async close(): Promise<void> {
    for (const pod of this.pods.values()) pod.end(137);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Removes a pod as a person or a node would. */
  deletePod(pod: FakePod): void {
    this.pods.delete(pod.name);
    const message = 'Job has reached the specified backoff limit';
    pod.job.status = { conditions: [{ type: 'Failed', status: 'True', message }] };
    this.#tell('DELETED', pod);
    pod.hasEnded = true;
    for (const woken of pod.logEnds.splice(0)) woken();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const body = await bodyOf(request);
    const parts = url.pathname.split('/');
    const at = parts.indexOf('namespaces');
    const [namespace, plural = '', name, sub] = parts.slice(at + 1);
    const isWatch = url.searchParams.get('watch') === 'true';
    const kind = `${isWatch ? 'WATCH' : request.method} ${sub ?? plural}`;
    this.calls.push(kind);
    const refused = this.#refusal(request, namespace ?? '', kind, body);
    if (refused !== undefined) return answer(response, refused, { message: `refused ${kind}` });
    if (body !== undefined) this.bodies.push(structuredClone(body));
    const fault = this.#next.findIndex(({ on }) => on === kind);
    const [{ answer: wrong } = { answer: undefined }] = fault < 0 ? [] : this.#next.splice(fault, 1);
    if (typeof wrong === 'number')
      return answer(
        response,
        wrong,
        { message: `planned ${wrong}` },
        wrong === 429 ? { 'retry-after': '0' } : {},
      );
    if (kind === 'WATCH pods') return this.#watch(url, response, wrong === 'half');
    if (kind === 'GET log') return this.#log(name ?? '', url, response, wrong === 'half');
    const done = this.#call(kind, name, url, body);
    if (wrong === 'cut') return void response.destroy();
    return answer(response, ...done);
  }

  /** Checks what every request has. Returns the status of a refusal. */
  #refusal(
    request: IncomingMessage,
    namespace: string,
    kind: string,
    body: Json | undefined,
  ): number | undefined {
    const isKnown =
      request.headers.authorization === `Bearer ${TOKEN}` || (request.socket as TLSSocket).authorized;
    if (!isKnown) return 401;
    if (namespace !== NAMESPACE) return 403;
    const type = kind.startsWith('PATCH') ? 'application/merge-patch+json' : 'application/json';
    if (body !== undefined && request.headers['content-type'] !== type) this.faults.push(`type of ${kind}`);
    if (request.headers.accept !== 'application/json') this.faults.push(`accept of ${kind}`);
    const found =
      kind === 'POST jobs' ? jobFaults(body ?? {}) : kind === 'POST secrets' ? secretFaults(body ?? {}) : [];
    this.faults.push(...found);
    return found.length > 0 ? 422 : undefined;
  }

  #call(kind: string, name: string | undefined, url: URL, body: Json | undefined): [number, Json] {
    const selected = ({ metadata: { labels } }: { metadata: { labels: Record<string, string> } }): boolean =>
      (url.searchParams.get('labelSelector') ?? '').split(',').every((each) => {
        const [label = '', value] = each.split('=');
        return labels[label] === value;
      });
    const job = this.jobs.get(name ?? '');
    switch (kind) {
      case 'POST jobs':
        return this.#makeJob(body as unknown as StoredJob);
      case 'POST secrets':
        return this.#makeSecret(body ?? {});
      case 'PATCH jobs':
        if (job === undefined) return [404, { message: 'no job' }];
        Object.assign(job.spec, (body as { spec: Json }).spec);
        this.#begin(job);
        return [200, { ...job }];
      case 'DELETE jobs':
        if (job === undefined) return [404, { message: 'no job' }];
        this.#deleteJob(job, String(body?.['propagationPolicy']));
        return [200, { kind: 'Status', status: 'Success' }];
      case 'GET jobs':
        if (name !== undefined) return job === undefined ? [404, { message: 'no job' }] : [200, { ...job }];
        return [200, { items: [...this.jobs.values()].filter(selected) }];
      case 'GET pods': {
        const pods = [...this.pods.values()].map((pod) => this.#object(pod)).filter(selected);
        return [200, { metadata: { resourceVersion: String(this.#version) }, items: pods }];
      }
      default:
        this.faults.push(kind);
        return [405, { message: 'no such call' }];
    }
  }

  #makeJob(job: StoredJob): [number, Json] {
    const { name } = job.metadata;
    if (this.jobs.has(name)) return [409, { message: 'already exists' }];
    const stored = { ...job, metadata: { ...job.metadata, uid: `uid-${name}` }, status: {} };
    this.jobs.set(name, stored);
    this.#begin(stored);
    return [201, { ...stored }];
  }

  #makeSecret(secret: Json): [number, Json] {
    const { name, ownerReferences } = secret['metadata'] as {
      name: string;
      ownerReferences: { name: string; uid: string }[];
    };
    const [owner] = ownerReferences;
    if (owner === undefined || owner.uid !== this.jobs.get(owner.name)?.metadata.uid)
      this.faults.push('owner of the secret');
    if (this.secrets.has(name)) return [409, { message: 'already exists' }];
    this.secrets.set(name, secret);
    return [201, { metadata: { name } }];
  }

  #begin(job: StoredJob): void {
    const { name } = job.metadata;
    if (job.spec.suspend || this.pods.has(`${name}-x`)) return;
    const [work, source] = ['run-work', 'source-work'].map((volume) => this.#workIn(job, volume));
    if (work === undefined) return void this.faults.push('a pod without its secret');
    const pod = new FakePod(`${name}-x`, job, work, () => this.#tell('MODIFIED', pod), source);
    this.pods.set(pod.name, pod);
    this.#tell('ADDED', pod);
    this.script(pod);
  }

  /** Returns what a volume of a pod has, as its containers read it. */
  #workIn({ spec }: StoredJob, volume: string): string | undefined {
    const { template } = spec as unknown as { template: { spec: { volumes: PodVolume[] } } };
    const found = template.spec.volumes.find(({ name }) => name === volume);
    if (found === undefined) return undefined;
    const names = found.projected?.sources.map(({ secret }) => secret.name) ?? [
      found.secret?.secretName ?? '',
    ];
    const files = new Map<string, string>();
    for (const name of names) {
      const secret = this.secrets.get(name) as { data: Record<string, string> } | undefined;
      if (secret === undefined) return undefined;
      if (JSON.stringify(secret).length > 1 << 20) this.faults.push('a secret that is too large');
      for (const [key, value] of Object.entries(secret.data)) files.set(key, value);
    }
    const pieces = names.map((_name, at) => files.get(at === 0 ? 'work' : `work.${at}`) ?? '');
    return gunzipSync(Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))).toString('utf8');
  }

  /** Ends the pod of a job, and removes both when it has ended. */
  #deleteJob(job: StoredJob, policy: string): void {
    const { name } = job.metadata;
    const pod = this.pods.get(`${name}-x`);
    const remove = (): void => {
      this.jobs.delete(name);
      for (const secret of this.secrets.keys()) if (secret.startsWith(name)) this.secrets.delete(secret);
      if (pod !== undefined && this.pods.delete(pod.name)) this.#tell('DELETED', pod);
    };
    if (pod === undefined || pod.hasEnded) return remove();
    job.deleted = true;
    pod.logEnds.push(function look(): void {
      if (pod.hasEnded) remove();
      else pod.logEnds.push(look);
    });
    pod.onTerm();
    if (policy === 'Background') this.jobs.delete(name);
  }

  #object({ name, job, status }: FakePod) {
    return {
      metadata: { name, labels: job.metadata.labels, resourceVersion: String((this.#version += 1)) },
      status,
    };
  }

  #tell(type: string, pod: FakePod): void {
    const event = `${JSON.stringify({ type, object: this.#object(pod) })}\n`;
    for (const watch of this.#watches) watch.write(event);
  }

  #watch(url: URL, response: ServerResponse, isHalf: boolean): void {
    if (!/^\d+$/.test(url.searchParams.get('resourceVersion') ?? '')) this.faults.push('version of a watch');
    response.writeHead(200, { 'content-type': 'application/json' });
    if (isHalf) {
      response.write('{"type":"MODIFIED","obj', () => response.destroy());
      return;
    }
    response.write(
      `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } })}\n`,
    );
    if (this.#expired) {
      this.#expired = false;
      response.end(`${JSON.stringify({ type: 'ERROR', object: { code: 410, message: 'too old' } })}\n`);
      return;
    }
    // What came between the list and the watch.
    for (const pod of this.pods.values())
      response.write(`${JSON.stringify({ type: 'MODIFIED', object: this.#object(pod) })}\n`);
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }

  #expired = false;

  /** Has the next watch say that its version is too old. */
  expireWatch(): void {
    this.#expired = true;
  }

  #log(name: string, url: URL, response: ServerResponse, isHalf: boolean): void {
    const pod = this.pods.get(name);
    if (pod === undefined) return answer(response, 404, { message: 'no pod' });
    const since = url.searchParams.get('sinceTime') ?? '';
    let at = pod.lines.findIndex((line) => line.slice(0, 19) >= since.slice(0, 19));
    if (at < 0) at = pod.lines.length;
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    const send = (): void => {
      if (response.destroyed) return;
      for (; at < pod.lines.length; at += 1) {
        const line = pod.lines[at] ?? '';
        if (isHalf && at > 0) return void response.write(line.slice(0, 45), () => response.destroy());
        response.write(`${line}\n`);
      }
      if (pod.hasEnded) response.end();
      else pod.logEnds.push(send);
    };
    send();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Json | undefined> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text === '' ? undefined : (JSON.parse(text) as Json);
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
