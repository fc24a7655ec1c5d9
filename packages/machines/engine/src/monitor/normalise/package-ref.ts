import { isProviderType, tokenPackage } from '@cairn/addresses';
import type { Pass } from './draft.js';

/**
 * Finds the plugin that serves a resource if no provider is given. Local components need none, and providers name their
 * own.
 */
export const packageRef: Pass = ({ request }, { packages }) => {
  const { custom, remote, type } = request;
  if ((!custom && !remote) || isProviderType(type)) return undefined;
  const selected = packages.select(tokenPackage(type), request.package);
  return { package: selected, goal: { extensionRef: selected.extensionRef } };
};
