import type { AliasRequest } from '@cairn/wire';
import { gather } from '../output/gather.js';
import { STATE, isResource } from './state.js';
import type { Alias } from './options.js';

/** Former identities as the monitor takes them: specs, with absent parts meaning "as now" [ADDR-6]. */
export async function aliasRequests(aliases: readonly (Alias | string)[]): Promise<readonly AliasRequest[]> {
  return Promise.all(aliases.map(aliasRequest));
}

async function aliasRequest(alias: Alias | string): Promise<AliasRequest> {
  if (typeof alias === 'string') return { kind: 'urn', urn: alias };
  return {
    kind: 'spec',
    name: alias.name ?? '',
    type: alias.type ?? '',
    stack: alias.stack ?? '',
    project: alias.project ?? '',
    parent: await aliasParent(alias),
  };
}

async function aliasParent({
  parent,
  noParent,
}: Alias): Promise<(AliasRequest & { kind: 'spec' })['parent']> {
  if (noParent === true) return { kind: 'none' };
  if (parent === undefined) return { kind: 'same' };
  if (isResource(parent)) return { kind: 'urn', urn: (await parent[STATE].registered()).urn };
  return { kind: 'urn', urn: String((await gather(parent)).value) };
}
