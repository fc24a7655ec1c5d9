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
  Provider,
  ResourceStatus,
  RunResult,
} from '@cairn/wire';
import type { CallWatch } from '@cairn/wire/caller';
import type { EngineEvent } from './model/events.js';
import type { PolicyPackSpec } from './model/policy.js';

/**
 * Everything the engine needs from outside. Nothing in this package reads a clock, a random number or a file otherwise.
 */
export interface Ports {
  readonly providers: ProviderLoader;
  /** Where the change's records go, durable when `append` resolves. Previews get a store that keeps nothing. */
  readonly store: ChangeStore;
  /** Seals secrets and gives the JSON value that the store keeps with an intent or an outcome [JRN-1]. */
  readonly encodeEntry: (entry: JournalEntry) => unknown;
  readonly clock: EngineClock;
  /** Milliseconds that providers get to answer a cancel before what they do is in doubt. Defaults to 5000. */
  readonly cancelGraceMs?: number | undefined;
  /** A fresh UUID. */
  readonly newId: () => string;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Counts calls of providers over all operations that share it. Absent: all operations of this process share one. */
  readonly limits?: CallLimits | undefined;
  /** Loads policy packs; absent: an operation that asks for one fails. */
  readonly analyzers?: AnalyzerLoader | undefined;
  /** The program; undefined for operations that do not run it. */
  readonly program: Program | undefined;
  /** Outputs of another stack, for stack references. Throws a CairnError when the stack does not exist. */
  readonly stackOutputs: (name: string) => Promise<StackOutputs>;
  /**
   * Outputs of every resource of another stack, for programs that look into them. Absent: they are refused. Throws as
   * above.
   */
  readonly stackResources?: ((name: string) => Promise<ReadonlyMap<Urn, PropertyMap>>) | undefined;
  /**
   * Claims what a step is about to touch, where others may work on the stack at the same time; resolves with the
   * conflict when somebody else holds it, and then the step fails. Absent: the operation holds the whole stack.
   */
  readonly claim?: ((claims: readonly Claim[]) => Promise<Diagnostic | undefined>) | undefined;
  /**
   * Told once, before the first provider is loaded, where monitor and engine service listen: plugins need the address.
   */
  readonly onServing?: (addresses: ServedAddresses) => void;
  /** Hears the calls of programs and plugins to the engine, and those to functions of programs. Absent: nobody does. */
  readonly calls?: CallWatch | undefined;
  /** Where plugins are answered when they may serve more passes than this one. Absent: the operation's own address. */
  readonly endpoint?: EngineEndpoint | undefined;
  /** Somebody has asked for a debugger: programs and plugins may say that they wait for one. Absent: nobody has. */
  readonly debugged?: boolean | undefined;
  /** Told everything that happens, in order. Must not throw and must return quickly. */
  readonly emit: (event: EngineEvent) => void;
}

/** Time as the engine sees it. */
export interface EngineClock {
  now(): Date;
  /** Milliseconds from any fixed start; never goes back. */
  monotonicMs(): number;
  /**
   * Calls `run` once, not before `ms` milliseconds from now; returns what calls it off. Absent: a timer of the process.
   */
  after?(ms: number, run: () => void): () => void;
}

/** Finds and starts a plugin and hands out one unconfigured instance per call. */
export interface ProviderLoader {
  load(spec: PluginSpec): Promise<Provider>;
}

/** Which plugin is wanted, and for whom. */
export interface PluginSpec {
  /** Package name, e.g. `aws`. */
  readonly package: string;
  /** Semantic version; undefined: the newest there is. */
  readonly version: string | undefined;
  readonly downloadUrl: string | undefined;
  /** `os-arch` to hex SHA-256. */
  readonly checksums: Readonly<Record<string, string>>;
  readonly parameterization:
    | {
        readonly name: string;
        readonly version: string;
        readonly value: Uint8Array;
        readonly basePlugin: string;
      }
    | undefined;
  /** Environment variables mapped by the provider resource. */
  readonly envVarMappings: Readonly<Record<string, string>>;
  /** The resource that needs it, for error messages. */
  readonly neededBy: Urn | undefined;
  /** It is only asked about the package, and closed then: no debugger is waited for. */
  readonly forQuestions?: boolean | undefined;
}

