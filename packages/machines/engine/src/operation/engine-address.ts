import type { ResourceStatus } from '@cairn/wire';
import { engineAddresses, serveEngine } from '../monitor/serve-engine.js';
import type { EnginePorts, ServedAddresses } from '../ports.js';

/**
 * Makes the engine service listen before a provider is loaded, because plugins dial it. A program's server serves it
 * anyway; an operation without a program gets a server at its first load. If the operation has one address for all its
 * passes, plugins get that.
 */
export class EngineAddress {
  #told: Promise<void> | undefined;
  #close: (() => Promise<void> | void) | undefined;

  #addresses: ServedAddresses | undefined;
  readonly #ports: EnginePorts;
  readonly #status: ResourceStatus;
  readonly #emit: EnginePorts['emit'];

  /** `emit`: receives messages of plugins if the operation has an address of its own. */
  constructor(ports: EnginePorts, status: ResourceStatus, emit: EnginePorts['emit']) {
    this.#ports = ports;
    this.#status = status;
    this.#emit = emit;
  }

  /** Returns the address of the engine service for any running provider; empty while nothing listens. */
  shared(): string {
    return this.#addresses?.shared().engine ?? '';
  }

  wrap(ports: EnginePorts): EnginePorts {
    const { program, providers, analyzers } = ports;
    return {
      ...ports,
      program: program && {
        ...program,
        cancel: () => program.cancel(),
        run: (addresses) => {
          if (this.#ports.endpoint === undefined) this.#tell(addresses);
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
    await this.#told?.catch(() => undefined);
    await this.#close?.();
  }

  #tell(addresses: ServedAddresses): void {
    this.#told ??= Promise.resolve();
    this.#addresses = addresses;
    this.#ports.onServing?.(addresses);
  }

  async #serve(): Promise<void> {
    const ports = this.#ports;
    const status = this.#status;
    const emit = this.#emit;
    const { endpoint, onServing } = ports;
    if (onServing === undefined) return;
    if (endpoint !== undefined) {
      const { calls, debugged, providers } = ports;
      const { addresses, leave } = await endpoint.answer({ emit, calls, debugged, providers, status });
      this.#close = leave;
      return this.#tell(addresses);
    }
    const served = await serveEngine(ports, status);
    this.#close = () => served.close();
    this.#tell(engineAddresses(served));
  }
}
