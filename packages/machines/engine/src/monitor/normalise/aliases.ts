import { ROOT_STACK_TYPE, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';
import type { AliasRequest } from '@cairn/wire';
import type { OperationIdentity } from '../../model/request.js';
import { urnOf } from '../refusal.js';
import type { RegisteredResources, ResourceRecord } from '../resources.js';
import type { NormalisePass } from './draft.js';

/** Finds the URNs under which the prior entry may be, after its own, in order of precedence [ADDR-6]. */
export const aliases: NormalisePass = ({ request, goal, parent }, { identity, resources }) => {
  if (request.aliases.length === 0 && parent?.oldUrn === undefined) return undefined;
  const self = { urn: goal.urn, type: goal.type, name: goal.name, parent: goal.parent };
  const explicit = explicitAliases(request.aliases, self, identity, resources);
  const found = new Set([...explicit, ...inheritedAliases(self, parent, explicit, identity)]);
  found.delete(goal.urn);
  const stated = explicitAliases(request.aliases, self, identity, { get: () => undefined });
  return { goal: { aliases: [...found], statedAliases: [...new Set(stated)] } };
};

/** Resource whose aliases are computed. */
export interface AliasedResource {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
}

/** Returns the requested aliases as URNs. */
export function explicitAliases(
  requests: readonly AliasRequest[],
  self: AliasedResource,
  identity: OperationIdentity,
  resources: Pick<RegisteredResources, 'get'>,
): readonly Urn[] {
  return requests.map((alias) => {
    switch (alias.kind) {
      case 'urn':
        return urnOf(alias.urn, 'alias');
      case 'spec': {
        const parent = aliasParent(alias, self, resources);
        const { stack, project } = alias;
        const home = { ...identity, stack: stack || identity.stack, project: project || identity.project };
        return placed(parent, alias.type || self.type, alias.name || self.name, home);
      }
      default:
        return unreachable(alias);
    }
  });
}

/**
 * Returns the parent that an alias names. If the parent itself has taken over an old entry, the old entry's URN counts.
 */
function aliasParent(
  { parent }: Extract<AliasRequest, { kind: 'spec' }>,
  self: AliasedResource,
  resources: Pick<RegisteredResources, 'get'>,
): Urn | undefined {
  if (parent.kind === 'none') return undefined;
  const urn = parent.kind === 'same' ? self.parent : urnOf(parent.urn, 'alias parent');
  if (urn === undefined) return undefined;
  return resources.get(urn)?.oldUrn ?? urn;
}

/**
 * Returns the aliases that follow from the URN under which the parent was found: the resource's own URN under that
 * parent, and those of its aliases.
 */
export function inheritedAliases(
  self: AliasedResource,
  parent: ResourceRecord | undefined,
  explicit: readonly Urn[],
  identity: OperationIdentity,
): readonly Urn[] {
  const oldParent = parent?.oldUrn;
  if (parent === undefined || oldParent === undefined) return [];
  const oldName = urnName(oldParent);
  const renamed = (name: string) =>
    name.startsWith(parent.name) ? oldName + name.slice(parent.name.length) : name;
  return [
    placed(oldParent, self.type, renamed(self.name), identity),
    ...explicit.map((alias) => placed(oldParent, urnType(alias), renamed(urnName(alias)), identity)),
  ];
}

/**
 * Returns the URN of a type and name under a parent. The parent's URN is cut at its last `::`, no matter what its name
 * contains [ADDR-6] [ADDR-1].
 */
function placed(
  parent: Urn | undefined,
  type: string,
  name: string,
  { stack, project }: OperationIdentity,
): Urn {
  if (parent === undefined || urnType(parent) === ROOT_STACK_TYPE) {
    return urnOf(`urn:pulumi:${stack}::${project}::${type}::${name}`, 'alias');
  }
  const chain = parent.slice(0, parent.lastIndexOf('::'));
  return urnOf(`${chain}$${type}::${name}`, 'alias');
}
