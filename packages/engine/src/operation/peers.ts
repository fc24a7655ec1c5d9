import type { Urn } from '@cairn/addresses';
import type { CairnError } from '@cairn/diagnostics';
import type { Extension, ResourceEntry } from '@cairn/state';
import type { ProgramCallbacks, ResourceStatus, RunResult, SchemaLoader } from '@cairn/wire';
import { HookRegistry } from '../execute/hooks/registry.js';
import type { EngineEvent } from '../model/events.js';
import type { PostRegistration } from '../model/registration.js';
import type { OperationRequest } from '../model/request.js';
import type { RegistrationIntake } from '../monitor/intake.js';
import { programRun } from '../monitor/program-run.js';
import { createSchemas } from '../monitor/schemas.js';
import { serveEngine } from '../monitor/serve-engine.js';
import type { ServedPeers } from '../monitor/serve-peers.js';
import type { AnalyzerLoader, Ports, ServedAddresses, ServiceAddresses } from '../ports.js';
import type { ProviderSource } from '../providers/provider-source.js';
import { createProviderSource } from '../providers/registry.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';

/** The two peers of the core, made for one operation. */
export interface Peers {
  /** Providers known from the entries the run starts from. */
  readonly providers: ProviderSource;
  /**
   * Providers known from other entries, apart from those of the run: instances of their own. Absent: those of the run.
   */
  providersOf?(entries: readonly ResourceEntry[]): ProviderSource;
  /** Loads policy packs, once they can reach the engine. Absent: the one of the ports as it is. */
  readonly analyzers?: AnalyzerLoader | undefined;
  /** Where providers in other processes publish what became of views; empty when nothing is served. Absent: empty. */
  readonly statusAddress?: (() => string) | undefined;
  /** Hooks that the program has registered. Absent: it cannot register any. */
  readonly hooks?: HookRegistry | undefined;
  /**
   * Runs the program, which registers through `post`. Resolves when it has ended, or has said that it will register
   * nothing more.
   */
  runProgram(post: PostRegistration, sources?: SnippetSources): Promise<RunResult>;
  /** Schemas of packages. Absent: nothing is checked against them. */
  readonly schemas?: SchemaLoader | undefined;
  /** Asks the program to end. */
  cancelProgram(): void;
  /** Everything is done: a program that waits for the end may go. Resolves with how it ended. */
  finished(): Promise<RunResult>;
  /** Lets go of everything. Never throws. */
  close(): Promise<void>;
}

/** What the core offers its peers. */
export interface PeerServices {
  /** Entries the run starts from, refreshes taken into account. */
  readonly entries: readonly ResourceEntry[];
  /** Holds registrations back while more of them are under way than there are places for. */
  readonly intake?: RegistrationIntake | undefined;
  /** What peers have to say goes through the report, like everything else. */
  readonly emit: (event: EngineEvent) => void;
  /** Work for the program that is no step: while it goes on, the operation does not rest. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Something other than a registration has failed the operation. */
  readonly abort: (error: Error) => void;
  /**
   * A request of the program was refused, which fails the operation; the program was told why, and goes on to its end.
   */
  readonly refused: (error: CairnError) => void;
  /** Entry of a resource as this run knows it; undefined before it is registered or read. */
  readonly entry: (urn: Urn) => ResourceEntry | undefined;
  /** How functions of the program are called. */
  readonly callbacks: ProgramCallbacks;
  /** Takes what providers publish about views. */
  readonly status: ResourceStatus;
  /** Stores an extension that entries of this run refer to. */
  readonly extension: (ref: string, extension: Extension) => void;
}

/** Makes the peers, without starting anything. Called once. */
export type ConnectPeers = (services: PeerServices) => Peers;

/** The real peers: providers through the loader, and the program, if any, behind a monitor of its own. */
export function realPeers(request: OperationRequest, given: Ports): ConnectPeers {
  return (core) => {
    const address = new EngineAddress(given, core.status);
    const ports = { ...address.wrap(given), emit: core.emit };
    const providersOf = (resources: readonly ResourceEntry[]) =>
      createProviderSource({
        request: { ...request, base: { ...request.base, resources } },
        ports,
        entry: core.entry,
        onExtension: core.extension,
      });
    const providers = providersOf(core.entries);
    const others: ProviderSource[] = [];
    const hooks = new HookRegistry();
    const run = programRun({
      request,
      ports,
      providers,
      hooks,
      callbacks: core.callbacks,
      during: core.during,
      refused: core.refused,
      intake: core.intake,
      status: core.status,
    });
    return {
      providers,
      providersOf: (entries) => {
        const source = providersOf(entries);
        others.push(source);
        return source;
      },
      analyzers: ports.analyzers,
      hooks,
      schemas: createSchemas(ports.providers),
      statusAddress: () => address.shared(),
      runProgram: (post, sources) => run.run(post, sources),
      cancelProgram: () => run.cancel(),
      finished: () => run.finished(),
      close: async () => {
        await run.close();
        await providers.close();
        for (const each of others) await each.close();
        await address.close();
        core.callbacks.close();
      },
    };
  };
}

/**
 * Sees to it that the engine service listens before a provider is loaded, because plugins dial it: a program's server
 * serves it anyway, an operation without a program gets one at its first load.
 */
class EngineAddress {
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
