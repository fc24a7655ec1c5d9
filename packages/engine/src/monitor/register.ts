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
import type { RegisterResult } from './registration.js';
import type { ResourceRecord } from './resources.js';
import type { MonitorWorld } from './world.js';

/** Normalises a registration and sends it on; remote components go to their constructor instead (D3). */
export async function registerResource(
  request: RegisterResourceRequest,
  world: MonitorWorld,
): Promise<RegisterResourceResponse> {
  const normalised = normalise(request, world);
  const draft = normalised instanceof Promise ? await normalised : normalised;
  return request.remote ? construct(draft, world) : registerGoal(draft, world);
}

/** Sends a goal on and remembers it for its children. */
export async function registerGoal(
  { goal, providers }: Draft,
  world: MonitorWorld,
): Promise<RegisterResourceResponse> {
  const record = world.resources.addGoal(goal, providers);
  const result = await postGoal(world.post, goal);
  settle(record, result);
  const { urn, id, outputs, unknown } = result;
  return { urn, id, outputs, propertyDependencies: {}, result: result.result, unknown };
}

function settle(record: ResourceRecord, { id, oldUrn, result, unknown }: RegisterResult): void {
  record.oldUrn = oldUrn;
  if (record.custom) record.created = id !== '' && result === 'success' && !unknown;
}

/** Looks up an object that this stack does not manage (D8). */
export async function readResource(
  request: ReadResourceRequest,
  world: MonitorWorld,
): Promise<ReadResourceResponse> {
  const goal = await normaliseRead(request, world);
  const record = world.resources.addRead(goal);
  const { urn, outputs, oldUrn, id } = await postRead(world.post, goal);
  record.oldUrn = oldUrn;
  record.created = id !== '' && !goal.idUnknown;
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
