import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { programRun } from '../monitor/program-run.js';
import { serveEngine } from '../monitor/serve-engine.js';
import type { ServedEngine } from '../monitor/serve-engine.js';
import type { Ports } from '../ports.js';
import { createProviderSource } from '../providers/registry.js';
import type { Neighbours } from './core.js';
import type { OperationRequest } from './request.js';

/** What the neighbours of one operation are made with. */
export interface NeighbourOptions {
  readonly request: OperationRequest;
  readonly ports: Ports;
  /** Entries the run starts from, refreshes taken into account. */
  readonly entries: readonly ResourceEntry[];
  /** Entry of a resource as this run knows it; undefined before it is registered or read. */
  readonly entry: (urn: Urn) => ResourceEntry | undefined;
}

/** The real neighbours: providers through the loader, and the program, if any, behind a monitor of its own. */
export function meetNeighbours(options: NeighbourOptions): Promise<Neighbours> {
  const { request, entries, entry } = options;
  const address = new EngineAddress(options.ports);
  const ports = address.wrap(options.ports);
  const providers = createProviderSource({
    request: { base: { ...request.base, resources: entries }, preview: request.preview },
    ports,
    entry,
  });
  const run = programRun({ request, ports, providers });
  return Promise.resolve({
    providers,
    runProgram: (post) => run.run(post),
    cancelProgram: () => run.cancel(),
    finished: () => run.finished(),
    close: async () => {
      await run.close();
      await providers.close();
      await address.close();
    },
  });
}

/**
 * Sees to it that the engine service listens before a provider is loaded, because plugins dial it: a program's server serves
 * it anyway, an operation without a program gets one at its first load.
 */
class EngineAddress {
  #told: Promise<void> | undefined;
  #served: ServedEngine | undefined;

  constructor(private readonly ports: Ports) {}

  wrap(ports: Ports): Ports {
    const { program, providers } = ports;
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
    };
  }

  async close(): Promise<void> {
    await this.#served?.close();
  }

  #tell(addresses: { readonly monitor: string; readonly engine: string }): void {
    this.#told ??= Promise.resolve();
    this.ports.onServing?.(addresses);
  }

  async #serve(): Promise<void> {
    if (this.ports.onServing === undefined) return;
    this.#served = await serveEngine(this.ports);
    this.ports.onServing({ monitor: '', engine: this.#served.address });
  }
}
