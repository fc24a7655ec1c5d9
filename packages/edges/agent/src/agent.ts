import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { systemClock } from '@cairn/changes';
import type { Clock } from '@cairn/changes';
import { EnsureLoop, Managers, microsOf, signApprovalLink } from '@cairn/changes-daemon';
import type { ApprovalClaims, Register } from '@cairn/changes-daemon';
import { BugError, messageOf } from '@cairn/diagnostics';
import { networksOf } from '@cairn/http-api/hooks';
import type { AgentConfig } from './config/agent-config.js';
import { secretReader } from './config/agent-secrets.js';
import { reviewName } from './config/review-stack.js';
import { CommandWork } from './executors/command-work.js';
import type { CommandPorts } from './executors/command-runner.js';
import { Containers } from './executors/containers.js';
import { KubernetesWork } from './executors/kubernetes-work.js';
import { PlacedWork } from './executors/placed-work.js';
import { connectForges } from './forges/forge-api.js';
import { ProcessExecutor } from './executors/process.js';
import { unlimited } from './executors/resource-limits.js';
import { containersFolder } from './executors/run-files.js';
import { openAgentRegister } from './folder/agent-folder.js';
import { approvalKey } from './folder/approval-key.js';
import { deleteMessage, makeInbox, readAgentMessages, putAside } from './folder/inbox.js';
import { keepLease, takeFolder } from './folder/hold-folder.js';
import type { FolderLease } from './folder/lease.js';
import { agentMetrics } from './listen/agent-metrics.js';
import type { ListenAt } from './listen/agent-server.js';
import { listenForAgent } from './agent-listener.js';
import type { LiveAgent } from './agent-listener.js';
import { approveByMember } from './managers/approve-run.js';
import { noticeOfLoss } from './managers/context.js';
import type { ManagerContext } from './managers/context.js';
import { ScheduleLook } from './managers/drift.js';
import { ExpiryLook } from './managers/expiry.js';
import { InboxManager } from './managers/inbox.js';
import type { MessageBox } from './managers/inbox.js';
import { NotifyManager } from './managers/notify.js';
import { PullManager } from './managers/pulls.js';
import type { PullContext } from './managers/pulls.js';
import { ReconcileManager } from './managers/reconcile.js';
import { RecoveryManager } from './managers/recovery.js';
import { SourceLook } from './managers/source.js';
import { StackManager } from './managers/stacks.js';
import { Tasks } from './managers/tasks.js';
import { Upkeep } from './managers/upkeep.js';
import { RunLedger } from './runs/ledger.js';
import { noteSeen } from './notify/seen-notices.js';
import { noticeSender } from './notify/senders.js';
import type { SendNotice } from './notify/senders.js';
import type { StackWork } from './stack-work.js';

/** Longest time between two passes, in milliseconds. */
const PASS_MS = 60_000;

/** Parts that an agent needs from outside. */
interface AgentPorts extends CommandPorts {
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
  /** Calls back when the agent has to stop. */
  readonly onStop: (listener: () => void) => () => void;
  /** Address for webhooks, health and metrics. Defaults to none. */
  readonly listen?: ListenAt | undefined;
  /** Version of Cairn. */
  readonly version: string;
}

/** Parts of a core: an agent without its folder, its lease and its processes. */
interface CoreParts {
  readonly config: AgentConfig;
  readonly register: Register;
  readonly work: StackWork;
  readonly inbox: MessageBox;
  readonly fence: number;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
  /** Calls of the forges. Defaults to none. */
  readonly forges?: ConstructorParameters<typeof PullManager>[2];
  /** Sends notices to targets. Defaults to none: another process does. */
  readonly send?: SendNotice;
}

/** The managers of an agent and their loop. */
export class AgentCore {
  readonly ledger: RunLedger;
  /** Time of the last pass, in milliseconds since 1970. */
  lastPass: number;
  readonly #loop: EnsureLoop;
  readonly #tasks: Tasks;
  #isStopping = false;
  #isLooping = false;
  #drained: () => void = () => undefined;
  readonly #passEnds: (() => void)[] = [];

