import { nopCrypter } from '@cairn/crypters';
import { urnName } from '@cairn/addresses';
import { memoryStore } from '@cairn/changes';
import type { ChangeRecord, MemoryStore } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import { ProcessLimits, startOperation } from '@cairn/engine';
import type {
  PastTask,
  CallLimits,
  EngineEvent,
  LimitSettings,
  OperationConfig,
  OperationRequest,
  EngineResult,
  PolicyPackSpec,
  EnginePorts,
  Program,
  RunningOperation,
  StackOutputs,
} from '@cairn/engine';
import {
  Replayer,
  checkIntegrity,
  decodeSnapshot,
  emptyDeployment,
  emptySnapshot,
  encodeJournalEntry,
  encodeSnapshot,
  inTurn,
  newManifest,
  pendingName,
  takeJournalEntry,
} from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import type { MockPack } from '../policy/mock-pack.js';
import { programOf } from '../program/program-of.js';
import type { ProgramFunction } from '../program/program-of.js';
import type { MockWorld } from '../provider/mock-world.js';
import { WireLoader } from '../provider/wire-loader.js';
import { countedBytes, steppingClock } from './clock.js';
import { complaints, resourceTrace, trace } from './trace.js';

/** Encrypts and decrypts one text. */
export type Crypter = Parameters<typeof encodeJournalEntry>[1];

const IDENTITY = { organization: 'organization', project: 'test', stack: 'test' };

/** One operation of a scenario. */
export interface Scenario {
  /** Defaults to `up`. */
  readonly kind?: OperationRequest['kind'];
  readonly preview?: boolean;
  /** Defaults to the empty stack. */
  readonly prior?: Snapshot;
  /** Refresh and destroy run the program; see {@link OperationRequest.runProgram}. */
  readonly runProgram?: boolean;
  /** Defaults to a program that registers nothing. Destroy and refresh do not run it without `runProgram`. */
  readonly program?: ProgramFunction;
  /** A program that is not a function, in place of `program`. */
  readonly ownProgram?: Program | undefined;
  readonly providers: MockWorld;
  /** Defaults to organization/test/test. */
  readonly identity?: OperationRequest['identity'] | undefined;
  readonly config?: OperationConfig;
  readonly scope?: Partial<OperationRequest['scope']>;
  readonly policy?: Partial<OperationRequest['policy']>;
  /** Steps at a time; 0 for no limit. Defaults to 8. */
  readonly parallel?: number;
  /** Treatment of snippets. */
  readonly snippets?: OperationRequest['snippets'];
  /** Policy packs, in order. */
  readonly packs?: readonly MockPack[];
  /** The user's settings for them, by index. */
  readonly packSettings?: readonly PolicyPackSpec['settings'][];
  /** Concurrent analyses. Defaults to no limit. */
  readonly analyses?: number;
  readonly packages?: OperationRequest['packages'];
  readonly plan?: OperationRequest['plan'];
  /** Objects to import; see {@link importItem}. */
  readonly imports?: OperationRequest['imports'];
  /** Claims of the preview before it. */
  readonly claims?: OperationRequest['claims'];
  /** Concurrent calls with an effect. */
  readonly limits?: LimitSettings;
  /** Counter of these calls, for operations that share one. Defaults to one of its own. */
  readonly callLimits?: CallLimits;
  /** See {@link OperationRequest.approvals}. */
  readonly approvals?: OperationRequest['approvals'];
  /** See {@link OperationRequest.change}. */
  readonly change?: string;
  /** Outputs of other stacks by name. */
  readonly stacks?: Readonly<Record<string, StackOutputs>>;
  /** True to connect program and providers to the engine over real connections. By default they are called directly. */
  readonly overWire?: boolean;
  /** True if the program waits for the end of the deployment. Defaults to true. */
  readonly waitsForEnd?: boolean;
  readonly onWaited?: () => void;
  /** See {@link OperationRequest.withoutReferences}. */
  readonly withoutReferences?: boolean;
  /** Other fields of the request, which take precedence. */
  readonly request?: Partial<OperationRequest> | undefined;
  /** Keeps the records. Defaults to a new one in memory. */
  readonly store?: MemoryStore | undefined;
  /** Encrypts secrets in the store. By default they are readable. */
  readonly crypter?: Crypter | undefined;
  /** Defaults to a {@link steppingClock}. */
  readonly clock?: EnginePorts['clock'];
  /** Called with every event as it happens. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Results of earlier operations: see {@link OperationRequest}. */
  readonly inDoubt?: OperationRequest['inDoubt'];
  readonly resolutions?: OperationRequest['resolutions'];
  readonly continues?: OperationRequest['continues'];
  readonly goalKey?: OperationRequest['goalKey'];
  /** See {@link EnginePorts.claim}. */
  readonly claim?: EnginePorts['claim'];
  /** Called with the running operation, for example to cancel it. */
  readonly onStart?: (operation: RunningOperation) => void;
}

