import type {
  ReadResourceRequest,
  ReadResourceResponse,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  RegisterResourceResponse,
} from '@cairn/wire';
import type { PropertyMap } from '@cairn/values';
import { handleConstruct } from './construct.js';
import { hashedAssets } from './normalise/asset-hashes.js';
import type { Draft } from './normalise/draft.js';
import { normalise } from './normalise/index.js';
import { normaliseRead } from './normalise/read.js';
import { postOutputs, postRead, registerGoal } from './posting.js';
import { urnOf } from './refusal.js';
import type { MonitorContext } from './monitor-context.js';

/** Normalises a registration and posts it. Remote components go to their constructor instead [PRG-8]. */
export function registerResource(
  request: RegisterResourceRequest,
  context: MonitorContext,
): Promise<RegisterResourceResponse> {
  return context.resources.arriving(request, register(request, context));
}

/** Makes no promise of its own where a registration need not wait for anything. */
function register(
  request: RegisterResourceRequest,
  context: MonitorContext,
): Promise<RegisterResourceResponse> {
  const enter = (draft: Draft): Promise<RegisterResourceResponse> =>
    request.remote ? handleConstruct(draft, context) : registerGoal(draft, context);
  try {
    const normalised = normalise(request, context);
    if (!(normalised instanceof Promise)) return enter(normalised);
    context.intake?.entering(normalised);
    return normalised.then(enter);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

/** Reads an object that this stack does not manage [PRG-11]. */
export function readResource(
  request: ReadResourceRequest,
  context: MonitorContext,
): Promise<ReadResourceResponse> {
  return context.resources.arriving(request, read(request, context));
}

async function read(request: ReadResourceRequest, context: MonitorContext): Promise<ReadResourceResponse> {
  const goal = await normaliseRead(request, context);
  const record = context.resources.addRead(goal);
  const answer = postRead(context.post, goal).then((result) => {
    record.oldUrn = result.oldUrn;
    record.created = result.id !== '' && !goal.idUnknown;
    return result;
  });
  record.settled = answer.catch(() => undefined);
  const { urn, id, outputs } = await answer;
  return { urn, id, properties: outputs };
}

/**
 * Registers outputs of a component or of the stack, which replace its previous ones [PRG-10], and late inputs of a
 * component.
 */
export async function registerOutputs(
  request: RegisterResourceOutputsRequest,
  context: MonitorContext,
): Promise<void> {
  const urn = urnOf(request.urn, 'urn');
  const hashed = async (map: PropertyMap) => (await hashedAssets(map, urn, context.programDirectory)) ?? map;
  const { lateInputs } = request;
  await postOutputs(context.post, {
    urn,
    outputs: await hashed(request.outputs),
    ...(lateInputs !== undefined && { lateInputs: await hashed(lateInputs) }),
  });
}