/** The user's program, ready to run against a monitor. */
export interface Program {
  /** The program is a function in this process: it is handed the services themselves, and nothing listens for it. */
  readonly inProcess?: boolean | undefined;
  /**
   * Looks at the program before anything is done: how it would fail, undefined when nothing speaks against it. Ends
   * early when the program is cancelled. Absent: nobody looks.
   */
  check?(): Promise<RunResult | undefined>;
  /**
   * Whether its runner looks for promises that are never resolved only when its process ends, after it has said that
   * it registers nothing more. Absent: no.
   */
  failsLate?(): boolean;
  /** Resolves when the program's process has ended. */
  run(addresses: ProgramAddresses): Promise<RunResult>;
  /** Asks it to end, kills it when it does not. */
  cancel(): Promise<void>;
}

/** Addresses of the services: `unix:<path>`, or `host:port`; empty where nothing is served. */
export interface ServiceAddresses {
  readonly monitor: string;
  readonly engine: string;
  /** Schemas of packages, and mappings from another ecosystem. */
  readonly loader: string;
  readonly mapper: string;
  /** Which plugins packages come from. */
  readonly resolver: string;
}

/** Where the services are found (docs/security.md): by itself on a socket file of our user, `host:port` on Windows. */
export interface ServedAddresses extends ServiceAddresses {
  /** For any peer that runs by now: the port when one of them was given that. */
  readonly shared: () => ServiceAddresses;
  /** `host:port`, for a peer that may know no socket files. */
  readonly onPort: () => ServiceAddresses;
}

/** Where a program finds its engine; empty addresses for a program in this process. */
export interface ProgramAddresses extends ServedAddresses {
  readonly dryRun: boolean;
  /** The services themselves, for programs in this process. */
  readonly services: { readonly monitor: Monitor; readonly engine: EngineService };
}

/** What plugins are answered with in one pass of an operation. */
export interface AnsweringPass extends Pick<Ports, 'emit' | 'calls' | 'debugged' | 'providers'> {
  readonly status: ResourceStatus;
}

/**
 * Where plugins find the engine for as long as an operation lives: one address for all of its passes, so that a plugin
 * may serve more than one of them. The pass that runs answers. Between two passes messages are kept for the next one,
 * and everything else is refused. Monitors are not served here: every pass has its own, which ends with it.
 */
export interface EngineEndpoint {
  /** This pass answers until `leave` is called. Listens when nothing does yet. */
  answer(pass: AnsweringPass): Promise<{ readonly addresses: ServedAddresses; readonly leave: () => void }>;
  /** Stops listening. Never throws. */
  close(): Promise<void>;
}

/** What a stack reference sees. */
export interface StackOutputs {
  readonly outputs: PropertyMap;
  readonly secretNames: readonly string[];
}

/** Finds a policy pack, downloads and installs what is missing, starts it and greets it. */
export interface AnalyzerLoader {
  load(pack: PolicyPackSpec, stack: AnalyzerStack): Promise<Analyzer>;
}

/** One thing that a call takes while it is under way: of what has this name there are `most`. */
export interface Need {
  readonly name: string;
  readonly most: number;
}

/**
 * Counts the calls with an effect that are under way, over all operations that share it. Taking and giving back are the
 * only changes; who finds something full is told once when that is no longer so.
 */
export interface CallLimits {
  /** The first of the needs that cannot be met now; undefined: all can. */
  full(needs: readonly Need[]): string | undefined;
  /** How much is taken of what has this name. */
  taken(name: string): number;
  /** Takes all of them. */
  take(needs: readonly Need[]): void;
  /** Gives back what was taken, and tells who waits for it. */
  giveBack(needs: readonly Need[]): void;
  /** Calls `tell` once, when something of this name is given back; asking again before that changes nothing. */
  whenFree(name: string, tell: (name: string) => void): void;
  /** Tells nobody any more of whom this is the way to tell. */
  forget(tell: (name: string) => void): void;
}