/** Outcome of one operation. */
export interface Outcome {
  readonly result: EngineResult;
  readonly events: readonly EngineEvent[];
  /** {@link trace} of the events. */
  readonly trace: readonly string[];
  /** {@link resourceTrace} of the events. */
  readonly steps: readonly string[];
  /** Errors and warnings. */
  readonly complaints: readonly string[];
  /** The stack as a later process finds it: the journal replayed over the prior snapshot. */
  readonly snapshot: Snapshot;
  /** Names of its entries in order. */
  readonly names: readonly string[];
  readonly store: MemoryStore;
}

/**
 * Runs one operation of the real engine against a world in memory and replays its journal. Throws if the replayed stack
 * breaks an integrity rule [INT-1], or has lost a step in doubt [REC-3].
 */
export async function runScenario(scenario: Scenario): Promise<Outcome> {
  const events: EngineEvent[] = [];
  const store = scenario.store ?? memoryStore();
  const request = requestOf(scenario);
  const operation = startOperation(request, portsOf(scenario, store, events));
  scenario.onStart?.(operation);
  const result = await operation.done;
  const snapshot = request.preview
    ? request.base
    : replayed(request.base, store.records, scenario.crypter, result.order);
  if (!request.preview) checkPending(request, store, snapshot);
  return {
    result,
    events,
    trace: trace(events),
    steps: resourceTrace(events),
    complaints: complaints(events),
    snapshot,
    names: snapshot.resources.map(shownEntry),
    store,
  };
}

/**
 * Checks that unresolved steps remain pending. A reader of the state, above all another tool, knows of a step in doubt
 * only by its pending entry.
 */
function checkPending({ base, inDoubt }: OperationRequest, { records }: MemoryStore, after: Snapshot): void {
  if (inDoubt === undefined) return;
  const pending = new Set(after.pendingOperations.map(pendingName));
  const settled = settledIn(records);
  for (const operation of base.pendingOperations) {
    const name = pendingName(operation);
    const task = inDoubt.find(({ doubt }) => doubt !== undefined && pendingName(doubt) === name);
    if (!pending.has(name) && (task === undefined || !settled.has(keyOf(task))))
      throw new Error(`${operation.type} ${operation.resource.urn} is in doubt and no longer pending`);
  }
}

/** Returns the key of a step in doubt in records: the task that began it. */
function keyOf({ change, id, resolves }: PastTask): string {
  return resolves ?? `${change}/${id}`;
}

/** Returns the keys of steps in doubt whose outcome was determined. */
function settledIn(records: readonly ChangeRecord[]): ReadonlySet<unknown> {
  const keys = new Map<unknown, unknown>();
  const settled = new Set<unknown>();
  for (const record of records) {
    if (record.record === 'task' && record.kind === 'in-doubt')
      keys.set(record.id, (record.data as { readonly resolves: string }).resolves);
    if (record.record === 'outcome' && (record.result === 'ok' || record.result === 'hold'))
      settled.add(keys.get(record.task));
  }
  return settled;
}

