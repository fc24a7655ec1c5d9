import { makeProviderReference, makeUrn, providerType, rootStackUrn, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { memoryStore } from '@cairn/changes';
import type { MemoryStore } from '@cairn/changes';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { EngineEvent, OperationRequest, EngineResult, Program, RunningOperation } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type {
  DiffResponse,
  Monitor,
  Provider,
  ReadResourceResponse,
  RegisterResourceRequest,
  RegisterResourceResponse,
} from '@cairn/wire';
import { readRequest, registerRequest } from '../program/requests.js';
import { MockWorld } from '../provider/mock-world.js';
import { diffAnswer } from '../provider/mock-provider.js';
import { replayed, runScenario, shownEntry } from './scenario.js';
import type { Outcome } from './scenario.js';

const IDENTITY = { project: 'test', stack: 'test' } as const;

export type Inputs = Readonly<Record<string, PropertyValue>>;

/** Options of a resource besides its inputs. Aliases are URNs. */
export type Options = Partial<Omit<RegisterResourceRequest, 'aliases' | 'provider' | 'parent' | 'hooks'>> & {
  readonly aliases?: readonly Urn[];
  readonly provider?: ProviderReference | undefined;
  readonly parent?: Urn | undefined;
};

/** Functions with which a program registers resources. Only {@link BareProgram.stack} registers the stack. */
export interface BareProgram {
  register(name: string, inputs?: Inputs, options?: Options): Promise<RegisterResourceResponse>;
  component(name: string, options?: Options): Promise<RegisterResourceResponse>;
  provider(name: string, inputs?: Inputs, options?: Options): Promise<ProviderReference>;
  read(
    name: string,
    id: string,
    options?: Options & { readonly properties?: PropertyMap },
  ): Promise<ReadResourceResponse>;
  outputs(urn: Urn, outputs: Inputs, lateInputs?: Inputs): Promise<void>;
  stack(): Promise<Urn>;
  urn(name: string, type?: string, parent?: Urn): Urn;
}

export type BareProgramFunction = (program: BareProgram) => Promise<void>;

/** Outcome of one operation. */
export interface StackRun extends Outcome {
  /** `kind name` of every step that ended, in order. Failed ones have the prefix `!`. */
  readonly allSteps: readonly string[];
  /** Error diagnostics, as `CODE summary`. */
  readonly errors: readonly string[];
}

export type RequestOptions = Partial<Omit<OperationRequest, 'scope' | 'policy' | 'base'>> & {
  readonly scope?: Partial<OperationRequest['scope']>;
  readonly policy?: Partial<OperationRequest['policy']>;
  readonly onStart?: (operation: RunningOperation) => void;
  /** Number of the append from which on the store fails. */
  readonly failingAppend?: number;
  /** A program that is not a function. */
  readonly program?: Program | undefined;
};

/** A test's changes to the provider of a stack between operations. */
export type StackBehaviour = Partial<
  Pick<Provider, 'check' | 'diff' | 'create' | 'read' | 'update' | 'delete' | 'diffConfig'>
>;

/** Returns a diff that replaces if one of the keys differs between old and new inputs. */
export function replaceOn(
  keys: readonly string[],
  deleteBeforeReplace = false,
): Required<StackBehaviour>['diff'] {
  return ({ oldInputs, news }) => {
    const replaceKeys = keys.filter((key) => JSON.stringify(oldInputs[key]) !== JSON.stringify(news[key]));
    const more: Partial<DiffResponse> = { replaceKeys, changedKeys: replaceKeys, deleteBeforeReplace };
    return Promise.resolve(replaceKeys.length > 0 ? diffAnswer('some', more) : diffAnswer('unknown'));
  };
}

/**
 * Provider of every package of a stack. It keeps no objects, so that a test may define their state freely. A read
 * repeats its request.
 */
class StackProviders extends MockWorld {
  behaviour: StackBehaviour = {};
  /** Packages without a plugin. */
  readonly missing = new Set<string>();

  constructor() {
    super({});
    const standard: Required<Pick<StackBehaviour, 'create' | 'read' | 'update' | 'delete'>> = {
      create: async ({ inputs, preview }) => ({
        id: preview ? '' : this.newId(),
        outputs: inputs,
        refreshBeforeUpdate: false,
      }),
      read: async ({ id, inputs, state }) => ({
        id,
        inputs: inputs ?? emptyMap,
        outputs: state ?? emptyMap,
        refreshBeforeUpdate: false,
      }),
      update: async ({ news }) => ({ outputs: news, refreshBeforeUpdate: false }),
      delete: async () => undefined,
    };
    const of = <M extends keyof StackBehaviour>(method: M) =>
      ((request: never, context: { readonly standard: () => Promise<unknown> }) => {
        const own = this.behaviour[method] ?? (standard as StackBehaviour)[method];
        return own === undefined ? context.standard() : own(request);
      }) as never;
    this.#plugin = {
      behaviour: {
        capabilities: { supportsAutonaming: true },
        reads: 'unsaid',
        check: of('check'),
        diff: of('diff'),
        create: of('create'),
        read: of('read'),
        update: of('update'),
        delete: of('delete'),
        diffConfig: of('diffConfig'),
      },
    };
  }

  readonly #plugin: Parameters<MockWorld['install']>[1];

  override load(spec: Parameters<MockWorld['load']>[0]): Promise<Provider> {
    if (!this.missing.has(spec.package)) this.install(spec.package, this.#plugin as never);
    return super.load(spec);
  }
}

/** A stack in memory. Each operation starts from the journal of the previous one. */
export class MockStack {
  readonly providers = new StackProviders();
  snapshot: Snapshot = emptySnapshot;

  up(program: BareProgramFunction, options: RequestOptions = {}): Promise<StackRun> {
    return this.run({ kind: 'up', ...options }, program);
  }

  preview(program: BareProgramFunction, options: RequestOptions = {}): Promise<StackRun> {
    return this.run({ kind: 'up', preview: true, ...options }, program);
  }

  destroy(options: RequestOptions = {}): Promise<StackRun> {
    return this.run({ kind: 'destroy', ...options }, undefined);
  }

  refresh(options: RequestOptions = {}): Promise<StackRun> {
    return this.run({ kind: 'refresh', ...options }, undefined);
  }

  /** Runs a destroy that runs the program. */
  destroyRun(program: BareProgramFunction, options: RequestOptions = {}): Promise<StackRun> {
    return this.run({ kind: 'destroy', runProgram: true, ...options }, program);
  }

  /** Runs a refresh that runs the program. */
  refreshRun(program: BareProgramFunction, options: RequestOptions = {}): Promise<StackRun> {
    return this.run({ kind: 'refresh', runProgram: true, ...options }, program);
  }

  async run(options: RequestOptions, body: BareProgramFunction | undefined): Promise<StackRun> {
    const { onStart, failingAppend, program, kind, preview, runProgram, scope, policy, ...request } = options;
    const store = memoryStore();
    let operation: RunningOperation | undefined;
    const outcome = await runScenario({
      kind,
      preview,
      runProgram,
      prior: this.snapshot,
      providers: this.providers,
      scope,
      policy,
      parallel: 4,
      request,
      store: failingAppend === undefined ? store : failingFrom(store, failingAppend),
      ownProgram: program ?? { inProcess: true, cancel: async () => undefined, run: bare(body) },
      onStart: (running) => {
        operation = running;
        onStart?.(running);
      },
    });
    if (preview !== true) {
      if (failingAppend === undefined)
        sameEntries(replayed(this.snapshot, store.records).resources, operation?.entries ?? []);
      this.snapshot = outcome.snapshot;
    } else if (store.records.length > 0) throw new Error('a preview has written');
    return {
      ...outcome,
      snapshot: this.snapshot,
      allSteps: stepLines(outcome.events),
      errors: errorsOf(outcome.result),
    };
  }

  /** Names of the entries in order, followed by `(delete)` and `(pending)` for their flags. */
  get state(): readonly string[] {
    return this.snapshot.resources.map(shownEntry);
  }

  entry(name: string): ResourceEntry {
    const found = this.snapshot.resources.find((entry) => urnName(entry.urn) === name && !entry.delete);
    if (found === undefined) throw new Error(`no entry ${name} in ${this.state.join(', ')}`);
    return found;
  }
}

/** Returns the URN of a resource of the stack. */
export function urnOf(name: string, type = 'pkgA:m:typA', parent?: Urn): Urn {
  return makeUrn({ ...IDENTITY, parent, type, name });
}

/** Returns a store that is full from the given append on. */
function failingFrom(store: MemoryStore, first: number): MemoryStore {
  let count = 0;
  return {
    get records() {
      return store.records;
    },
    load: () => store.load(),
    append: (records) => {
      count += 1;
      if (count < first) return store.append(records);
      return Promise.reject(cairnError('CAIRN-STORE-FULL', 'the disk is full'));
    },
  } as MemoryStore;
}

/**
 * Checks a replay, which rewrites URNs if aliases were used [ADDR-8]. Everything else equals the live state literally.
 */
function sameEntries(replayed: readonly ResourceEntry[], live: readonly ResourceEntry[]): void {
  const renamed = live.some((entry) => entry.aliases.length > 0);
  const shown = (entries: readonly ResourceEntry[]) =>
    JSON.stringify(
      entries.map(({ urn, type, id, delete: goes, pendingReplacement, inputs, outputs }) => [
        renamed ? type : urn,
        [id, goes, pendingReplacement, inputs, outputs],
      ]),
    );
  if (shown(replayed) !== shown(live))
    throw new Error(`a replay gives ${shown(replayed)}, the live state is ${shown(live)}`);
}

function stepLines(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.t !== 'step-ended' && event.t !== 'step-failed') return [];
    return [`${event.t === 'step-failed' ? '!' : ''}${event.step.kind} ${urnName(event.step.urn)}`];
  });
}

