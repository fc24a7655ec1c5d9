import { plainReferencesMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { overriding } from './overriding.js';

/**
 * Maps in the requests that are about resources, functions and components. Settings always keep their references
 * [PROV-14].
 */
const MAPS = {
  check: ['olds', 'news'],
  diff: ['oldInputs', 'oldOutputs', 'news'],
  create: ['inputs'],
  read: ['inputs', 'state'],
  update: ['oldInputs', 'oldOutputs', 'news'],
  delete: ['oldInputs', 'oldOutputs'],
  invoke: ['args'],
  construct: ['inputs'],
  call: ['args'],
} as const satisfies Partial<Record<keyof Provider, readonly string[]>>;

type Reduced = keyof typeof MAPS;

/** The provider as one that does not take references to resources: it gets ids and URNs [VAL-10]. */
export function withoutReferences(provider: Provider): Provider {
  const methods = Object.entries(MAPS).map(([name, fields]) => {
    const method = provider[name as Reduced].bind(provider) as (request: object) => Promise<unknown>;
    return [name, (request: object) => method(reduced(request, fields))];
  });
  return overriding(provider, Object.fromEntries(methods) as Partial<Provider>);
}

function reduced(request: object, fields: readonly string[]): object {
  const maps = fields.map((field) => {
    const map = (request as Readonly<Record<string, PropertyMap | undefined>>)[field];
    return [field, map && plainReferencesMap(map)];
  });
  return { ...request, ...Object.fromEntries(maps) };
}
