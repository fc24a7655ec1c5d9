import { tokenPackage } from '@cairn/addresses';
import { assignedProvider } from '../provider-choice.js';
import type { MonitorContext } from '../monitor-context.js';
import { transformed, transformsFor } from '../transforms/resource-transforms.js';
import type { ResourceTransforms } from '../transforms/resource-transforms.js';
import { hashedAssets } from './asset-hashes.js';
import type { Draft, DraftChanges, NormalisePass } from './draft.js';
import { ownProviders } from './provider-choice.js';

/** Lets the program's functions rewrite the registration [XFORM-2]. They receive every asset with its hash. */
export const transforms: NormalisePass = (draft, context) => {
  const { request, goal } = draft;
  if (request.transforms.length === 0 && context.transforms.none) return undefined;
  const found = transformsFor(goal.urn, request, goal.parent, context.transforms, context.resources);
  return found.callbacks.length === 0 ? undefined : rewritten(draft, found, context);
};

async function rewritten(
  draft: Draft,
  found: ResourceTransforms,
  context: MonitorContext,
): Promise<DraftChanges> {
  const { request, goal, parent } = draft;
  const hashed = await hashedAssets(request.inputs, goal.urn, context.programDirectory);
  const asked = hashed === undefined ? request : { ...request, inputs: hashed };
  const provider = assignedProvider({
    provider: request.provider,
    providers: ownProviders(draft),
    parent,
    key: tokenPackage(request.type),
  });
  return { request: await transformed(asked, found, provider, context.transforms.callbacks) };
}
