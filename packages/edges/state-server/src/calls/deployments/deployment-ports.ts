import { approvalClaims } from '@cairn/changes-daemon';
import type { StackId } from '@cairn/backends';
import { organizationOf } from '@cairn/backends';
import { numberPart } from '@cairn/http-api';
import type { AskedDeployment, SealedSettings } from '../../domain/deployments/deployment.js';
import { isOpen } from '../../domain/deployments/deployment.js';
import { openSettings, sealSettings } from '../../domain/deployments/settings.js';
import { noticed } from '../../domain/hooks.js';
import { Refusal } from '../../domain/refusal.js';
import type { StackStore } from '../../store/service-store.js';
import type { HookSender } from '../hook-sender.js';
import { seconds } from '../service-ports.js';
import type { TurnPorts } from '../service-ports.js';
import { recordOf } from '../stack-records.js';
import type { UpdateEnds } from '../update-ends.js';

/** Deployments of a stack that are kept after their end, at least the newest ones. */
const KEPT = 100;

/** Stack in a turn, with its immutable id. */
export interface StackTurn {
  readonly ports: TurnPorts;
  readonly stack: StackId;
  readonly stackId: string;
  readonly ends: UpdateEnds;
  readonly hooks: Pick<HookSender, 'note'>;
}

/** Returns the name of a stack in requests and runs, as `--stack` takes it. */
export function referenceOfStack(stack: StackId): string {
  return `${organizationOf(stack)}/${stack.project}/${stack.stack}`;
}

/** Time for which links that approve are valid, in milliseconds. */
const LINK_MS = 24 * 3_600_000;

/** Returns the name of a run in links that approve it. */
function linkedRunName({ project, stack }: StackId, { id }: AskedDeployment): string {
  return [project, stack, id].join('/');
}

/**
 * Adds a notice about a stack, or about a run of it, and lets webhooks know. `about` distinguishes notices of one type
 * about the stack; it defaults to the run.
 */
export async function addStackNotice(
  { ports, stack, stackId, hooks }: StackTurn,
  {
    type,
    run,
    about = run === undefined ? '' : String(run.number),
    data,
  }: {
    readonly type: string;
    readonly run?: AskedDeployment | undefined;
    readonly about?: string;
    readonly data: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const now = ports.now();
  await ports.store.addNotice(organizationOf(stack), {
    ...{ type, key: `${referenceOfStack(stack)} ${about}`.trimEnd() },
    ...{ 'last-repeated': now.toISOString(), 'last-data': data },
  });
  const by = run?.request.by ?? 'source';
  const claims =
    type === 'approval-wanted' && run?.run !== undefined
      ? approvalClaims({ ...run.run, id: linkedRunName(stack, run) }, LINK_MS, now)
      : undefined;
  const occasions = noticed({
    ...{ type, run: run?.number, by, at: seconds(now) },
    ...(claims !== undefined && { approves: claims }),
  });
  await hooks.note(ports.store, stack, stackId, occasions);
}

/** Returns settings with the secrets sealed under the key of their stack. */
export async function sealedSettings(
  ports: TurnPorts,
  stack: StackId,
  settings: SealedSettings,
): Promise<SealedSettings> {
  const key = await openKey(ports, stack);
  const decrypt = (text: string): string => opened(key.decrypt(Buffer.from(text, 'base64')));
  return sealSettings(settings, (text) => key.encrypt(Buffer.from(text)).toString('base64'), decrypt);
}

/** Returns settings with open secrets. */
export async function openedSettings(
  ports: TurnPorts,
  stack: StackId,
  settings: SealedSettings,
): Promise<SealedSettings> {
  const key = await openKey(ports, stack);
  return openSettings(settings, (text) => opened(key.decrypt(Buffer.from(text, 'base64'))));
}

/** Finds a deployment by its id. Refuses one that does not exist. */
export async function foundDeployment(
  store: StackStore,
  stackId: string,
  id: string,
): Promise<AskedDeployment> {
  const isId = /^[0-9a-f-]{1,40}$/.test(id);
  const [found] = isId
    ? await store.deploymentRows(stackId, 'deployments', { from: id, below: `${id}!` })
    : [];
  if (found === undefined) throw new Refusal(404, 'Deployment not found.');
  return found.row;
}

/** Finds a deployment by its number. Refuses one that does not exist. */
export async function numberedDeployment(
  store: StackStore,
  stackId: string,
  number: number,
): Promise<AskedDeployment> {
  const from = numberPart(number);
  const [found] = await store.deploymentRows(stackId, 'deployments', { from, below: `${from}~` });
  if (found === undefined) throw new Refusal(404, 'Deployment not found.');
  return found.row;
}

/** Stores a deployment. The oldest ones that ended are removed when there are too many. */
export async function storeDeployment(
  { ports, stackId }: StackTurn,
  changed: AskedDeployment,
): Promise<AskedDeployment> {
  const { store, now } = ports;
  const deployment = { ...changed, modified: now().toISOString() };
  const open = isOpen(deployment);
  await store.putDeploymentRow(stackId, 'deployments', deployment.id, deployment, open);
  if (open) return deployment;
  const own = { from: deployment.id, below: `${deployment.id}!` };
  await store.removeDeploymentRows(stackId, 'plans', own);
  const below = numberPart(Math.max(0, deployment.number - KEPT));
  await store.removeDeploymentRows(stackId, 'deployments', { from: '', below });
  await store.removeDeploymentRows(stackId, 'logs', { from: '', below });
  return deployment;
}

async function openKey(ports: TurnPorts, stack: StackId) {
  const { id, key } = await recordOf(ports, stack);
  return ports.keys.open(id, key);
}

function opened(text: Buffer | undefined): string {
  if (text === undefined)
    throw new Refusal(400, 'A ciphertext of the settings does not belong to this stack.');
  return text.toString('utf8');
}
