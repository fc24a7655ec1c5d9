import * as v from 'valibot';
import { ClusterRefusal, pause, wordsOf } from './cluster-api.js';
import type { ClusterApi } from './cluster-api.js';
import {
  CONTAINER,
  GRACE_SECONDS,
  LABELS,
  jobObject,
  packedWork,
  stackLabel,
  workSecrets,
} from './job-objects.js';
import type { JobFacts } from './job-objects.js';
import { PodBody, podState } from './pod-state.js';
import type { Pod, PodState } from './pod-state.js';

/** Times of jobs, in milliseconds. */
interface JobTimes {
  /** Time for a pod to start: pulling an image, or adding a machine, takes long. */
  readonly startMs: number;
  /** Time of one watch. After it the job is read as well. */
  readonly watchMs: number;
  /** Pause before a stream that ended, or was cut, is opened again. */
  readonly againMs: number;
  /** Time for the end of a job that is removed. */
  readonly removeMs: number;
}

const TIMES: JobTimes = {
  ...{ startMs: 600_000, watchMs: 30_000, againMs: 1_000 },
  removeMs: (GRACE_SECONDS + 30) * 1000,
};
/** Such as for a service account that is not there. The agent has no right to read events. */
const NO_POD = 'the cluster has made no pod. `kubectl get events` says why';
/** Attempts to read the end of the log of a pod that ended. */
const LAST_READS = 3;

const JobBody = v.object({
  metadata: v.object({ name: v.string(), uid: v.string() }),
  status: v.optional(
    v.object({
      conditions: v.optional(
        v.nullable(
          v.array(v.object({ type: v.string(), status: v.string(), message: v.optional(v.string()) })),
        ),
      ),
    }),
  ),
});
const JobsBody = v.object({ items: v.array(JobBody) });
const PodsBody = v.object({ metadata: v.object({ resourceVersion: v.string() }), items: v.array(PodBody) });
const EventBody = v.variant('type', [
  v.object({ type: v.picklist(['ADDED', 'MODIFIED', 'DELETED']), object: PodBody }),
  v.object({ type: v.literal('BOOKMARK'), object: v.unknown() }),
  v.object({ type: v.literal('ERROR'), object: v.object({ message: v.optional(v.string()) }) }),
]);

/** End of a job. */
export interface JobEnd {
  /** False if its pod did not start. */
  readonly hasBegun: boolean;
  readonly why: string;
}

/** State of the pod of a job. */
interface SeenPod {
  /** Its name. Undefined if there is none. */
  readonly pod: string | undefined;
  readonly state: PodState;
}

/** Reads a line of the log of a pod. Returns true when no other line matters. */
type ReadLine = (text: string) => boolean;

/** Jobs of one namespace. */
export class ClusterJobs {
  readonly #api: ClusterApi;
  readonly #namespace: string;
  readonly #times: JobTimes;

  constructor(api: ClusterApi, namespace: string, times: JobTimes = TIMES) {
    this.#api = api;
    this.#namespace = namespace;
    this.#times = times;
  }

