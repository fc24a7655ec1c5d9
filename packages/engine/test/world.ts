import { blankGoal } from './blank.js';
import { nopCrypter } from '@cairn/crypters';
import {
  asProviderReference,
  isProviderType,
  makeProviderReference,
  makeUrn,
  providerType,
  rootStackUrn,
  tokenPackage,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { memoryStore } from '@cairn/changes';
import type { ChangeStore, MemoryStore } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import {
  Replayer,
  checkIntegrity,
  decodeSnapshot,
  emptyDeployment,
  encodeJournalEntry,
  encodeSnapshot,
  inTurn,
  newManifest,
  takeJournalEntry,
} from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { RunResult } from '@cairn/wire';
import type { EngineEvent } from '../src/model/events.js';
import { Operation } from '../src/operation/operation.js';
import type { OperationRequest } from '../src/model/request.js';
import type { OperationResult } from '../src/model/result.js';
import type { PostRegistration, ReadResult, RegisterResult } from '../src/model/registration.js';
import type { Goal, ReadGoal } from '../src/model/goal.js';
import type { Ports } from '../src/ports.js';
import { MockProviders } from './mock-providers.js';

const PROJECT = 'test';
const STACK = 'test';
/** What a program function registers with. Types default to `pkgA:m:typA`. */
export interface Program {
  register(name: string, inputs?: Inputs, options?: Options): Promise<RegisterResult>;
  component(name: string, options?: Options): Promise<RegisterResult>;
  provider(name: string, inputs?: Inputs, options?: Options): Promise<ProviderReference>;
  read(name: string, id: string, options?: Partial<ReadGoal>): Promise<ReadResult>;
  outputs(urn: Urn, outputs: Inputs): Promise<void>;
  stack(): Promise<Urn>;
  urn(name: string, type?: string, parent?: Urn): Urn;
}

export type Inputs = Readonly<Record<string, PropertyValue>>;
export type Options = Partial<Goal> & { readonly type?: string };
export type ProgramFunction = (program: Program) => Promise<void>;

/** What one operation came to. */
export interface Run {
  readonly result: OperationResult;
  readonly events: readonly EngineEvent[];
  /** `kind name` of every step that ended, in order; `!` in front of those that failed. */
  readonly steps: readonly string[];
  /** {@link steps} without those of providers and the root stack. */
  readonly ops: readonly string[];
  /** Error diagnostics, as `CODE summary`. */
  readonly errors: readonly string[];
  readonly snapshot: Snapshot;
  readonly store: MemoryStore;
}

export type RequestOptions = Partial<Omit<OperationRequest, 'scope' | 'policy'>> & {
  readonly scope?: Partial<OperationRequest['scope']>;
  readonly policy?: Partial<OperationRequest['policy']>;
  readonly onStart?: (core: Operation) => void;
  /** The store fails from this append on. */
  readonly failingAppend?: number;
};

/**
 * A stack in memory: operations are replayed from their journal, so that the state is what a later process would see.
 */
export class World {
  readonly providers = new MockProviders();
  snapshot: Snapshot = { resources: [], pendingOperations: [], secretsProvider: undefined };
  #ids = 0;
  #time = Date.UTC(2030, 0, 1);

  up(program: ProgramFunction, options: RequestOptions = {}): Promise<Run> {
    return this.run({ kind: 'up', ...options }, program);
  }

  preview(program: ProgramFunction, options: RequestOptions = {}): Promise<Run> {
    return this.run({ kind: 'up', preview: true, ...options }, program);
  }

  destroy(options: RequestOptions = {}): Promise<Run> {
    return this.run({ kind: 'destroy', ...options }, undefined);
  }

  refresh(options: RequestOptions = {}): Promise<Run> {
    return this.run({ kind: 'refresh', ...options }, undefined);
  }

  /** A destroy that runs the program. */
  destroyRun(program: ProgramFunction, options: RequestOptions = {}): Promise<Run> {
    return this.run({ kind: 'destroy', runProgram: true, ...options }, program);
  }

  /** A refresh that runs the program. */
  refreshRun(program: ProgramFunction, options: RequestOptions = {}): Promise<Run> {
    return this.run({ kind: 'refresh', runProgram: true, ...options }, program);
  }

  async run(options: RequestOptions, program: ProgramFunction | undefined): Promise<Run> {
    const { onStart, failingAppend, ...wanted } = options;
    const request = requestOf(this.snapshot, wanted);
    const events: EngineEvent[] = [];
    const store = memoryStore();
    const core = new Operation(
      request,
      this.#ports(failingFrom(store, failingAppend ?? Infinity), events),
      ({ entries }) => ({
        providers: this.providers.source(entries),
        runProgram: (post) => runProgram(post, program ?? (() => Promise.resolve())),
        cancelProgram: () => undefined,
        finished: () => Promise.resolve({ t: 'ok' as const }),
        close: () => Promise.resolve(),
      }),
    );
    onStart?.(core);
    const result = await core.run();
    const snapshot = request.preview ? this.snapshot : replayed(this.snapshot, store);
    if (!request.preview) {
      // A replay rewrites URNs where aliases were used [ADDR-8]; everything else agrees literally.
      const renamed = core.entries.some((entry) => entry.aliases.length > 0);
      if (failingAppend === undefined) {
        expect(summary(snapshot.resources, renamed)).toEqual(summary(core.entries, renamed));
      }
      this.snapshot = replayed(this.snapshot, store, result.order);
    } else expect(store.records).toEqual([]);
    return { result, events, store, snapshot: this.snapshot, ...lines(events), errors: errorsOf(result) };
  }

  /** Names of the entries in order; `(delete)` and `(pending)` behind the flags. */
  get state(): readonly string[] {
    return this.snapshot.resources.map((entry) => {
      const flags = `${entry.delete ? '(delete)' : ''}${entry.pendingReplacement ? '(pending)' : ''}`;
      return urnName(entry.urn) + flags;
    });
  }

  entry(name: string): ResourceEntry {
    const found = this.snapshot.resources.find((entry) => urnName(entry.urn) === name && !entry.delete);
    if (found === undefined) throw new Error(`no entry ${name} in ${this.state.join(', ')}`);
    return found;
  }

  #ports(store: ChangeStore, events: EngineEvent[]): Ports {
    return {
      providers: { load: () => Promise.reject(new Error('no plugins here')) },
      store,
      encodeEntry: (entry) => encodeJournalEntry(entry, nopCrypter),
      clock: { now: () => new Date((this.#time += 1000)), monotonicMs: () => this.#time },
      newId: () => `uuid-${(this.#ids += 1)}`,
      randomBytes: (length) => new Uint8Array(length),
      program: undefined,
      stackOutputs: () => Promise.reject(new Error('no other stacks here')),
      emit: (event) => events.push(event),
    } as Ports;
  }
}

export function requestOf(base: Snapshot, options: RequestOptions): OperationRequest {
  const { scope, policy, ...rest } = options;
  return {
    kind: 'up',
    preview: false,
    identity: { organization: 'organization', project: PROJECT, stack: STACK },
    config: { values: {}, secretKeys: [] },
    base,
    concurrency: { parallel: 4 },
    packages: [],
    directories: { root: '/', program: '/' },
    ...rest,
    scope: { targets: [], targetDependents: false, refresh: false, ...scope },
    policy: { continueOnError: false, onError: 'stop', ...policy },
  };
}

/** A store that is full from the given append on. */
function failingFrom(store: MemoryStore, first: number): ChangeStore {
  let count = 0;
  return {
    load: () => store.load(),
    append: (records) => {
      count += 1;
      return count < first
        ? store.append(records)
        : Promise.reject(cairnError('CAIRN-STORE-FULL', 'the disk is full'));
    },
  };
}

/** Replays the journal over the base and checks the result [INT-1]. */
export function replayed(base: Snapshot, store: MemoryStore, order?: OperationResult['order']): Snapshot {
  const manifest = newManifest(new Date(0), 'v0.0.0');
  const start =
    base.resources.length === 0 && base.pendingOperations.length === 0
      ? emptyDeployment
      : encodeSnapshot(base, manifest, nopCrypter);
  const replayer = new Replayer(start as never, 'journal');
  for (const record of store.records) {
    if ('entry' in record && record.entry !== undefined)
      replayer.add(takeJournalEntry(record.entry, 'journal'));
  }
  const deployment = inTurn(replayer.generate(manifest), order);
  expect(checkIntegrity(deployment, 'read').failure).toBeUndefined();
  return decodeSnapshot(deployment, nopCrypter, 'journal');
}

/** What must agree between the live state and its replay. */
function summary(entries: readonly ResourceEntry[], renamed: boolean): readonly unknown[] {
  return entries.map((entry) => [
    renamed ? entry.type : entry.urn,
    entry.id,
    entry.delete,
    entry.pendingReplacement,
    entry.inputs,
    entry.outputs,
  ]);
}

export function lines(events: readonly EngineEvent[]): Pick<Run, 'steps' | 'ops'> {
  const steps: string[] = [];
  const ops: string[] = [];
  for (const event of events) {
    if (event.t !== 'step-ended' && event.t !== 'step-failed') continue;
    const line = `${event.t === 'step-failed' ? '!' : ''}${event.step.kind} ${urnName(event.step.urn)}`;
    steps.push(line);
    if (!isProviderType(event.step.type) && urnType(event.step.urn) !== 'pulumi:pulumi:Stack') ops.push(line);
  }
  return { steps, ops };
}

function errorsOf(result: OperationResult): readonly string[] {
  return result.diagnostics
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic) => `${diagnostic.code} ${diagnostic.summary}`);
}

/** Runs a program as a function: what it throws is the program's failure. */
async function runProgram(post: PostRegistration, program: ProgramFunction): Promise<RunResult> {
  try {
    await program(programApi(post));
    return { t: 'ok' };
  } catch (thrown) {
    return { t: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function programApi(post: PostRegistration): Program {
  const defaults = new Map<string, Promise<ProviderReference>>();
  const send = (goal: Goal) =>
    new Promise<RegisterResult>((resolve, refuse) =>
      post({ t: 'register', goal, reply: { resolve, refuse } }),
    );
  const provider = async (name: string, inputs: Inputs, options: Options): Promise<ProviderReference> => {
    const type = options.type ?? providerType('pkgA');
    const goal = goalOf(urnOf(name, type, options.parent), type, name, propertyMap(inputs), options);
    const { urn, id } = await send(goal);
    return makeProviderReference(urn, id);
  };
  const defaultProvider = (pkg: string): Promise<ProviderReference> => {
    const known = defaults.get(pkg);
    if (known !== undefined) return known;
    const made = provider('default', {}, { type: providerType(pkg) });
    defaults.set(pkg, made);
    return made;
  };
  return {
    urn: urnOf,
    async register(name, inputs = {}, options = {}) {
      const type = options.type ?? 'pkgA:m:typA';
      const reference = 'provider' in options ? options.provider : await defaultProvider(tokenPackage(type));
      const map = propertyMap(inputs);
      const goal = goalOf(urnOf(name, type, options.parent), type, name, map, {
        ...options,
        provider: reference,
      });
      return send({
        ...goal,
        propertyDependencies: options.propertyDependencies ?? allOn(map, goal.dependencies),
      });
    },
    component: (name, options = {}) => {
      const type = options.type ?? 'my:index:Component';
      return send(
        goalOf(urnOf(name, type, options.parent), type, name, options.inputs ?? emptyMap, {
          ...options,
          custom: false,
        }),
      );
    },
    provider: (name, inputs = {}, options = {}) => provider(name, inputs, options),
    async read(name, id, options = {}) {
      const type = options.type ?? 'pkgA:m:typA';
      const reference = options.provider ?? (await defaultProvider(tokenPackage(type)));
      const goal: ReadGoal = {
        urn: urnOf(name, type, options.parent),
        type,
        name,
        parent: undefined,
        id,
        idUnknown: false,
        properties: emptyMap,
        provider: reference,
        dependencies: [],
        additionalSecretOutputs: [],
        sourcePosition: undefined,
        stackTrace: [],
        ...options,
      };
      return new Promise<ReadResult>((resolve, refuse) =>
        post({ t: 'read', goal, reply: { resolve, refuse } }),
      );
    },
    outputs: (urn, outputs) =>
      new Promise<void>((resolve, refuse) =>
        post({ t: 'outputs', urn, outputs: propertyMap(outputs), reply: { resolve, refuse } }),
      ),
    async stack() {
      const urn = rootStackUrn(PROJECT, STACK);
      await send(goalOf(urn, 'pulumi:pulumi:Stack', `${PROJECT}-${STACK}`, emptyMap, { custom: false }));
      return urn;
    },
  };
}

/** Without property dependencies of its own, every input depends on all dependencies [REG-10]. */
function allOn(inputs: PropertyMap, dependencies: readonly Urn[]): Readonly<Record<string, readonly Urn[]>> {
  if (dependencies.length === 0) return {};
  return Object.fromEntries(Object.keys(inputs).map((key) => [key, dependencies]));
}

function goalOf(urn: Urn, type: string, name: string, inputs: PropertyMap, options: Options): Goal {
  return {
    ...blankGoal,
    ...options,
    urn,
    type,
    name,
    inputs,
  };
}

/** URN of a resource of the test stack. */
export const urnOf = (name: string, type = 'pkgA:m:typA', parent?: Urn): Urn =>
  makeUrn({ project: PROJECT, stack: STACK, parent, type, name });

/** A provider reference from its text. */
export const reference = (text: string): ProviderReference => asProviderReference(text);
