import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LocatedPlugin, PluginLocation } from '../discovery/plugin-location.js';
import type { LoadedPackage, PackageIdentity } from '../discovery/provider-packages.js';
import { crashOf, findCrashes } from './crashes.js';
import type { Crash } from './crashes.js';

/** Rules that decide if a loadable package runs in a process of its own. */
interface ApartRules {
  /** Directories in which `@cairn/provider-sdk` is searched, before the package's own. */
  readonly packageRoots: readonly string[];
  /** True if every package does. */
  readonly always: boolean;
  /** Directory in which crashes of packages are noted. */
  readonly marksDirectory: string;
}

/** Returns the location of a loadable package. It runs in a process of its own if it has ended ours, or if all do. */
export function apart(
  loaded: LocatedPlugin,
  found: PackageIdentity & LoadedPackage,
  rules: ApartRules,
): LocatedPlugin {
  const crash = crashOf(findCrashes(rules.marksDirectory), found);
  if (!rules.always && crash === undefined) return loaded;
  const location = ownProcess(found, rules.packageRoots);
  const warnings = [loaded.warning, crash && distrust(crash, location !== undefined)];
  const said = warnings.filter((text) => text !== undefined).join('\n');
  return { location: location ?? loaded.location, warning: said === '' ? undefined : said };
}

function distrust({ call, file, atMs }: Crash, isApart: boolean): string {
  const what = `a command was ended by a signal during ${call} (${new Date(atMs).toISOString()})`;
  return isApart
    ? `it runs in its own process: ${what}. Another version of it is trusted again, and so is this one if you remove ${file}`
    : `${what}; it cannot run in its own process, because @cairn/provider-sdk is not installed next to it`;
}

/** Returns undefined if the package can only be loaded. */
function ownProcess(
  { module, executable }: LoadedPackage,
  packageRoots: readonly string[],
): PluginLocation | undefined {
  if (executable !== undefined) return { kind: 'script', path: executable };
  const server = [...packageRoots.map((root) => join(root, 'package.json')), module]
    .map(serverBeside)
    .find((found) => found !== undefined);
  return server === undefined ? undefined : { kind: 'served-module', module, server };
}

function serverBeside(file: string): string | undefined {
  try {
    return createRequire(file).resolve('@cairn/provider-sdk/served-module');
  } catch {
    return undefined;
  }
}
