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
import type { AnalyzerLoader, EnginePorts } from '../ports.js';
import type { ProviderSource } from '../providers/provider-source.js';
import { createProviderSource } from '../providers/registry.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import { EngineAddress } from './engine-address.js';

/** Services that the core offers its peers. */
export interface PeerServices {
  /** Entries the run starts from, refreshes taken into account. */
  readonly entries: readonly ResourceEntry[];
  /** Entries before the operation, or before the changes that it rolls back. */
  readonly before: readonly ResourceEntry[];
  /** Holds registrations back while more of them are under way than there are slots. */
  readonly intake: RegistrationIntake;
  /** Receives the messages of peers; they pass through the report, like everything else. */
  readonly emit: (event: EngineEvent) => void;
  /** Runs work for the program that is not a step. During this work the operation is not at rest. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reports that something other than a registration has failed the operation. */
  readonly abort: (error: Error) => void;
  /**
   * Reports a refused request of the program, which fails the operation. The program received the reason and continues
   * to its end.
   */
  readonly refused: (error: CairnError) => void;
  /** Returns the entry of a resource in this run, or `undefined` before it is registered or read. */
  readonly entry: (urn: Urn) => ResourceEntry | undefined;
  /** Calls functions of the program. */
  readonly callbacks: ProgramCallbacks;
  /** Receives the messages of providers about views. */
  readonly status: ResourceStatus;
  /** Stores an extension that entries of this run refer to. */
  readonly extension: (ref: string, extension: Extension) => void;
}

/**
 * Peers of one operation: providers through the loader, and the program, if any, behind a monitor of its own. Nothing
 * starts before it is needed.
 */
export class Peers {
  /** Providers known from the entries the run starts from. */
  readonly providers: ProviderSource;
  /** Hooks that the program has registered. */
  readonly hooks = new HookRegistry();
  /** Schemas of packages. */
  readonly schemas: SchemaLoader;
  /** Loads policy packs, once they can reach the engine. Undefined if none can be run here. */
  readonly analyzers: AnalyzerLoader | undefined;
  readonly #address: EngineAddress;
  readonly #program: ProgramRun;
  readonly #providersOf: (entries: readonly ResourceEntry[]) => ProviderSource;
  #before: ProviderSource | undefined;
  readonly #services: PeerServices;

  constructor(request: OperationRequest, given: EnginePorts, services: PeerServices) {
    this.#services = services;
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

  /** Returns providers with their previous settings: separate instances, made on first use. */
  providersBefore(): ProviderSource {
    return (this.#before ??= this.#providersOf(this.#services.before));
  }

  /** Returns the provider that manages the object of an entry. Throws a CairnError. */
  providerOf: ProviderSource['forResource'] = (entry) => this.providers.forResource(entry);

  /** Asks the providers to end their running calls. Never throws. */
  cancelProviders(): void {
    for (const source of [this.providers, this.#before]) source?.cancel().catch(() => undefined);
  }

  /** Returns the address where providers in other processes publish results of views; empty while nothing is served. */
  statusAddress(): string {
    return this.#address.shared();
  }

  /** Returns the failure that the program would have, if it is known before it runs. */
  checkProgram(): Promise<RunResult | undefined> {
    return this.#program.check();
  }

  /**
   * Runs the program, which registers through `post`. Resolves when it has ended, or has signalled that it registers
   * nothing more.
   */
  runProgram(post: PostRegistration, sources?: SnippetSources): Promise<RunResult> {
    return this.#program.run(post, sources);
  }

  /** Asks the program to end. */
  cancelProgram(): void {
    this.#program.cancel();
  }

  /**
   * True if the program may fail after it has signalled that it registers nothing more, and none of its hooks is
   * called.
   */
  get mayFailLate(): boolean {
    return this.#program.failsLate && this.hooks.isEmpty;
  }

  /** Lets a program that waits for the end exit, because everything is done. Resolves with its result. */
  finished(): Promise<RunResult> {
    return this.#program.finished();
  }

  /** Closes everything. Never throws. */
  async close(): Promise<void> {
    await this.#program.close();
    await this.providers.close();
    await this.#before?.close();
    await this.#address.close();
    this.#services.callbacks.close();
  }
}
