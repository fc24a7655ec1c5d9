import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { RunPluginRequest } from '@cairn/wire';
import type { NodeCommand } from './program-command.js';

/** How node runs a plugin [PLUG-10]. */
export interface PluginCommand extends NodeCommand {
  readonly cwd: string;
}

/**
 * Command and working directory for a plugin written in JavaScript or TypeScript on `@pulumi/pulumi`. `loader` puts our
 * loader in front of a provider, by the path of what runs it; a policy pack is loaded by its SDK, under its own
 * tsconfig.
 */
export function pluginCommand(
  request: RunPluginRequest,
  loader: (runner: string) => NodeCommand,
): PluginCommand {
  const { pluginDirectory, args, workingDirectory } = request;
  if (request.kind === 'analyzer') {
    const runner = runnerOf(request, '@pulumi/pulumi/cmd/run-policy-pack');
    return { args: [runner, ...args, pluginDirectory], env: {}, cwd: pluginDirectory };
  }
  const runner = runnerOf(request, '@pulumi/pulumi/cmd/run-plugin');
  const start = loader(runner);
  return { args: [...start.args, runner, pluginDirectory, ...args], env: start.env, cwd: workingDirectory };
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
      { hint: `run \`npm install\` in ${pluginDirectory}` },
      cause,
    );
  }
}
