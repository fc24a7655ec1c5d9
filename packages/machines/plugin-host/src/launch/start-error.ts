import type { Urn } from '@cairn/addresses';
import { DESCRIPTORS_HINT, cairnError, saysOutOfDescriptors } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { PluginSpec } from '@cairn/wire';
import type { PeerAddresses, PluginHostOptions, PluginLimits } from '../options.js';
import { pluginName } from '../plugin-spec.js';
import type { PluginOutput } from './plugin-output.js';

/** Context of a launch. */
export interface LaunchContext {
  readonly options: PluginHostOptions;
  readonly limits: PluginLimits;
  readonly spec: PluginSpec;
  readonly addresses: PeerAddresses;
  readonly output: PluginOutput;
  /** Aborted when the host closes: a plugin that is starting is abandoned. */
  readonly signal: AbortSignal;
  /** Returns true if the process gets no time to end on its own. */
  readonly abrupt: () => boolean;
}

/** Returns the error about a provider plugin that does not start, with its last output. */
export function startError(context: LaunchContext, why: string, cause?: unknown, hint?: string): CairnError {
  const { spec, output } = context;
  const what = `provider plugin ${pluginName(spec)}`;
  return notStarted(
    what,
    { why, output, urn: spec.neededBy, hint: hint ?? installationHint(pluginName(spec)) },
    cause,
  );
}

/** Returns the error about a plugin that does not start. A plugin without open files left says so in its output. */
export function notStarted(
  what: string,
  {
    why,
    output,
    urn,
    hint,
  }: {
    readonly why: string;
    readonly output: PluginOutput;
    readonly urn?: Urn | undefined;
    readonly hint: string;
  },
  cause: unknown,
): CairnError {
  const lines = output.lastLines(20);
  const isOut = saysOutOfDescriptors(lines.join('\n'));
  return cairnError(
    isOut ? 'CAIRN-DESCRIPTORS' : 'CAIRN-PLUGIN-START',
    `cannot start the ${what}`,
    { urn, causes: [...why.split('\n'), ...lines], hint: isOut ? DESCRIPTORS_HINT : hint },
    cause,
  );
}

/** Returns the hint for a plugin whose output is all that is known about its failure. */
export const installationHint = (name: string): string =>
  `Check the installation of ${name}; its output above says more.`;
