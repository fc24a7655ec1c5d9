import type { ResourceStatus } from '@cairn/wire';
import { serveEngine } from '../monitor/serve-engine.js';
import type { ServedPeers } from '../monitor/serve-peers.js';
import type { Ports, ServedAddresses, ServiceAddresses } from '../ports.js';

/**
 * Sees to it that the engine service listens before a provider is loaded, because plugins dial it: a program's server
 * serves it anyway, an operation without a program gets one at its first load.
 */
export class EngineAddress {
  #told: Promise<void> | undefined;
  #served: ServedPeers | undefined;

  #addresses: ServedAddresses | undefined;

  constructor(
    private readonly ports: Ports,
    private readonly status: ResourceStatus,
  ) {}

  /** Address of the engine service for any provider that runs by now; empty while nothing listens. */
  shared(): string {
    return this.#addresses?.shared().engine ?? '';
  }

  wrap(ports: Ports): Ports {
    const { program, providers, analyzers } = ports;
    return {
      ...ports,
      program: program && {
        ...program,
        cancel: () => program.cancel(),
        run: (addresses) => {
          this.#tell(addresses);
          return program.run(addresses);
        },
      },
      providers: {
        load: async (spec) => {
          await (this.#told ??= this.#serve());
          return providers.load(spec);
        },
      },
      analyzers: analyzers && {
        load: async (pack, stack) => {
          await (this.#told ??= this.#serve());
          return analyzers.load(pack, stack);
        },
      },
    };
  }

  async close(): Promise<void> {
    await this.#served?.close();
  }

  #tell(addresses: ServedAddresses): void {
    this.#told ??= Promise.resolve();
    this.#addresses = addresses;
    this.ports.onServing?.(addresses);
  }

  async #serve(): Promise<void> {
    if (this.ports.onServing === undefined) return;
    const served = await serveEngine(this.ports, this.status);
    this.#served = served;
    this.#addresses = {
      ...withoutMonitor(served.address),
      shared: () => withoutMonitor(served.shared()),
      onPort: () => withoutMonitor(served.port()),
    };
    this.ports.onServing(this.#addresses);
  }
}

/** All services share an address. */
function withoutMonitor(address: string): ServiceAddresses {
  return { monitor: '', engine: address, loader: address, mapper: address, resolver: address };
}
