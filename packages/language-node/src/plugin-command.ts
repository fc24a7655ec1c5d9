import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { RunPluginRequest } from '@cairn/wire';

/** How node runs a plugin (pulumirpc-semantics.md C7). */
export interface PluginCommand {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Arguments and working directory for a plugin written in JavaScript or TypeScript on `@pulumi/pulumi`. */
export function pluginCommand(request: RunPluginRequest): PluginCommand {
  const { pluginDirectory, args, workingDirectory } = request;
  if (request.kind === 'analyzer') {
    const runner = runnerOf(request, '@pulumi/pulumi/cmd/run-policy-pack');
    return { args: [runner, ...args, pluginDirectory], cwd: pluginDirectory };
  }
  return {
    args: [runnerOf(request, '@pulumi/pulumi/cmd/run-plugin'), pluginDirectory, ...args],
    cwd: workingDirectory,
  };
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
