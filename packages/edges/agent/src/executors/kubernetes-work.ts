import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import type { RunRow } from '@cairn/changes-daemon';
import * as v from 'valibot';
import { ClusterApi } from '../cluster/cluster-api.js';
import { readClusterAccess } from '../cluster/cluster-access.js';
import { ClusterJobs } from '../cluster/cluster-job.js';
import type { JobEnd } from '../cluster/cluster-job.js';
import { WorkReader } from '../cluster/work-lines.js';
import type { AgentConfig, AgentStack, ClusterSettings } from '../config/agent-config.js';
import { isPublicBackend } from '../config/public-backend.js';
import type {
  DriftResult,
  OperationState,
  PlanResult,
  SourceHead,
  StackWork,
  WorkResult,
} from '../stack-work.js';
import { RESULTS, podWorkText } from './pod-work.js';
import type { PodPart, PodTokens } from './pod-work.js';
import type { ProcessExecutor, Stoppable } from './process.js';
import { programVariables } from './program-variables.js';
import { readWritten, runFiles } from './run-files.js';

/** Commands that a part runs at most, beside those of the stack. */
const COMMANDS = 2;

/** Parts that the work needs from its caller. */
interface KubernetesPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
  /** OpenID Connect tokens of the run. Defaults to none. */
  readonly tokens?: PodTokens;
  /** Opens the jobs of a cluster. Defaults to those of its API server. */
  readonly open?: (cluster: ClusterSettings) => Promise<OpenCluster>;
}

/** Jobs of a cluster. */
interface OpenCluster {
  readonly jobs: ClusterJobs;
  readonly namespace: string;
  readonly close: () => void;
}

type PartResult<Part extends PodPart> = v.InferOutput<(typeof RESULTS)[Part]>;

/** Result of a pod, or why it gave none. */
type PodEnd = { readonly value: unknown } | { readonly why: string; readonly isStopped: boolean };

/**
 * Works on stacks by jobs of a Kubernetes cluster: each part of a run is a job with one pod, which fetches the program
 * and speaks to the backend [AGT-18]. Sources are watched by the work of this machine.
 */
export class KubernetesWork implements StackWork {
  readonly #config: AgentConfig;
  readonly #ports: KubernetesPorts;
  readonly #executor: ProcessExecutor;
  readonly #here: StackWork;
  readonly #mine = new Set<string>();

  /** `here` is the work of this machine. */
  constructor(config: AgentConfig, ports: KubernetesPorts, executor: ProcessExecutor, here: StackWork) {
    this.#config = config;
    this.#ports = ports;
    this.#executor = executor;
    this.#here = here;
  }

  head(stack: AgentStack): Promise<SourceHead | undefined> {
    return this.#here.head(stack);
  }

  forget(run: string): Promise<void> {
    return this.#here.forget(run);
  }

  async plan(stack: AgentStack, run: RunRow): Promise<PlanResult> {
    const result = await this.#part(stack, run, 'plan', failedPart);
    if (result.t !== 'planned') return result;
    return { ...result, commit: result.commit };
  }

  apply(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return this.#part(stack, run, 'apply', diedPart);
  }

  look(stack: AgentStack, run: RunRow): Promise<OperationState> {
    return this.#part(stack, run, 'look', () => 'unknown');
  }

