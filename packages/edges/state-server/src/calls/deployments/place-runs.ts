import { movedRun, mustWait, runOfRequest, newerRequest, placeRequest } from '@cairn/changes-daemon';
import type { RequestRow, RunCall, RunRow } from '@cairn/changes-daemon';
import { DEPLOYMENT_OPERATIONS, deploymentId } from '@cairn/http-api';
import type { DeploymentOperation } from '@cairn/http-api';
import { isClaimable, isOpen, numberedRun } from '../../domain/deployments/deployment.js';
import type { AskedDeployment, SealedSettings } from '../../domain/deployments/deployment.js';
import { nextExecution, scheduleLook } from '../../domain/deployments/schedules.js';
import { mergedSettings } from '../../domain/deployments/settings.js';
import { changesNext, waitsOf } from '../../domain/deployments/stack-order.js';
import type { WorkBefore } from '../../domain/deployments/stack-order.js';
import { Refusal } from '../../domain/refusal.js';
import { seconds } from '../service-ports.js';
import { addStackNotice, referenceOfStack, storeDeployment } from './deployment-ports.js';
import type { StackTurn } from './deployment-ports.js';
import { workBefore } from './earlier-stacks.js';
import { settingsRow } from './named-stacks.js';
import { textIn } from './setting-texts.js';
import { nextSourceLook } from './source-rows.js';

/** Most deployments of a stack that are open. */
const MOST_OPEN = 100;
/** Milliseconds between two looks at a stack with runs that agents have, or that wait for a person. */
const LOOK_MS = 10_000;
/** Milliseconds between two looks at a stack that waits for an update of another one, or for one that is no run. */
const AFTER_MS = 1000;
/** Milliseconds between two looks at an operation that waits for a person. */
const HELD_MS = 30_000;

/** Request of a deployment. Its secrets are sealed. */
interface NewDeployment {
  readonly operation: DeploymentOperation;
  readonly by: string;
  readonly initiator: string;
  readonly isPerson: boolean;
  readonly inherit: boolean;
  readonly settings: SealedSettings;
  readonly pool?: string | undefined;
  readonly request?: Partial<Pick<RequestRow, 'commit' | 'refresh' | 'pull' | 'pullPage' | 'why'>>;
}

/**
 * Adds a deployment to those of a stack, in the order of requests [AGT-2]. Returns undefined if it joined an open one.
 * Without a policy of the stack, a person or a schedule that asks for it approves it. A commit approves nothing.
 */
export async function addDeployment(
  turn: StackTurn,
  wanted: NewDeployment,
): Promise<AskedDeployment | undefined> {
  const { ports, stack, stackId } = turn;
  const { store, newId, now } = ports;
  const open = await store.openDeployments(stackId);
  if (open.length >= MOST_OPEN)
    throw new Refusal(409, `${MOST_OPEN} deployments of the stack have not ended. Cancel some.`);
  const own = await settingsRow(store, stackId);
  const settings = mergedSettings((wanted.inherit ? own?.settings : undefined) ?? {}, wanted.settings);
  const { rows } = await store.deploymentPage(stackId, 'deployments', { size: 1, page: 1 });
  const number = (rows[0]?.row.number ?? 0) + 1;
  const id = deploymentId(number, newId());
  const at = now().toISOString();
  const isApproved = policyIn(settings) === undefined && wanted.by !== 'source';
  // The end of a review stack needs no approval.
  const isReviewEnd = wanted.operation === 'destroy' && own?.copies !== undefined;
  const request: RequestRow = {
    ...{ id: String(number), stack: referenceOfStack(stack), kind: DEPLOYMENT_OPERATIONS[wanted.operation] },
    ...{ by: wanted.by, at, ...wanted.request },
    ...(wanted.isPerson && wanted.request?.commit !== undefined && { pinned: true as const }),
    ...(wanted.operation === 'remediate-drift' && { refresh: true as const }),
    ...((isApproved || isReviewEnd) && { approved: true as const }),
  };
  const runs = open.flatMap((each) => numberedRun(each) ?? []);
  const { supersedes, supersedesRuns, joins } = placeRequest(
    request,
    open.map((each) => each.request),
    runs,
    wanted.isPerson,
  );
  if (joins !== undefined) return undefined;
  for (const each of open) {
    if (supersedes.includes(each.request.id))
      await storeDeployment(turn, { ...each, request: { ...each.request, supersededBy: request.id } });
    if (supersedesRuns.includes(String(each.number)))
      await storeDeployment(turn, moved(turn, each, 'supersede', [`superseded by request ${number}`]));
  }
  const pool = wanted.pool ?? textIn(settings['agentPoolID']);
  const deployment: AskedDeployment = {
    ...{ id, number, operation: wanted.operation, initiator: wanted.initiator, request, settings },
    ...{ fence: 0, updates: [], modified: at },
    ...(pool !== undefined && { pool }),
  };
  return storeDeployment(turn, deployment);
}