  /**
   * Removes the jobs of a stack that agents have left, apart from `mine`, and waits for the ends of their pods. Returns
   * why one may still run.
   */
  async removeLeft(stack: string, mine: ReadonlySet<string>): Promise<string | undefined> {
    try {
      const query = { labelSelector: `${LABELS.stack}=${stackLabel(stack)}` };
      const listed = v.parse(JobsBody, await this.#api.call({ method: 'GET', path: this.#jobs(), query }));
      const names = listed.items.map(({ metadata }) => metadata.name).filter((name) => !mine.has(name));
      const reasons = await Promise.all(names.map((name) => this.#removeWhole(name)));
      return reasons.find((reason) => reason !== undefined);
    } catch (thrown) {
      return `cannot list the jobs of the stack: ${wordsOf(thrown)}`;
    }
  }

  /**
   * Makes a job with its secrets, and starts it. `source` is the work of a container that fetches the program before.
   * Returns why it cannot.
   */
  async start(facts: JobFacts, text: string, source?: string): Promise<string | undefined> {
    const work = packedWork(text);
    const before = source === undefined ? [] : packedWork(source);
    if (work === undefined || before === undefined)
      return 'the plan of the run is too large for secrets of the cluster: split the stack, or use containers';
    const all = { work, ...(source !== undefined && { source: before }) };
    try {
      const job = v.parse(JobBody, await this.#make(this.#jobs(), facts.name, jobObject(facts, all)));
      for (const secret of workSecrets(facts, job.metadata.uid, all))
        await this.#make(`/api/v1/namespaces/${this.#namespace}/secrets`, undefined, secret);
      const body = { spec: { suspend: false } };
      await this.#api.call({ method: 'PATCH', path: this.#job(facts.name), body });
      return undefined;
    } catch (thrown) {
      return `cannot start a job in the namespace ${this.#namespace}: ${wordsOf(thrown)}`;
    }
  }

  /** Follows a job to its end. It ends early at `signal`. */
  async follow(name: string, read: ReadLine, signal: AbortSignal): Promise<JobEnd> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#times.startMs);
    let logs: Promise<void> | undefined;
    let last: PodState = { t: 'waits', why: NO_POD };
    const ended = new AbortController();
    try {
      for await (const seen of this.#pods(name, AbortSignal.any([signal, late.signal]))) {
        last = seen.state;
        if (last.t === 'runs') clearTimeout(timer);
        if ((last.t === 'runs' || last.t === 'ended') && seen.pod !== undefined)
          logs ??= this.#readLogs(seen.pod, read, signal, ended.signal);
        if (last.t === 'ended' || last.t === 'refused') break;
      }
      ended.abort();
      await logs;
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
    return { hasBegun: logs !== undefined, why: last.t === 'runs' ? 'the agent stops' : last.why };
  }

  /** Asks the cluster to end a job. Its pod gets time to end. */
  async remove(name: string, propagationPolicy: 'Background' | 'Foreground' = 'Background'): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy };
    await this.#api
      .call({ method: 'DELETE', path: this.#job(name), body })
      .catch((thrown: unknown) => this.#unlessGone(thrown));
  }

  async #removeWhole(name: string): Promise<string | undefined> {
    const late = AbortSignal.timeout(this.#times.removeMs);
    try {
      // Its pod is gone before the job is.
      await this.remove(name, 'Foreground');
      while (!late.aborted) {
        if ((await this.#find(name)) === undefined) return undefined;
        await pause(this.#times.againMs, late);
      }
      return `the job ${name} of an agent that died does not end. Remove it with \`kubectl delete job\`.`;
    } catch (thrown) {
      return `cannot remove the job ${name} of an agent that died: ${wordsOf(thrown)}`;
    }
  }

  /** Makes an object. One that is there was made by an attempt that was not answered. */
  async #make(path: string, name: string | undefined, body: object): Promise<unknown> {
    try {
      return await this.#api.call({ method: 'POST', path, body });
    } catch (thrown) {
      if (!(thrown instanceof ClusterRefusal) || thrown.status !== 409) throw thrown;
      return name === undefined ? undefined : this.#api.call({ method: 'GET', path: `${path}/${name}` });
    }
  }

  /** Yields the states of the pod of a job, until one is final or the job is gone. */
  async *#pods(name: string, signal: AbortSignal): AsyncGenerator<SeenPod> {
    while (!signal.aborted) {
      try {
        const { items, metadata } = await this.#listPods(name, signal);
        for (const pod of items) yield stateOf(pod);
        if (items.length === 0) {
          const why = await this.#endOfJob(name);
          if (why !== undefined) return yield { pod: undefined, state: { t: 'ended', why } };
        }
        yield* this.#watch(name, metadata.resourceVersion, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        if (thrown instanceof ClusterRefusal && [401, 403].includes(thrown.status))
          return yield { pod: undefined, state: { t: 'ended', why: wordsOf(thrown) } };
      }
      await pause(this.#times.againMs, signal);
    }
  }

  #listPods(name: string, signal: AbortSignal): Promise<v.InferOutput<typeof PodsBody>> {
    const call = {
      method: 'GET' as const,
      path: this.#podsPath(),
      query: { labelSelector: `${LABELS.job}=${name}` },
    };
    return this.#api.call(call, signal).then((answer) => v.parse(PodsBody, answer));
  }

  /** Yields changes of the pod of a job. Ends with the watch, or at an error, such as that of a version gone. */
  async *#watch(name: string, version: string, signal: AbortSignal): AsyncGenerator<SeenPod> {
    const query = {
      ...{ labelSelector: `${LABELS.job}=${name}`, watch: 'true', resourceVersion: version },
      timeoutSeconds: String(Math.ceil(this.#times.watchMs / 1000)),
    };
    for await (const line of this.#api.lines({ method: 'GET', path: this.#podsPath(), query }, signal)) {
      const event = v.parse(EventBody, JSON.parse(line));
      if (event.type === 'ERROR') return;
      if (event.type === 'BOOKMARK') continue;
      const { pod, state } = stateOf(event.object);
      if (event.type === 'DELETED' && state.t !== 'ended')
        return yield { pod, state: { t: 'ended', why: 'its pod was deleted' } };
      yield { pod, state };
    }
  }

  /** Returns why a job without a pod has ended. Undefined if it has not. */
  async #endOfJob(name: string): Promise<string | undefined> {
    const job = await this.#find(name);
    if (job === undefined) return 'its job was deleted';
    const { conditions } = job.status ?? {};
    const failed = conditions?.find(({ type, status }) => type === 'Failed' && status === 'True');
    return failed === undefined ? undefined : `its job failed: ${failed.message ?? 'without a reason'}`;
  }

  async #find(name: string): Promise<v.InferOutput<typeof JobBody> | undefined> {
    const path = this.#job(name);
    const found = await this.#api
      .call({ method: 'GET', path })
      .catch((thrown: unknown) => this.#unlessGone(thrown));
    return found === undefined ? undefined : v.parse(JobBody, found);
  }

  #unlessGone(thrown: unknown): undefined {
    if (thrown instanceof ClusterRefusal && thrown.status === 404) return undefined;
    throw thrown;
  }

  /** Reads the log of a pod. After a cut it is read on; `ended` says that the pod has ended. */
  async #readLogs(pod: string, read: ReadLine, signal: AbortSignal, ended: AbortSignal): Promise<void> {
    const log = new PodLog(read);
    for (let lastReads = 0; !signal.aborted && lastReads < LAST_READS;) {
      if (ended.aborted) lastReads += 1;
      const query = { container: CONTAINER, follow: 'true', timestamps: 'true', ...log.since };
      const path = `${this.#podsPath()}/${pod}/log`;
      try {
        for await (const line of this.#api.lines({ method: 'GET', path, query }, signal))
          if (log.read(line)) return;
      } catch (thrown) {
        if (thrown instanceof ClusterRefusal && thrown.status === 404) return;
      }
      await pause(this.#times.againMs, signal);
    }
  }

  #jobs(): string {
    return `/apis/batch/v1/namespaces/${this.#namespace}/jobs`;
  }

  #job(name: string): string {
    return `${this.#jobs()}/${name}`;
  }

  #podsPath(): string {
    return `/api/v1/namespaces/${this.#namespace}/pods`;
  }
}

function stateOf(pod: Pod): SeenPod {
  return { pod: pod.metadata.name, state: podState(pod) };
}

/** Log of a pod that may be read several times: its lines have the times at which they were written. */
class PodLog {
  readonly #read: ReadLine;
  /** Time of the last line, and the number of lines that have it. */
  #time = '';
  #seen = 0;
  #again = 0;

  constructor(read: ReadLine) {
    this.#read = read;
  }

  /** Part of a query for the lines that are new. */
  get since(): { readonly sinceTime?: string } {
    this.#again = this.#seen;
    return this.#time === '' ? {} : { sinceTime: this.#time };
  }

  /** Reads a line that is new. Returns true when no other line matters. */
  read(text: string): boolean {
    const [, time, line] = /^(\d{4}-\S+) ?(.*)$/s.exec(text) ?? [];
    if (time === undefined || line === undefined) return false;
    const order = compareTimes(time, this.#time);
    if (order < 0) return false;
    if (order === 0) {
      this.#again -= 1;
      if (this.#again >= 0) return false;
      this.#seen += 1;
    } else [this.#time, this.#seen, this.#again] = [time, 1, 0];
    return this.#read(line);
  }
}

/** Compares two times of lines. Their fractions have different lengths: zeros at the end are left out. */
function compareTimes(left: string, right: string): number {
  const form = (time: string): string => {
    const [, whole = '', fraction = ''] = /^([\d:T-]+)(?:\.(\d+))?/.exec(time) ?? [];
    return whole + fraction.padEnd(9, '0');
  };
  const [a, b] = [form(left), form(right)];
  return a === b ? 0 : a < b ? -1 : 1;
}
