import { isProviderType, tokenPackage } from '@cairn/addresses';
import type { Pass } from './draft.js';

/**
 * Which plugin serves a resource when no provider is given; local components need none, providers say it themselves.
 */
export const packageRef: Pass = ({ request }, { packages }) => {
  const { custom, remote, type } = request;
  if ((!custom && !remote) || isProviderType(type)) return undefined;
  const selected = packages.select(tokenPackage(type), request.package);
  return { package: selected, goal: { extensionRef: selected.extensionRef } };
};
