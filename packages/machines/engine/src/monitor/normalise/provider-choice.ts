import { isProviderType, tokenPackage } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { chooseProvider, referencePackage } from '../provider-choice.js';
import { referenceOf } from '../refusal.js';
import type { ResourceRecord } from '../resources.js';
import type { Draft, DraftChanges, NormalisePass } from './draft.js';

/**
 * Finds the plugin that serves a resource if no provider is given. Local components need none, and providers name their
 * own.
 */
export const packageRef: NormalisePass = ({ request }, { packages }) => {
  const { custom, remote, type } = request;
  if ((!custom && !remote) || isProviderType(type)) return undefined;
  const selected = packages.select(tokenPackage(type), request.package);
  return { package: selected, goal: { extensionRef: selected.extensionRef } };
};

/** Chooses the provider, and the map of providers that a component passes on [PROV-5]. */
export const providerChoice: NormalisePass = (draft, context) => {
  const { request, parent, package: pkg } = draft;
  const own = ownProviders(draft);
  const providers = request.custom ? own : passedDown(parent, own);
  if (pkg === undefined) return { providers };
  const chosen = chooseProvider(
    {
      provider: request.provider,
      providers: own,
      parent,
      package: pkg,
      key: tokenPackage(request.type),
      neededBy: draft.goal.urn,
      askedAt: draft.goal.sourcePosition,
    },
    context,
  );
  const found = (provider: ProviderReference): DraftChanges => ({ goal: { provider }, providers });
  return typeof chosen === 'string' ? found(chosen) : chosen.then(found);
};

const none: Readonly<Record<string, ProviderReference>> = Object.freeze({});

/**
 * Returns the map of the request. The single provider of a component that a constructor makes joins it. That of a local
 * component does not affect its children [XFORM-4].
 */
export function ownProviders({ request }: Draft): Readonly<Record<string, ProviderReference>> {
  const packages = Object.keys(request.providers);
  const single =
    !request.remote || request.provider === '' ? undefined : referenceOf(request.provider, 'provider');
  if (packages.length === 0 && single === undefined) return none;
  const own: Record<string, ProviderReference> = Object.create(null);
  for (const pkg of packages) own[pkg] = referenceOf(request.providers[pkg] as string, `providers[${pkg}]`);
  const pkg = single === undefined ? undefined : referencePackage(single);
  if (single !== undefined && pkg !== undefined) own[pkg] ??= single;
  return own;
}

/** Merges the parent's map. Maps accumulate down component parents only. */
function passedDown(
  parent: ResourceRecord | undefined,
  own: Readonly<Record<string, ProviderReference>>,
): Readonly<Record<string, ProviderReference>> {
  if (parent === undefined || parent.custom || parent.providers === none) return own;
  return own === none ? parent.providers : { ...parent.providers, ...own };
}
