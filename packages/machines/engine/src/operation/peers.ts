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
import type { ProgramRun } from '../monitor/program-run.js';
import { createSchemas } from '../monitor/schemas.js';
import type { AnalyzerLoader, Ports } from '../ports.js';
import type { ProviderSource } from '../providers/provider-source.js';
import { createProviderSource } from '../providers/registry.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import { EngineAddress } from './engine-address.js';

/** What the core offers its peers. */
export interface PeerServices {
  /** Entries the run starts from, refreshes taken into account. */
  readonly entries: readonly ResourceEntry[];
  /** The entries as they were before the operation, or before the changes that it rolls back. */
  readonly before: readonly ResourceEntry[];
  /** Holds registrations back while more of them are under way than there are places for. */
  readonly intake: RegistrationIntake;
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

/**
 * The peers of one operation: providers through the loader, and the program, if any, behind a monitor of its own.
 * Nothing is started before it is asked for.
 */
export class Peers {
  /** Providers known from the entries the run starts from. */
  readonly providers: ProviderSource;
  /** Hooks that the program has registered. */
  readonly hooks = new HookRegistry();
  /** Schemas of packages. */
  readonly schemas: SchemaLoader;
  /** Loads policy packs, once they can reach the engine. Undefined: none can be run here. */
  readonly analyzers: AnalyzerLoader | undefined;
  readonly #address: EngineAddress;
  readonly #program: ProgramRun;
  readonly #providersOf: (entries: readonly ResourceEntry[]) => ProviderSource;
  #before: ProviderSource | undefined;

  constructor(
    request: OperationRequest,
    given: Ports,
    private readonly services: PeerServices,
  ) {
    const { entries, callbacks, during, refused, intake, status } = services;
    this.#address = new EngineAddress(given, status, services.emit);
    const ports = { ...this.#address.wrap(given), emit: services.emit };
    this.#providersOf = (resources) =>
      createProviderSource({
        request: { ...request, base: { ...request.base, resources } },
        ports,
        entry: services.entry,
        onExtension: services.extension,
      });
    const providers = this.#providersOf(entries);
    const { hooks } = this;
    this.providers = providers;
    this.schemas = createSchemas(ports.providers);
    this.analyzers = ports.analyzers;
    this.#program = programRun({
      request,
      ports,
      providers,
      hooks,
      callbacks,
      during,
      refused,
      intake,
      status,
    });
  }

  /** Providers with the settings that they had before: instances of their own, made when they are asked for first. */
  providersBefore(): ProviderSource {
    return (this.#before ??= this.#providersOf(this.services.before));
  }

  /** The provider that manages the object of an entry. Throws a CairnError. */
  providerOf: ProviderSource['forResource'] = (entry) => this.providers.forResource(entry);

  /** Asks the providers to end what they do. Never throws. */
  cancelProviders(): void {
    for (const source of [this.providers, this.#before]) source?.cancel().catch(() => undefined);
  }

  /** Where providers in other processes publish what became of views; empty while nothing is served. */
  statusAddress(): string {
    return this.#address.shared();
  }

  /** How the program would fail, as far as that can be told before it runs. */
  checkProgram(): Promise<RunResult | undefined> {
    return this.#program.check();
  }

  /**
   * Runs the program, which registers through `post`. Resolves when it has ended, or has said that it will register
   * nothing more.
   */
  runProgram(post: PostRegistration, sources?: SnippetSources): Promise<RunResult> {
    return this.#program.run(post, sources);
  }

  /** Asks the program to end. */
  cancelProgram(): void {
    this.#program.cancel();
  }

  /** Whether the program may fail although it has said that it registers nothing more, and no hook of it is called. */
  get mayFailLate(): boolean {
    return this.#program.failsLate && this.hooks.isEmpty;
  }

  /** Everything is done: a program that waits for the end may go. Resolves with how it ended. */
  finished(): Promise<RunResult> {
    return this.#program.finished();
  }

  /** Lets go of everything. Never throws. */
  async close(): Promise<void> {
    await this.#program.close();
    await this.providers.close();
    await this.#before?.close();
    await this.#address.close();
    this.services.callbacks.close();
  }
}
