import type { PluginSettings } from '../settings.js';
import type { LocatedPlugin } from './plugin-location.js';
import type { ProviderPackage } from './provider-packages.js';

/** Decides how a provider package runs. A package is used whatever its version: the program was installed with it. */
type PackageLocator = (found: ProviderPackage, version: string | undefined) => Promise<LocatedPlugin>;

/** Makes the locator. */
export function packageLocator(
  packageRoots: readonly string[],
  { outOfProcess, marksDirectory }: Pick<PluginSettings, 'outOfProcess' | 'marksDirectory'>,
): PackageLocator {
  return async (found, version) => {
    const { npmName } = found;
    const warning =
      version === undefined || version === found.version
        ? undefined
        : `version ${version} was requested, ${npmName} ${found.version} is installed and used`;
    if (found.module === undefined) return { location: { kind: 'script', path: found.executable }, warning };
    const { module } = found;
    const loaded: LocatedPlugin = {
      location: { kind: 'in-process', module, npmName, version: found.version },
      warning,
    };
    if (!outOfProcess && isOwnPackage(npmName)) return loaded;
    const { apart } = await import('../in-process/apart.js');
    return apart(loaded, found, { packageRoots, always: outOfProcess, marksDirectory });
  };
}

/**
 * Returns true for packages of Cairn's own scope. They contain nothing that could end the process by a signal.
 * Providers of Terraform run in processes of their own below `@cairn/tf-bridge`.
 */
export const isOwnPackage = (npmName: string): boolean => npmName.startsWith('@cairn/');