  constructor({
    config,
    register,
    work,
    inbox,
    fence,
    clock,
    newId,
    log,
    forges = new Map(),
    send,
  }: CoreParts) {
    const now = (): Date => clock.now();
    this.lastPass = now().getTime();
    this.ledger = new RunLedger(register, now);
    const ensureBefore = (ms: number): void => {
      if (this.#isLooping) this.#loop.ensureBefore(ms);
    };
    this.#tasks = new Tasks(
      config.places,
      () => ensureBefore(0),
      (error, name) => log(`${name}: ${messageOf(error)}`),
    );
    const context: ManagerContext = {
      config,
      ledger: this.ledger,
      work,
      tasks: this.#tasks,
      fence,
      now,
      newId,
      ensureBefore,
      isStopping: () => this.#isStopping,
      log,
    };
    const upkeep = new Upkeep(context);
    const managers = new Managers();
    // Requests first, so that their runs begin in the same pass.
    const pulls = new PullManager(pullContext(context), register, forges);
    const notify = send === undefined ? undefined : new NotifyManager(context, register, send);
    managers.add(
      new InboxManager(
        context,
        inbox,
        () => this.#drained(),
        (message) => {
          if (message.t === 'forge') pulls.note(message);
          else if (message.t === 'redeliver') notify?.redeliver(message.id);
          else if (message.t === 'seen') noteSeen(register, message);
          else register.warnings.okay(microsOf(new Date(message.at)));
        },
      ),
    );
    if (notify !== undefined) managers.add(notify);
    managers.add(pulls);
    const looks = [new SourceLook(context), new ScheduleLook(context), new ExpiryLook(context)];
    managers.add(new StackManager(context, looks));
    managers.add(new RecoveryManager(context));
    managers.add(new ReconcileManager(context));
    managers.add(upkeep);
    managers.add({ ensure: () => void (this.lastPass = now().getTime()) });
    managers.add({ ensure: () => this.#passEnds.splice(0).forEach((ended) => ended()) });
    this.#loop = new EnsureLoop(managers, {
      clock,
      intervalMs: PASS_MS,
      prune: async () => {
        upkeep.clean();
        await register.prune();
      },
      onError: (error) => log(messageOf(error)),
    });
  }

  /** Starts the loop. `onDrained` is called when a command asks the agent to end. */
  async start(onDrained: () => void): Promise<void> {
    this.#drained = onDrained;
    this.#isLooping = true;
    await this.#loop.start();
  }