  recover(stack: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult> {
    return this.#part(stack, run, how, diedPart);
  }

  drift(stack: AgentStack, run: RunRow): Promise<DriftResult> {
    return this.#part(stack, run, 'drift', failedPart);
  }

  remove(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return this.#part(stack, run, 'remove', failedPart);
  }

  /** Does a part in a pod. `lost` makes the result of a pod that gave none. */
  async #part<Part extends PodPart>(
    stack: AgentStack,
    run: RunRow,
    part: Part,
    lost: (why: string, isStopped: boolean) => PartResult<Part>,
  ): Promise<PartResult<Part>> {
    const end = await this.#pod(stack, run, part).catch((thrown: unknown) => ({
      ...{ why: explained(thrown), isStopped: false },
    }));
    const read = 'value' in end ? v.safeParse(RESULTS[part], end.value) : undefined;
    if (read?.success === true) return read.output as PartResult<Part>;
    const [why, isStopped] =
      'why' in end ? [end.why, end.isStopped] : ['its pod gave a result of another form', false];
    this.#ports.log(`run ${run.id}: no result of ${part}`, { stack: stack.name, why });
    return lost(why, isStopped);
  }

  async #pod(stack: AgentStack, run: RunRow, part: PodPart): Promise<PodEnd> {
    const { cluster } = stack;
    if (cluster === undefined || this.#executor.isStopping)
      return { why: 'the agent stops', isStopped: true };
    const env = programVariables(this.#ports.env, stack);
    const backend = env['CAIRN_BACKEND_URL'] ?? env['PULUMI_BACKEND_URL'] ?? env['CAIRN_DEFAULT_BACKEND_URL'];
    if (backend === undefined || !isPublicBackend(backend)) return { why: NO_BACKEND, isStopped: false };
    const { jobs, namespace, close } = await (this.#ports.open ?? openCluster(this.#ports.env))(cluster);
    const name = `cairn-${randomUUID()}`;
    this.#mine.add(name);
    try {
      const reference = `${backend} ${stack.stack}`;
      const left = await jobs.removeLeft(reference, this.#mine);
      if (left !== undefined) return { why: left, isStopped: false };
      const facts = {
        ...{ name, namespace, cluster, agent: this.#config.name, stack: reference, run: run.id },
        ...{ limits: stack.limits, commands: stack.before.length + stack.afterwards.length + COMMANDS },
      };
      const { work, source } = await this.#work(stack, run, part, env);
      const why = await jobs.start(facts, work, source);
      if (why !== undefined) return { why, isStopped: false };
      return await this.#follow(jobs, name, stack, run);
    } finally {
      await jobs
        .remove(name)
        .catch((thrown: unknown) => this.#ports.log(`cannot remove the job ${name}: ${messageOf(thrown)}`));
      this.#mine.delete(name);
      close();
    }
  }

  /** Returns the work of the pod, and that of the container which fetches its program with credentials. */
  async #work(
    stack: AgentStack,
    run: RunRow,
    part: PodPart,
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly work: string; readonly source?: string }> {
    const { tokens, env: own } = this.#ports;
    const { source } = stack;
    const git = source.t === 'git' && source.credentials !== undefined ? own[source.credentials] : undefined;
    const files = runFiles(this.#config.folder, run.id);
    await mkdir(files.exchange, { recursive: true, mode: 0o700 });
    const plan = part === 'apply' ? await readWritten(files.plan).catch(() => undefined) : undefined;
    const common = { stack, run, env };
    const work = podWorkText({
      ...{ ...common, part },
      ...(git !== undefined && { isFetched: true as const }),
      ...(plan !== undefined && { plan }),
      ...(tokens !== undefined && { tokens }),
    });
    if (git === undefined) return { work };
    const withHead = part === 'apply' && run.pinned !== true;
    return {
      work,
      source: podWorkText({ ...common, git, part: 'source', ...(withHead && { withHead: true as const }) }),
    };
  }

  /** Follows a job until its pod has given its result. A stop lets it end its running steps; a kill does not wait. */
  async #follow(jobs: ClusterJobs, name: string, stack: AgentStack, run: RunRow): Promise<PodEnd> {
    const killed = new AbortController();
    const log = new PodLogs(this.#config.folder, run.id, stack.limits.outputBytes);
    const ended = jobs.follow(name, (text) => log.read(text, () => killed.abort()), killed.signal);
    const stoppable: Stoppable = {
      kill: () => killed.abort(),
      stop: async () => {
        await jobs.remove(name, 'Foreground').catch(() => undefined);
        await ended;
      },
    };
    const untrack = this.#executor.track(stoppable);
    try {
      const end = await ended;
      await log.written;
      return await this.#result(log, end, run);
    } finally {
      untrack();
    }
  }

  async #result(log: PodLogs, end: JobEnd, run: RunRow): Promise<PodEnd> {
    const { result, isOver, last } = log;
    if (isOver) return { why: 'ended at its output limit', isStopped: false };
    if (result === undefined) {
      const said = last === '' || !end.hasBegun ? '' : `: ${last}`;
      const what = end.hasBegun ? 'its pod ended without a result' : 'its pod did not start';
      return { why: `${what}: ${end.why}${said}`, isStopped: this.#executor.isStopping };
    }
    if (result.plan !== undefined)
      await writeFile(runFiles(this.#config.folder, run.id).plan, result.plan, { mode: 0o600 });
    return result;
  }
}

/** Logs of a pod, in the files of its run. */
class PodLogs {
  /** Resolves when the lines are in their files. */
  written: Promise<unknown> = Promise.resolve();
  last = '';
  isOver = false;
  #left: number;
  readonly #reader: WorkReader;

  /** `most`: characters of the logs. */
  constructor(folder: string, run: string, most: number) {
    this.#left = most;
    this.#reader = new WorkReader((part, line) => {
      this.#left -= line.length;
      this.last = line;
      const file = runFiles(folder, run).log(part);
      // A full disk must not end the agent.
      const write = () => appendFile(file, `${line}\n`, { mode: 0o600 }).catch(() => undefined);
      this.written = this.written.then(write);
    });
  }

  get result(): WorkReader['result'] {
    return this.#reader.result;
  }

  /** Reads a line. Calls `over` when there are too many. Returns true after the last one. */
  read(text: string, over: () => void): boolean {
    this.#reader.read(text);
    if (this.#left < 0) {
      this.isOver = true;
      over();
    }
    return this.result !== undefined;
  }
}

const NO_BACKEND =
  'pods cannot reach the backend of the stack. Name a service or a bucket as "backend" of the stack, or in CAIRN_BACKEND_URL of the agent';

/** Opens clusters by their API servers. */
function openCluster(env: KubernetesPorts['env']): NonNullable<KubernetesPorts['open']> {
  return async ({ kubeconfig, context, namespace: own }) => {
    const access = await readClusterAccess({ kubeconfig, context, env });
    const namespace = own ?? access.namespace ?? 'default';
    const api = new ClusterApi(access);
    return { jobs: new ClusterJobs(api, namespace), namespace, close: () => api.close() };
  };
}

function explained(thrown: unknown): string {
  const [first] = isCairnError(thrown) ? thrown.diagnostics : [];
  return first?.hint === undefined ? messageOf(thrown) : `${first.summary}. ${first.hint}`;
}

function failedPart(
  why: string,
  isStopped: boolean,
): { readonly t: 'failed' | 'stopped'; readonly why: string } {
  return isStopped ? { t: 'stopped', why } : { t: 'failed', why };
}

/** The operation may have begun: a look at the changes of the stack says so. */
function diedPart(why: string, isStopped: boolean): WorkResult {
  return isStopped ? { t: 'stopped', why } : { t: 'stopped', why, isDead: true };
}
