import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { PeerAddresses, PluginHostOptions, PluginLimits } from '../options.js';
import { pluginName } from '../plugin-spec.js';
import type { PluginSpec } from '../plugin-spec.js';
import type { PluginOutput } from './plugin-output.js';

/** Context of a launch. */
export interface LaunchContext {
  readonly options: PluginHostOptions;
  readonly limits: PluginLimits;
  readonly spec: PluginSpec;
  readonly addresses: PeerAddresses;
  readonly output: PluginOutput;
  /** Aborted when the host closes: a plugin that is starting is given up. */
  readonly signal: AbortSignal;
  /** Returns true if the process is not given time to end by itself. */
  readonly abrupt: () => boolean;
}

/** Returns the error about a plugin that does not start, with its last output. */
export function startError(context: LaunchContext, why: string, cause?: unknown, hint?: string): CairnError {
  const name = pluginName(context.spec);
  return cairnError(
    'CAIRN-PLUGIN-START',
    `cannot start the provider plugin ${name}`,
    {
      urn: context.spec.neededBy,
      causes: [...why.split('\n'), ...context.output.lastLines(20)],
      hint: hint ?? `check the installation of ${name}; its output above says more`,
    },
    cause,
  );
}