/**
 * Looks at a stack: asks for what its schedules say, takes runs from agents that are gone, begins requests, and says
 * when the next look is due. Returns the deployments that agents may take. Everything is in the turn of the stack.
 */
export async function placeRuns(turn: StackTurn): Promise<readonly AskedDeployment[]> {
  const { ports, stack, stackId } = turn;
  const nextSchedule = await fireSchedules(turn);
  const nextLook = await nextSourceLook(turn, LOOK_MS);
  let open = await ports.store.openDeployments(stackId);
  open = await takeFromLost(turn, open);
  open = await supersedeWaiting(turn, open);
  const before = await workBefore(ports.store, stack, stackId, open);
  open = await beginRuns(turn, open, before);
  const runs = open.flatMap((each) => numberedRun(each) ?? []);
  const isForeign = before.foreign !== undefined;
  const claimable = open.filter((each) => isFree(turn, each, runs) && !(isForeign && changesNext(each)));
  const rests = open.some(({ agent, run }) => agent !== undefined || run?.status === 'held');
  const next = Math.min(
    claimable.length > 0 ? 0 : Infinity,
    rests ? LOOK_MS : Infinity,
    before.earlier.length > 0 || isForeign ? AFTER_MS : Infinity,
    Math.max(0, Math.min(nextSchedule, nextLook) - ports.now().getTime()),
  );
  await ports.store.wakeStack(stack, stackId, next === Infinity ? undefined : next);
  return claimable;
}

/** Returns a deployment whose run has had an event. */
export function moved(
  { ports }: Pick<StackTurn, 'ports'>,
  deployment: AskedDeployment,
  event: RunCall,
  why: readonly string[],
): AskedDeployment {
  return { ...deployment, run: movedRun(deployment.run as RunRow, event, { why }, ports.now()) };
}

/** Returns a member of the policy of settings: our own part of them. */
export function policyIn(settings: SealedSettings): Readonly<Record<string, unknown>> | undefined {
  const own = settings['cairn'];
  const policy = typeof own === 'object' && own !== null ? (own as SealedSettings)['policy'] : undefined;
  return typeof policy === 'object' && policy !== null ? (policy as SealedSettings) : undefined;
}

/** Returns the next time of a schedule in milliseconds since 1970. */
async function fireSchedules(turn: StackTurn): Promise<number> {
  const { ports, stackId } = turn;
  let next = Infinity;
  for (const { id, row } of await ports.store.deploymentRows(stackId, 'schedules')) {
    const { due, row: looked } = scheduleLook(row, ports.now());
    if (due)
      await addDeployment(turn, {
        ...{ operation: row.operation, initiator: 'schedule', isPerson: false, inherit: true },
        by: row.kind === 'ttl' ? 'expiry' : 'schedule',
        settings: withOptions(row.settings, row),
        ...(row.kind === 'ttl' && { request: { why: 'its time to live has passed' } }),
      });
    if (looked !== row) await ports.store.putDeploymentRow(stackId, 'schedules', id, looked);
    next = Math.min(next, nextExecution(looked) ?? Infinity);
  }
  return next;
}

