import { parseResource, resourceAddressText } from '../state-file/address.js';
import type { ModuleStep, ResourceAddress } from '../state-file/address.js';
import type { TerraformState } from '../state-file/model.js';

/** Returns the dependencies of an instance: addresses of instances of a state. */
type DependencyFinder = (own: ResourceAddress, dependencies: readonly string[]) => readonly string[];

/**
 * Finds instances by the addresses without keys that states record for dependencies. If both are in one module, the
 * result is the same instance of the module: other instances are only depended on from outside.
 */
export function dependencyFinder({ resources }: TerraformState): DependencyFinder {
  const byGroup = new Map<string, ResourceAddress[]>();
  for (const resource of resources) {
    const { module, mode, type, name, instances } = resource;
    for (const { key, deposed } of instances) {
      if (deposed !== '') continue;
      const group = groupOf(resource);
      byGroup.set(group, [...(byGroup.get(group) ?? []), { module, mode, type, name, key }]);
    }
  }
  return (own, dependencies) => {
    const all = dependencies.flatMap((text) => {
      const address = parseResource(text);
      return address === undefined ? [] : (byGroup.get(groupOf(address)) ?? []);
    });
    const self = resourceAddressText(own);
    const texts = all.filter(({ module }) => isSeen(own.module, module)).map(resourceAddressText);
    return [...new Set(texts)].filter((text) => text !== self);
  };
}

/** Returns the address of the configuration that instances share. */
export function groupOf({ module, mode, type, name }: Omit<ResourceAddress, 'key'>): string {
  const bare = module.map((step) => ({ name: step.name, key: undefined }));
  return resourceAddressText({ module: bare, mode, type, name, key: undefined });
}

/** Tells whether the modules that two paths share by name are the same instances. */
function isSeen(from: readonly ModuleStep[], to: readonly ModuleStep[]): boolean {
  for (const [at, step] of from.entries()) {
    if (to[at]?.name !== step.name) return true;
    if (to[at].key !== step.key) return false;
  }
  return true;
}