function requestOf({
  kind = 'up',
  preview = false,
  prior,
  scope,
  policy,
  ...rest
}: Scenario): OperationRequest {
  return {
    kind,
    preview,
    runProgram: rest.runProgram,
    identity: rest.identity ?? IDENTITY,
    config: rest.config ?? { values: {}, secretKeys: [] },
    base: prior ?? emptySnapshot,
    stored: prior && encodeSnapshot(prior, newManifest(new Date(0), 'v0.0.0'), nopCrypter),
    inDoubt: rest.inDoubt,
    resolutions: rest.resolutions,
    continues: rest.continues,
    goalKey: rest.goalKey,
    snippets: rest.snippets,
    scope: { targets: [], targetDependents: false, refresh: false, ...scope },
    concurrency: { parallel: rest.parallel ?? 8, analyses: rest.analyses, limits: rest.limits },
    policy: {
      continueOnError: false,
      onError: 'stop',
      packs: (rest.packs ?? []).map((_, index) => ({
        t: 'local',
        directory: String(index),
        settings: rest.packSettings?.[index] ?? {},
      })),
      ...policy,
    },
    packages: rest.packages ?? [],
    plan: rest.plan,
    imports: rest.imports,
    claims: rest.claims,
    approvals: rest.approvals,
    change: rest.change,
    directories: { root: '/project', program: '/project' },
    withoutReferences: rest.withoutReferences,
    ...rest.request,
  };
}

function runs({ kind = 'up', runProgram }: Scenario): boolean {
  return kind === 'up' || runProgram === true;
}

function portsOf(scenario: Scenario, store: MemoryStore, events: EngineEvent[]): EnginePorts {
  const { providers, program = async () => {}, stacks = {}, overWire } = scenario;
  return {
    providers: overWire === true ? new WireLoader(providers) : providers,
    limits: scenario.callLimits ?? new ProcessLimits(),
    analyzers: packLoader(scenario.packs ?? []),
    store,
    encodeEntry: (entry) => encodeJournalEntry(entry, scenario.crypter ?? nopCrypter),
    clock: scenario.clock ?? steppingClock(),
    newId: providers.newUuid,
    randomBytes: countedBytes,
    program: runs(scenario)
      ? (scenario.ownProgram ?? programOf(program, scenario.identity ?? IDENTITY, scenario))
      : undefined,
    stackOutputs: async (name) => {
      const found = Object.hasOwn(stacks, name) ? stacks[name] : undefined;
      if (found === undefined) throw cairnError('CAIRN-STACK-NOT-FOUND', `there is no stack ${name}`);
      return found;
    },
    claim: scenario.claim,
    emit: (event) => {
      events.push(event);
      scenario.onEvent?.(event);
    },
  };
}

/** Loads the scenario's packs. A local one is named by its index. */
function packLoader(packs: readonly MockPack[]): EnginePorts['analyzers'] {
  return {
    load: async (spec, stack) => {
      const pack = packs[Number(spec.t === 'local' ? spec.directory : spec.location)];
      if (pack === undefined) throw new Error('there is no such policy pack');
      if (pack.behaviour.loadError !== undefined) throw pack.behaviour.loadError;
      await pack.configureStack(stack);
      return pack;
    },
  };
}

/**
 * Returns the stack as a later process finds it: the records' journal entries over the base. Throws if it breaks an
 * integrity rule [INT-1].
 */
export function replayed(
  base: Snapshot,
  records: readonly ChangeRecord[],
  crypter: Crypter = nopCrypter,
  order?: EngineResult['order'],
): Snapshot {
  const manifest = newManifest(new Date(0), 'v0.0.0');
  const isEmpty =
    base.resources.length === 0 && base.pendingOperations.length === 0 && (base.snippets ?? []).length === 0;
  const replayer = new Replayer(
    isEmpty ? emptyDeployment : encodeSnapshot(base, manifest, crypter),
    'journal',
  );
  for (const record of records) {
    if (!('entry' in record) || record.entry === undefined) continue;
    for (const entry of Array.isArray(record.entry) ? record.entry : [record.entry])
      replayer.add(takeJournalEntry(entry, 'journal'));
  }
  const deployment = inTurn(replayer.generate(manifest), order);
  const { failure } = checkIntegrity(deployment, 'read');
  if (failure !== undefined)
    throw new Error(`the replayed stack breaks an integrity rule: ${JSON.stringify(failure)}`);
  return decodeSnapshot(deployment, crypter, 'journal');
}

/** Returns the name of an entry, followed by `(delete)` and `(pending)` for its flags. */
export function shownEntry({ urn, delete: isDelete, pendingReplacement }: ResourceEntry): string {
  return `${urnName(urn)}${isDelete ? '(delete)' : ''}${pendingReplacement ? '(pending)' : ''}`;
}