/** Adds to settings what a schedule says about the time after its operation. */
function withOptions(
  settings: SealedSettings,
  { kind, then }: { readonly kind: string; readonly then: boolean },
): SealedSettings {
  if (kind === 'raw') return settings;
  const options = kind === 'drift' ? { remediateIfDriftDetected: then } : { deleteAfterDestroy: then };
  return mergedSettings(settings, { operationContext: { options } });
}

/** Takes the runs of agents that no longer say that they are there. An update that such a run made is ended. */
async function takeFromLost(
  turn: StackTurn,
  open: readonly AskedDeployment[],
): Promise<readonly AskedDeployment[]> {
  const { store } = turn.ports;
  const held = open.filter(({ agent }) => agent !== undefined).map(({ id }) => id);
  const living = await store.livingRunLeases(held);
  return each(open, async (deployment) => {
    const { id, agent, run } = deployment;
    if (agent === undefined || run === undefined || living.has(id)) return deployment;
    await endUpdate(turn, deployment);
    const { agent: _agent, ...lost } = moved(turn, deployment, 'lose', [`agent ${agent} is gone`]);
    await store.endRunLease(id);
    await addLoss(turn, deployment, agent);
    return storeDeployment(turn, lost);
  });
}

/** Gives notice of an agent that is silent while it has a run [AGT-14]. */
function addLoss(turn: StackTurn, run: AskedDeployment, agent: string): Promise<void> {
  return addStackNotice(turn, {
    ...{ type: 'agent-lost', run, data: { agent, status: run.run?.status ?? '' } },
  });
}

/** Ends the update that a run has made and that no one continues, so that it can be resumed. */
export async function endUpdate(
  { ports, stack, ends }: StackTurn,
  { updates }: AskedDeployment,
): Promise<void> {
  const running = await ports.store.runningUpdate(stack);
  if (running === undefined || !updates.some(({ id }) => id === running.record.id)) return;
  const ending = { status: 'failed', expired: true, at: seconds(ports.now()) } as const;
  await ends.end(ports, stack, running.record, ending);
}

/** Ends runs that wait for approvals while a newer request of their kind waits. */
function supersedeWaiting(
  turn: StackTurn,
  open: readonly AskedDeployment[],
): Promise<readonly AskedDeployment[]> {
  const requests = open.map(({ request }) => request);
  return each(open, async (deployment) => {
    const newer = deployment.run?.status === 'waiting' && newerRequest(deployment.run, requests);
    if (!newer) return deployment;
    return storeDeployment(turn, moved(turn, deployment, 'supersede', [`superseded by request ${newer.id}`]));
  }).then((all) => all.filter(isOpen));
}

/** Begins the requests that wait for nothing. */
function beginRuns(
  turn: StackTurn,
  open: readonly AskedDeployment[],
  before: WorkBefore,
): Promise<readonly AskedDeployment[]> {
  const waits = waitsOf(open, before);
  return each(open, async (deployment) => {
    const { id, request, run, settings } = deployment;
    if (run !== undefined || waits.get(request.id) !== undefined) return deployment;
    const needed = Number(policyIn(settings)?.['approvals'] ?? 1);
    const begun = runOfRequest(request, { id, needed, now: turn.ports.now() });
    return storeDeployment(turn, { ...deployment, request: { ...request, run: id }, run: begun });
  });
}

function isFree({ ports }: StackTurn, deployment: AskedDeployment, runs: readonly RunRow[]): boolean {
  const run = numberedRun(deployment);
  if (run === undefined || !isClaimable(deployment)) return false;
  if (run.status === 'held')
    return ports.now().getTime() - Date.parse(run.looked ?? deployment.modified) >= HELD_MS;
  return run.status !== 'ready' || !mustWait(run, runs);
}

async function each(
  deployments: readonly AskedDeployment[],
  work: (deployment: AskedDeployment) => Promise<AskedDeployment>,
): Promise<readonly AskedDeployment[]> {
  const done: AskedDeployment[] = [];
  for (const deployment of deployments) done.push(await work(deployment));
  return done;
}
