import { tokenPackage } from '@cairn/addresses';
import { assignedProvider } from '../provider-choice.js';
import type { MonitorWorld } from '../world.js';
import { transformed, transformsFor } from '../transforms/resource-transforms.js';
import type { ResourceTransforms } from '../transforms/resource-transforms.js';
import { hashedAssets } from './asset-hashes.js';
import type { Draft, Findings, Pass } from './draft.js';
import { ownProviders } from './provider-choice.js';

/** Lets the program's functions rewrite the registration [XFORM-2]. They receive every asset with its hash. */
export const transforms: Pass = (draft, world) => {
  const { request, goal } = draft;
  if (request.transforms.length === 0 && world.transforms.none) return undefined;
  const found = transformsFor(goal.urn, request, goal.parent, world.transforms, world.resources);
  return found.callbacks.length === 0 ? undefined : rewritten(draft, found, world);
};

async function rewritten(draft: Draft, found: ResourceTransforms, world: MonitorWorld): Promise<Findings> {
  const { request, goal, parent } = draft;
  const hashed = await hashedAssets(request.inputs, goal.urn, world.programDirectory);
  const asked = hashed === undefined ? request : { ...request, inputs: hashed };
  const provider = assignedProvider({
    provider: request.provider,
    providers: ownProviders(draft),
    parent,
    key: tokenPackage(request.type),
  });
  return { request: await transformed(asked, found, provider, world.transforms.callbacks) };
}
