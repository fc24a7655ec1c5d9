import { organizationOf } from '@cairn/backends';
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { discardingStore } from '@cairn/changes';
import type { ChangeStore } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { startOperation } from '@cairn/engine';
import type {
  EngineEvent,
  OperationRequest,
  EngineResult,
  PlanOptions,
  PolicyPackSpec,
  EnginePorts,
  PreviewClaims,
  RunningOperation,
  UnexpectedSteps,
} from '@cairn/engine';
import type { TypecheckCause } from '@cairn/language-node';
import type { Snapshot } from '@cairn/state';
import type { Analyzer, AnalyzerStack } from '@cairn/wire';
import { envFlag } from '@cairn/workspace';
import { collectSecrets } from '../masking/collect-secrets.js';
import type { ErrorPolicy, Isolation } from '../options/error-policy.js';
import { parallelAnalyses } from '../options/policy-packs.js';
import type { WantedScope } from '../options/scope.js';
import { observed } from '../ports.js';
import type { Continuation } from './continuation.js';
import { messageEvent, onePass } from './pass-plugins.js';
import type { OperationPlugins, PassPlugins } from './pass-plugins.js';
import type { Prepared } from './prepared.js';
import { stackProgram } from './program.js';
import { referredOutputs } from './referred-outputs.js';
import { sealingStore } from './sealing-store.js';
import type { StackDigests } from './stack-digests.js';

/** One pass over a stack: a preview or a run. */
interface StageOptions {
  readonly kind: OperationRequest['kind'];
  readonly preview: boolean;
  readonly base: Snapshot;
  /** Resources to import. */
  readonly imports?: OperationRequest['imports'];
  readonly parallel: number;
  readonly wanted: WantedScope;
  readonly refresh: boolean;
  /** Runs the program of a refresh or destroy too; see OperationRequest. */
  readonly runProgram: boolean;
  readonly errors: ErrorPolicy;
  readonly isolate: Isolation | undefined;
  readonly strictProviders: boolean;
  readonly policyPacks: readonly PolicyPackSpec[];
  /** Claims of the preview before a run. */
  readonly claims: PreviewClaims | undefined;
  readonly plan: PlanOptions;
  /** Relations to earlier changes. */
  readonly continuation: Partial<Continuation['engine']>;
  /** Digests beside the state. Undefined if every provider is to be asked. */
  readonly digests: StackDigests | undefined;
  /** Id of the change that it makes, for messages; `undefined` for previews. */
  readonly change: string | undefined;
  readonly claim: EnginePorts['claim'];
  /** Reason why types may have to be checked first; `undefined` if that is settled. */
  readonly typecheck: TypecheckCause | undefined;
  /** Steps to refuse. Defaults to none. */
  readonly unexpected: UnexpectedSteps | undefined;
  /** Plugins of an operation of several passes. By default the pass has its own. */
  readonly plugins: OperationPlugins | undefined;
  /** Store for records; `undefined` for previews. */
  readonly store: ChangeStore | undefined;
  readonly emit: (event: EngineEvent) => void;
  /** Receives the running operation as soon as there is one, to be able to stop it. */
  readonly onStart: (running: RunningOperation) => void;
}

/** Wires the ports together, runs one pass, and stops every process it started that no further pass needs. */
export async function runPass(prepared: Prepared, options: StageOptions): Promise<EngineResult> {
  const { kind, preview, parallel } = options;
  const { env, now } = prepared.ports;
  const reading = options.digests?.request(options.base);
  const wantsProgram = kind === 'up' || kind === 'import' || options.runProgram;
  const program =
    wantsProgram && options.plan.replay === undefined
      ? await stackProgram(prepared, {
          ...{ typecheck: options.typecheck, parallel, emit: options.emit },
          isFollowed: preview && options.plugins !== undefined,
          onMessage: (message) => options.emit(messageEvent(message)),
        })
      : undefined;
  const digests = await reading;
  const peers = observed(prepared.ports, prepared.mask.mask);
  const plugins = (options.plugins ?? onePass(prepared)).begin(options.emit, !preview);
  try {
    const running = startOperation(
      {
        kind,
        preview,
        runProgram: options.runProgram,
        identity: {
          organization: organizationOf(prepared.id),
          project: prepared.project.name,
          stack: prepared.id.stack,
        },
        config: {
          values: Object.fromEntries(prepared.config.program.values),
          secretKeys: prepared.config.program.secretKeys,
        },
        base: options.base,
        scope: { ...options.wanted.scope, refresh: options.refresh },
        concurrency: {
          parallel,
          analyses: parallelAnalyses(env),
          limits: prepared.project.operations.limits,
        },
        policy: {
          ...options.errors,
          rollback: prepared.project.operations.rollback,
          isolate: options.isolate,
          strictProviders: options.strictProviders,
          packs: options.policyPacks,
          ignoreProtect: options.wanted.ignoreProtect,
          unexpected: options.unexpected,
          legacyDiff: envFlag(env, 'ENABLE_LEGACY_DIFF'),
          legacyRefreshDiff: envFlag(env, 'ENABLE_LEGACY_REFRESH_DIFF'),
        },
        packages: program?.packages ?? [],
        imports: options.imports,
        claims: options.claims,
        plan: options.plan,
        ...options.continuation,
        digests,
        change: options.change,
        directories: { root: prepared.program.rootDirectory, program: prepared.program.programDirectory },
        withoutReferences: envFlag(env, 'DISABLE_RESOURCE_REFERENCES'),
      },
      {
        ...plugins.ports,
        providers: collectSecrets(plugins, (map) => prepared.mask.properties(map)),
        analyzers: { load: (pack, stack) => loadPack(plugins, pack, stack) },
        store:
          options.store === undefined
            ? discardingStore()
            : sealingStore(options.store, prepared.crypter, prepared.mask.mask),
        encodeEntry: (entry) => entry,
        clock: { now, monotonicMs: () => performance.now() },
        cancelGraceMs: prepared.stopGraceMs,
        newId: randomUUID,
        randomBytes: (length) => randomBytes(length),
        program: kind === 'import' ? undefined : program?.program,
        stackOutputs: (name) => referredOutputs(prepared, name, warn(options.emit)),
        claim: options.claim,
        calls: peers?.calls,
        debugged: prepared.ports.observer?.debugged !== undefined,
        emit: options.emit,
      },
    );
    options.onStart(running);
    const result = await running.done;
    options.digests?.learn(result.digests);
    return result;
  } finally {
    await Promise.all([plugins.end(), program?.host?.close()]);
  }
}

function warn(emit: (event: EngineEvent) => void): (diagnostic: Diagnostic) => void {
  return (diagnostic) => emit({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false });
}

/** Starts a policy pack. Rejects with CAIRN-POLICY-PACK for one that would have to be downloaded. */
export function loadPack(
  plugins: PassPlugins,
  pack: PolicyPackSpec,
  stack: AnalyzerStack,
): Promise<Analyzer> {
  if (pack.t === 'local') return plugins.loadPolicyPack(pack.directory, stack);
  return Promise.reject(
    cairnError('CAIRN-POLICY-PACK', `cannot download the policy pack ${pack.name}@${pack.version}`, {
      hint: 'The backend requires it. Only packs in a directory (--policy-pack) can be run.',
    }),
  );
}