function errorsOf({ diagnostics }: EngineResult): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, summary }) => `${code} ${summary}`);
}

/** Returns a program without a stack resource. An error that it throws is its failure. */
function bare(program: BareProgramFunction = async () => undefined) {
  return async ({
    services: { monitor },
  }: {
    readonly services: { readonly monitor: Monitor };
  }): Promise<{ readonly t: 'ok' | 'bail' } | { readonly t: 'failed'; readonly message: string }> => {
    try {
      await program(programOn(monitor));
      return { t: 'ok' };
    } catch (error) {
      return isStatusError(error, 'UNAVAILABLE') ? { t: 'bail' } : { t: 'failed', message: messageOf(error) };
    }
  };
}

function programOn(monitor: Monitor): BareProgram {
  const register = (
    type: string,
    name: string,
    { aliases = [], provider, parent, deletedWith = '', ...options }: Options,
    inputs = emptyMap,
  ) =>
    monitor.registerResource(
      registerRequest({
        type,
        name,
        inputs,
        provider: provider ?? '',
        parent: parent ?? '',
        deletedWith,
        aliases: aliases.map((urn) => ({ kind: 'urn', urn })),
        ...options,
      }),
    );
  return {
    urn: urnOf,
    register: (name, inputs = {}, { type = 'pkgA:m:typA', ...options } = {}) => {
      const map = propertyMap(inputs);
      return register(
        type,
        name,
        { propertyDependencies: allOn(map, options.dependencies), ...options },
        map,
      );
    },
    component: (name, { type = 'my:index:Component', inputs, ...options } = {}) =>
      register(type, name, { ...options, custom: false }, inputs),
    provider: async (name, inputs = {}, { type = providerType('pkgA'), ...options } = {}) => {
      const { urn, id } = await register(type, name, options, propertyMap(inputs));
      return makeProviderReference(urn, id);
    },
    read: (name, id, { type = 'pkgA:m:typA', provider, parent, dependencies = [], properties } = {}) =>
      monitor.readResource(
        readRequest({
          type,
          name,
          id,
          provider: provider ?? '',
          parent: parent ?? '',
          dependencies,
          properties: properties ?? emptyMap,
        }),
      ),
    outputs: (urn, outputs, late) =>
      monitor.registerResourceOutputs({
        urn,
        outputs: propertyMap(outputs),
        ...(late && { lateInputs: propertyMap(late) }),
      }),
    stack: async () => {
      await register('pulumi:pulumi:Stack', `${IDENTITY.project}-${IDENTITY.stack}`, { custom: false });
      return rootStackUrn(IDENTITY.project, IDENTITY.stack);
    },
  };
}

/** Makes every input depend on all dependencies, if it has no property dependencies of its own [REG-10]. */
function allOn(
  inputs: PropertyMap,
  dependencies: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> {
  return dependencies.length === 0
    ? {}
    : Object.fromEntries(Object.keys(inputs).map((key) => [key, dependencies]));
}
