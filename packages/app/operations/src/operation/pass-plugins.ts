import { createEngineEndpoint } from '@cairn/engine';
import type {
  EngineEvent,
  EnginePorts,
  ProviderLoader,
  ServedAddresses,
  ServiceAddresses,
} from '@cairn/engine';
import { createPluginHost, createPluginPasses } from '@cairn/plugin-host';
import type { PluginHost, PluginHostOptions, PluginMessage } from '@cairn/plugin-host';
import { hostSettings } from '../languages/host-settings.js';
import { observed } from '../ports.js';
import type { Prepared } from './prepared.js';

/** Plugins of one pass. */
export interface PassPlugins extends ProviderLoader, Pick<PluginHost, 'loadPolicyPack'> {
  /** Ports about them for the engine. */
  readonly ports: Pick<EnginePorts, 'onServing' | 'endpoint'>;
  /** Ends the pass. Never throws. */
  end(): Promise<void>;
}

/** Plugins of one operation, for all of its passes. Only one pass runs at a time. */
export interface OperationPlugins {
  /**
   * Begins a pass. With `last` no pass follows, so nothing is kept. `emit` receives messages of the plugins while the
   * pass runs.
   */
  begin(emit: (event: EngineEvent) => void, last: boolean): PassPlugins;
}

/** Part of a prepared operation that its plugins need. */
export type PluginUser = Pick<Prepared, 'ports' | 'project' | 'program' | 'config' | 'mask'> &
  Partial<Pick<Prepared, 'digests'>>;

/** Returns the plugins of an operation that has only one pass. */
export function onePass(user: PluginUser): OperationPlugins {
  return {
    begin: (emit) => {
      let served: ServedAddresses | undefined;
      const host = createPluginHost(hostOptions(user, () => served, emit));
      return {
        load: (spec) => host.load(spec),
        loadPolicyPack: (path, stack) => host.loadPolicyPack(path, stack),
        ports: { onServing: (addresses) => (served = addresses) },
        end: () => host.close(),
      };
    },
  };
}

/**
 * Runs an operation of several passes: plugins of one pass may serve the next [PLUG-12]. In any case no plugin is left
 * when it ends.
 */
export async function withPlugins<T>(
  prepared: Prepared,
  run: (plugins: OperationPlugins) => Promise<T>,
): Promise<T> {
  const endpoint = createEngineEndpoint();
  let served: ServedAddresses | undefined;
  let emit: ((event: EngineEvent) => void) | undefined;
  const options = hostOptions(
    prepared,
    () => served,
    (event) => emit?.(event),
  );
  const passes = createPluginPasses(options, () => prepared.ports.now().getTime());
  try {
    return await run({
      begin: (told, last) => {
        emit = told;
        return {
          load: (spec) => passes.load(spec),
          loadPolicyPack: (path, stack) => passes.loadPolicyPack(path, stack),
          ports: { endpoint, onServing: (addresses) => (served = addresses) },
          end: async () => {
            await (last ? passes.close() : passes.endPass());
            emit = undefined;
          },
        };
      },
    });
  } finally {
    await passes.close();
    await endpoint.close();
  }
}

const NOWHERE: ServiceAddresses = { monitor: '', engine: '', loader: '', mapper: '', resolver: '' };

function hostOptions(
  { ports, project, program, config, mask, digests }: PluginUser,
  served: () => ServedAddresses | undefined,
  emit: (event: EngineEvent) => void,
): PluginHostOptions {
  return {
    rootDirectory: program.rootDirectory,
    programDirectory: program.programDirectory,
    ...hostSettings(ports, project),
    engineAddress: () => served()?.engine ?? '',
    schemaAddresses: () => served() ?? NOWHERE,
    portAddresses: () => served()?.onPort() ?? NOWHERE,
    config: Object.fromEntries(config.program.values),
    keptAnswers: digests && (() => digests.answers()),
    observed: observed(ports, mask.mask),
    onMessage: (message) => emit(messageEvent(message)),
  };
}

/** Returns the event of a message of a plugin, or of the program's host. */
export function messageEvent(message: PluginMessage): EngineEvent {
  const severity = message.severity === 'info-to-stderr' ? 'info' : message.severity;
  const summary =
    severity === 'warning' || severity === 'error'
      ? `plugin ${message.plugin}: ${message.text}`
      : message.text;
  return {
    t: 'diagnostic',
    diagnostic: { severity, code: 'CAIRN-PLUGIN-OUTPUT', summary, urn: message.urn },
    streamId: message.streamId,
    ephemeral: false,
  };
}
