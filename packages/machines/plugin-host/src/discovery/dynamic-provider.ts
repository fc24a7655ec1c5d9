import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import type { PluginLocation } from './plugin-location.js';

/** Package of resources whose provider is part of the program itself [PROV-19]. */
export const PULUMI_DYNAMIC_PACKAGE = 'pulumi-nodejs';

/** The same for programs in Python. Its plugin comes with the plugin of that language. */
const PYTHON_PACKAGE = 'pulumi-python';

/** The same for programs on our SDK, whose provider entries have the code [PROV-19]. */
const STORED_PACKAGE = 'cairn-dynamic';

/** Returns true if the provider's output is that of functions of the program. */
export function isOfProgram(plugin: string): boolean {
  return [PULUMI_DYNAMIC_PACKAGE, PYTHON_PACKAGE, STORED_PACKAGE].includes(plugin);
}

/** Returns true if a plugin is installed with a language, and so is expected on the PATH. */
export function comesWithLanguage(plugin: string): boolean {
  return plugin === PYTHON_PACKAGE;
}

/** Returns the provider that comes with the program's own SDK. Fails when the program has none. */
export function locateDynamicProvider(programDirectory: string, neededBy: Urn | undefined): PluginLocation {
  try {
    const require = createRequire(join(programDirectory, 'noop.js'));
    return { kind: 'script', path: require.resolve('@pulumi/pulumi/cmd/dynamic-provider') };
  } catch (cause) {
    return fail(
      'CAIRN-PLUGIN-NOT-FOUND',
      `cannot run dynamic providers: @pulumi/pulumi is not installed in ${programDirectory}`,
      { urn: neededBy, hint: `Run \`npm install\` in ${programDirectory}.` },
      cause,
    );
  }
}
