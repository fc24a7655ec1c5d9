import type { ProviderExtras, TypeExtras } from '@cairn/wire';
import type { AnyResourceDefinition } from '../definition.js';
import type { ProviderDefinition } from '../package-definition.js';

/**
 * Returns a definition's capabilities beyond the common protocol, in the form sent to the engine. `anyResource` serves
 * types that the definition does not list.
 */
export function definedExtras(
  { name, resources, maxInFlight, compares }: ProviderDefinition,
  anyResource: AnyResourceDefinition | undefined,
): ProviderExtras {
  const types = Object.entries(resources).map(([token, resource]) => [
    `${name}:${token}`,
    typeExtras({ compares, ...resource }),
  ]);
  if (anyResource !== undefined) types.push(['*', typeExtras(anyResource)]);
  return { maxInFlight, types: Object.fromEntries(types) as Readonly<Record<string, TypeExtras>> };
}

function typeExtras(resource: AnyResourceDefinition): TypeExtras {
  const { idempotencyToken, lookup, settleTime, holdsData, maxInFlight, exclusive, compares } = resource;
  const { read, reads = read === undefined ? 'record' : 'world', repeatable = [] } = resource;
  const takesToken =
    idempotencyToken === true ? {} : idempotencyToken === false ? undefined : idempotencyToken;
  return {
    idempotencyToken: takesToken,
    lookup: lookup !== undefined,
    settleSeconds: settleTime,
    holdsData,
    maxInFlight,
    exclusive,
    reads,
    compares,
    repeatable: resource.delete === undefined ? [...new Set([...repeatable, 'delete' as const])] : repeatable,
  };
}
