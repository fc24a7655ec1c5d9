import type {
  ReadResourceRequest,
  ReadResourceResponse,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  RegisterResourceResponse,
} from '@cairn/wire';
import { construct } from './construct.js';
import { hashedAssets } from './normalise/asset-hashes.js';
import { normalise } from './normalise/index.js';
import type { Draft } from './normalise/draft.js';
import { normaliseRead } from './normalise/read.js';
import { postGoal, postOutputs, postRead } from './posting.js';
import { urnOf } from './refusal.js';
import type { RegisterResult } from '../model/registration.js';
import type { ResourceRecord } from './resources.js';
import type { MonitorWorld } from './world.js';

/** Normalises a registration and sends it on; remote components go to their constructor instead (D3). */
export function registerResource(
  request: RegisterResourceRequest,
  world: MonitorWorld,
): Promise<RegisterResourceResponse> {
  return world.resources.arriving(request, register(request, world));
}

async function register(
  request: RegisterResourceRequest,
  world: MonitorWorld,
): Promise<RegisterResourceResponse> {
  const normalised = normalise(request, world);
  if (normalised instanceof Promise) world.intake?.entering(normalised);
  const draft = normalised instanceof Promise ? await normalised : normalised;
  return request.remote ? construct(draft, world) : registerGoal(draft, world);
}

/** Sends a goal on and remembers it for its children. */
export async function registerGoal(
  { goal, providers }: Draft,
  world: MonitorWorld,
): Promise<RegisterResourceResponse> {
  const record = world.resources.addGoal(goal, providers);
  const answer = postGoal(world.post, goal).then((result) => settle(record, result));
  if (record.custom) record.settled = answer.catch(() => undefined);
  const result = await answer;
  const { urn, id, outputs, unknown } = result;
  return { urn, id, outputs, propertyDependencies: {}, result: result.result, unknown };
}

function settle(record: ResourceRecord, answer: RegisterResult): RegisterResult {
  const { id, oldUrn, result, unknown, leftOut } = answer;
  record.oldUrn = oldUrn;
  record.leftOut = unknown;
  if (record.custom) record.created = id !== '' && result === 'success' && !unknown && leftOut !== true;
  return answer;
}

/** Looks up an object that this stack does not manage (D8). */
export function readResource(
  request: ReadResourceRequest,
  world: MonitorWorld,
): Promise<ReadResourceResponse> {
  return world.resources.arriving(request, read(request, world));
}

async function read(request: ReadResourceRequest, world: MonitorWorld): Promise<ReadResourceResponse> {
  const goal = await normaliseRead(request, world);
  const record = world.resources.addRead(goal);
  const answer = postRead(world.post, goal).then((result) => {
    record.oldUrn = result.oldUrn;
    record.created = result.id !== '' && !goal.idUnknown;
    return result;
  });
  record.settled = answer.catch(() => undefined);
  const { urn, outputs } = await answer;
  return { urn, properties: outputs };
}

/** Outputs of a component or of the stack; they replace what it had (D5). */
export async function registerOutputs(
  request: RegisterResourceOutputsRequest,
  world: MonitorWorld,
): Promise<void> {
  const urn = urnOf(request.urn, 'urn');
  const hashed = hashedAssets(request.outputs, urn, world.programDirectory);
  await postOutputs(world.post, urn, hashed === undefined ? request.outputs : await hashed);
}