  /** Requests a pass. */
  wake(): void {
    if (this.#isLooping) this.#loop.ensureBefore(0);
  }

  /** Requests a pass, and resolves at the end of the next one. */
  nextPass(): Promise<void> {
    const ended = this.passEnd();
    this.wake();
    return ended;
  }

  /** Resolves at the end of the next pass, which comes when work ends or something is due. */
  passEnd(): Promise<void> {
    return new Promise((resolve) => this.#passEnds.push(resolve));
  }

  /** Begins nothing more. */
  close(): void {
    this.#isStopping = true;
  }

  /** Waits for the work that runs, and ends the loop. */
  async stop(): Promise<void> {
    this.close();
    await this.#tasks.idle();
    this.#isLooping = false;
    await this.#loop.stop();
    await this.ledger.stored();
  }

  /** Ends the loop of an agent that has failed. Nothing more is written. */
  async abandon(): Promise<void> {
    this.close();
    this.#isLooping = false;
    await this.#loop.stop().catch(() => undefined);
  }

  /** Tells if no run can go further without a person or a later time. */
  get isQuiet(): boolean {
    const runs = [...this.ledger.openRuns];
    const moves = runs.some(({ status }) => status !== 'waiting' && status !== 'held');
    const isQueued = [...this.ledger.queuedRequests].length > 0;
    return !moves && (!isQueued || runs.some(({ status }) => status === 'held')) && this.#tasks.isIdle;
  }
}

/** End of an agent: it was asked to stop, was drained, became quiet, or lost its lease. */
type AgentEnd = 'stopped' | 'drained' | 'quiet';

/**
 * Runs an agent in its folder until it is stopped. While another agent has the folder it waits, and takes over when
 * that one ends [AGT-9]. With `once` it ends when everything rests.
 */
export async function runAgent(config: AgentConfig, ports: AgentPorts, once: boolean): Promise<AgentEnd> {
  const stop = new StopSignal(ports);
  const secretOf = secretReader(config, ports.env);
  const forges = connectForges(config.forges ?? [], secretOf);
  const live: LiveAgent = {};
  const server = await listenForAgent(config, ports, secretOf, live);
  try {
    const lease = await takeFolder(config, ports.log, stop.ended, 'wait');
    if (lease === undefined) return 'stopped';
    return await runLeased(config, ports, once, { stop, lease, forges, live });
  } finally {
    await server?.close();
  }
}

/** Runs an agent that has its folder. */
async function runLeased(
  config: AgentConfig,
  ports: AgentPorts,
  once: boolean,
  {
    stop,
    lease,
    forges,
    live,
  }: {
    readonly stop: StopSignal;
    readonly lease: FolderLease;
    readonly forges: NonNullable<CoreParts['forges']>;
    readonly live: LiveAgent;
  },
): Promise<AgentEnd> {
  const executor = new ProcessExecutor();
  const containers = new Containers(containersFolder(config.folder), ports.env);
  let core: AgentCore | undefined;
  const renewal = keepLease(lease, (error) => {
    executor.kill();
    stop.fail(error);
  });
  const watcher = watch(await makeInbox(config.folder), () => core?.wake());
  // Without a watch, messages are read at the next pass.
  watcher.on('error', () => watcher.close());
  try {
    const left = await containers.removeLeft();
    if (left !== undefined) ports.log(left);
    const register = await openAgentRegister(config.folder, lease, systemClock, ports.log);
    const here = new CommandWork(config, ports, executor, containers);
    core = new AgentCore({
      config,
      register,
      work: new PlacedWork(here, new KubernetesWork(config, ports, executor, here)),
      inbox: { read: () => readAgentMessages(config.folder), done: deleteMessage, refuse: putAside },
      fence: lease.fence,
      clock: systemClock,
      newId: () => `a${randomUUID().slice(0, 8)}`,
      log: ports.log,
      forges,
      send: noticeSender({
        agent: config.name,
        version: ports.version,
        secretOf: (variable) => ports.env[variable] ?? '',
        urlOf: await linkSigner(config),
        isAllowed: networksOf(config.networks ?? [], (text) => new BugError(`${text} is no network`)),
      }),
    });
    live.core = core;
    const { ledger } = core;
    if (lease.lost !== undefined) noticeOfLoss(ledger, lease.lost);
    live.metrics = agentMetrics({ ledger, now: () => new Date(), leaseUntil: () => lease.until });
    await core.start(() => stop.end('drained'));
    const missing = unlimited(
      executor.means,
      config.stacks
        .filter(({ container, cluster }) => container === undefined && cluster === undefined)
        .map(({ limits }) => limits),
    );
    if (missing.length > 0) ports.log(`this machine cannot limit ${missing.join(', ')} of runs`);
    ports.log(
      `agent ${config.name} keeps ${config.stacks.length} ${config.stacks.length === 1 ? 'stack' : 'stacks'}`,
      { folder: config.folder },
    );
    const end = await Promise.race([stop.ended, ...(once ? [quiet(core)] : [])]);
    core.close();
    if (end === 'stopped') await executor.stop();
    await core.stop();
    await lease.release();
    return end;
  } catch (thrown) {
    executor.kill();
    await core?.abandon();
    throw thrown;
  } finally {
    executor.kill();
    await containers.settled();
    renewal();
    watcher.close();
    stop.close();
  }
}

/** Returns what pull requests need of an agent that has its stacks in a file. */
function pullContext(context: ManagerContext): PullContext {
  const { config, ledger } = context;
  const byBranch = new Map<string, string[]>();
  for (const { name, source, pulls } of config.stacks) {
    if (pulls === undefined || source.t !== 'git') continue;
    const branch = `${pulls.forge} ${source.ref}`;
    const names = byBranch.get(branch) ?? [];
    names.push(name);
    byBranch.set(branch, names);
  }
  return {
    ...context,
    stacks: () => config.stacks,
    // The source is looked at in this pass.
    onPush: (forge, branch) => {
      for (const name of byBranch.get(`${forge} refs/heads/${branch}`) ?? []) {
        const { looked: _looked, ...marks } = ledger.stack(name);
        ledger.setStack(name, marks);
      }
    },
    onApprove: async (approval) => approveByMember(context, approval),
    reviewName,
    approveWith: ({ id }) => `To approve it, a member comments \`cairn approve ${id}\`.`,
  };
}

/** Returns the function that makes addresses of links that approve, if the file has such links. */
async function linkSigner({
  folder,
  links,
}: AgentConfig): Promise<((claims: ApprovalClaims) => string) | undefined> {
  if (links === undefined) return undefined;
  const key = await approvalKey(folder);
  return (claims) => `${links.address}/approve/${signApprovalLink(key, claims)}`;
}

/** Resolves when nothing can go further. */
async function quiet(core: AgentCore): Promise<AgentEnd> {
  for (;;) {
    // The first pass may have begun before; the second one sees everything that the first one began.
    for (let passes = 0; passes < 2; passes += 1) await core.nextPass();
    if (core.isQuiet) return 'quiet';
    await core.passEnd();
  }
}

/** First reason for an agent to end. */
class StopSignal {
  readonly ended: Promise<AgentEnd>;
  readonly close: () => void;
  #end: (end: AgentEnd) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(ports: AgentPorts) {
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.ended.catch(() => undefined);
    this.close = ports.onStop(() => this.#end('stopped'));
  }

  end(end: AgentEnd): void {
    this.#end(end);
  }

  fail(error: unknown): void {
    this.#fail(error);
  }
}
