import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { RunPluginRequest } from '@cairn/wire';
import { findEntryPoint } from './entry-point.js';
import { dependencyNames, nearestManifest } from './package-manifest.js';
import type { NodeCommand } from './program-command.js';
import type { SdkName } from './program-sdk.js';

/** Command with which node runs a plugin [PLUG-10]. */
interface PluginCommand extends NodeCommand {
  readonly cwd: string;
}

/**
 * Returns command and working directory for a plugin written in JavaScript or TypeScript. `loader` loads our loader
 * before a provider, and before a policy pack on our SDK, by the path of its runner. Other policy packs are loaded by
 * their SDK, with their own tsconfig.
 */
export function pluginCommand(
  request: RunPluginRequest,
  loader: (runner: string, sdk: SdkName) => NodeCommand,
): PluginCommand {
  const { pluginDirectory, args, workingDirectory } = request;
  if (request.kind === 'analyzer') {
    const own = ownPackRunner(pluginDirectory);
    if (own !== undefined) {
      const start = loader(own, '@cairn/sdk');
      return {
        args: ['--enable-source-maps', ...start.args, own, ...args, pluginDirectory],
        env: start.env,
        cwd: pluginDirectory,
      };
    }
    const runner = runnerOf(request, '@pulumi/pulumi/cmd/run-policy-pack');
    return { args: [runner, ...args, pluginDirectory], env: {}, cwd: pluginDirectory };
  }
  const own = ownProviderModule(pluginDirectory);
  if (own !== undefined) {
    const start = loader(own, '@cairn/sdk');
    return {
      args: ['--enable-source-maps', ...start.args, own, ...args],
      env: start.env,
      cwd: workingDirectory,
    };
  }
  const runner = runnerOf(request, '@pulumi/pulumi/cmd/run-plugin');
  const start = loader(runner, '@pulumi/pulumi');
  return { args: [...start.args, runner, pluginDirectory, ...args], env: start.env, cwd: workingDirectory };
}

/**
 * Returns the runner of a policy pack that is written with our SDK: its package.json names that SDK, and not the
 * other's.
 */
function ownPackRunner(directory: string): string | undefined {
  const named = dependencyNames(nearestManifest(directory));
  if (!named.includes('@cairn/sdk') || named.includes('@pulumi/policy')) return undefined;
  return createRequire(join(directory, 'noop.js')).resolve('@cairn/sdk/run-policy-pack');
}

/**
 * Returns the module of a provider that is written with our SDK for providers and serves itself: its command
 * `pulumi-resource-…`, else the entry of its package.json.
 */
function ownProviderModule(directory: string): string | undefined {
  const manifest = nearestManifest(directory);
  const named = dependencyNames(manifest);
  if (!named.includes('@cairn/provider-sdk') || named.includes('@pulumi/pulumi')) return undefined;
  const bin = manifest?.data['bin'];
  const commands = Object.entries(typeof bin === 'object' && bin !== null ? bin : {});
  const command = commands.find(([name]) => name.startsWith('pulumi-resource-'))?.[1] as unknown;
  if (typeof command === 'string') return join(manifest?.directory ?? directory, command);
  return findEntryPoint({
    rootDirectory: directory,
    programDirectory: directory,
    entryPoint: '.',
    options: {},
  }).path;
}

function runnerOf({ env, pluginDirectory }: RunPluginRequest, module: string): string {
  const override = env['PULUMI_LANGUAGE_NODEJS_RUN_PATH'];
  if (override !== undefined && override !== '') return override;
  try {
    return createRequire(join(pluginDirectory, 'noop.js')).resolve(module);
  } catch (cause) {
    return fail(
      'CAIRN-PLUGIN-START',
      `cannot run the plugin in ${pluginDirectory}: @pulumi/pulumi is not installed there`,
      { hint: `Run \`npm install\` in ${pluginDirectory}.` },
      cause,
    );
  }
}
