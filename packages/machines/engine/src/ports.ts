import type { Urn } from '@cairn/addresses';
import type { ChangeStore, Claim } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { JournalEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type {
  Analyzer,
  AnalyzerStack,
  EngineService,
  Monitor,
  ProgramEnding,
  Provider,
  ResourceStatus,
  RunResult,
  PluginSpec,
} from '@cairn/wire';
import type { CallWatch } from '@cairn/wire/caller';
import type { EngineEvent } from './model/events.js';
import type { PolicyPackSpec } from './model/policy.js';

/** Everything the engine needs from outside. Nothing else in this package reads a clock, a random number or a file. */
export interface EnginePorts {
  readonly providers: ProviderLoader;
  /** Store of the change's records, durable when `append` resolves. Previews get a store that keeps nothing. */
  readonly store: ChangeStore;
  /** Seals secrets and returns the JSON value that the store keeps with an intent or an outcome [JRN-1]. */
  readonly encodeEntry: (entry: JournalEntry) => unknown;
  readonly clock: EngineClock;
  /** Milliseconds that providers get to answer a cancel before their steps are in doubt. Defaults to 5000. */
  readonly cancelGraceMs?: number | undefined;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Uint8Array;
  /**
   * Counts calls of providers over all operations that share it. Defaults to one shared by all operations of this
   * process.
   */
  readonly limits?: CallLimits | undefined;
  /** Loads policy packs. If undefined, an operation that requests a pack fails. */
  readonly analyzers?: AnalyzerLoader | undefined;
  /** The program; `undefined` for operations that do not run it. */
  readonly program: Program | undefined;
  /** Returns the outputs of another stack, for stack references. Throws a CairnError if the stack does not exist. */
  readonly stackOutputs: (name: string) => Promise<StackOutputs>;
  /**
   * Returns the outputs of every resource of another stack, for programs that inspect them. If undefined, such requests
   * are refused. Throws as above.
   */
  readonly stackResources?: ((name: string) => Promise<ReadonlyMap<Urn, PropertyMap>>) | undefined;
  /**
   * Claims the objects that a step is about to touch, where others may work on the stack at the same time. Resolves
   * with the conflict if another operation holds one of them; the step then fails. If undefined, the operation holds
   * the whole stack.
   */
  readonly claim?: ((claims: readonly Claim[]) => Promise<Diagnostic | undefined>) | undefined;
  /**
   * Called once, before the first provider is loaded, with the addresses of monitor and engine service: plugins need
   * them.
   */
  readonly onServing?: (addresses: ServedAddresses) => void;
  /** Receives the calls of programs and plugins to the engine, and those to functions of programs. Optional. */
  readonly calls?: CallWatch | undefined;
  /**
   * Endpoint that answers plugins that may serve more passes than this one. Defaults to the operation's own address.
   */
  readonly endpoint?: EngineEndpoint | undefined;
  /**
   * True if the user requested a debugger: programs and plugins may report that they wait for one. Defaults to false.
   */
  readonly debugged?: boolean | undefined;
  /** Receives every event, in order. Must not throw and must return quickly. */
  readonly emit: (event: EngineEvent) => void;
}

/** Clock of the engine. */
export interface EngineClock {
  now(): Date;
  /** Returns the milliseconds since any fixed start; never decreases. */
  monotonicMs(): number;
  /**
   * Calls `run` once, not before `ms` milliseconds from now. Returns a function that cancels the call. Defaults to a
   * timer of the process.
   */
  after?(ms: number, run: () => void): () => void;
}

/** Finds and starts a plugin. Each call returns one unconfigured instance. */
export interface ProviderLoader {
  load(spec: PluginSpec): Promise<Provider>;
}

/** The user's program, ready to run against a monitor. */
export interface Program {
  /**
   * True if the program is a function in this process. It receives the services themselves, and nothing listens for it.
   */
  readonly inProcess?: boolean | undefined;
  /**
   * Checks the program before anything is done. Returns the failure that it would have, or `undefined` if the check
   * finds none. Ends early if the program is cancelled. Optional: without it there is no check.
   */
  check?(): Promise<RunResult | undefined>;
  /** Returns the promise of the program's runner about its end. Optional: without it the runner makes none. */
  ending?(): ProgramEnding | undefined;
  /** Runs the program. Resolves when its process has ended. */
  run(addresses: ProgramAddresses): Promise<RunResult>;
  /** Asks it to end, and kills it if it does not. */
  cancel(): Promise<void>;
}

/** Addresses of the services: `unix:<path>` or `host:port`; empty for services that are not served. */
export interface ServiceAddresses {
  readonly monitor: string;
  readonly engine: string;
  /** Schemas of packages, and mappings from another ecosystem. */
  readonly loader: string;
  readonly mapper: string;
  /** Plugins that packages come from. */
  readonly resolver: string;
}

/**
 * Addresses of the services (docs/security.md). The object itself has those on a socket file of our user, or
 * `host:port` on Windows.
 */
export interface ServedAddresses extends ServiceAddresses {
  /** Addresses for any peer that is running: those on the port if a peer has received that. */
  readonly shared: () => ServiceAddresses;
  /** Addresses as `host:port`, for a peer that may not support socket files. */
  readonly onPort: () => ServiceAddresses;
}

/** Addresses of the engine for a program; empty for a program in this process. */
export interface ProgramAddresses extends ServedAddresses {
  readonly dryRun: boolean;
  /** The services themselves, for programs in this process. */
  readonly services: { readonly monitor: Monitor; readonly engine: EngineService };
}

/** Parts that answer plugins in one pass of an operation. */
export interface AnsweringPass extends Pick<EnginePorts, 'emit' | 'calls' | 'debugged' | 'providers'> {
  readonly status: ResourceStatus;
}

/**
 * Address of the engine for plugins as long as an operation lives. All of its passes share it, so that a plugin may
 * serve more than one of them. The running pass answers. Between two passes messages are kept for the next one, and
 * everything else is refused. Monitors are not served here: every pass has its own, which ends with it.
 */
export interface EngineEndpoint {
  /** Lets this pass answer until `leave` is called. Starts to listen if the endpoint does not yet. */
  answer(pass: AnsweringPass): Promise<{ readonly addresses: ServedAddresses; readonly leave: () => void }>;
  /** Stops listening. Never throws. */
  close(): Promise<void>;
}

/** Outputs of a stack as a stack reference receives them. */
export interface StackOutputs {
  readonly outputs: PropertyMap;
  readonly secretNames: readonly string[];
}

/** Finds a policy pack, downloads and installs the missing parts, starts it and greets it. */
export interface AnalyzerLoader {
  load(pack: PolicyPackSpec, stack: AnalyzerStack): Promise<Analyzer>;
}

/** A resource that a call takes while it is under way. There are `most` of this name. */
export interface Need {
  readonly name: string;
  readonly most: number;
}

/**
 * Counts the calls with an effect that are under way, over all operations that share it. Only `take` and `giveBack`
 * change the counts. A caller that finds a name full is notified once when it is free again.
 */
export interface CallLimits {
  /** Returns the name of the first need that cannot be met now, or `undefined` if all can. */
  full(needs: readonly Need[]): string | undefined;
  /** Returns the number taken of this name. */
  taken(name: string): number;
  /** Takes all of the needs. */
  take(needs: readonly Need[]): void;
  /** Gives back the needs and notifies the callers that wait for them. */
  giveBack(needs: readonly Need[]): void;
  /** Calls `tell` once when something of this name is given back. Further calls until then change nothing. */
  whenFree(name: string, tell: (name: string) => void): void;
  /** Removes `tell` from all waiting lists. */
  forget(tell: (name: string) => void): void;
}
