import { isRootStackUrn, isUrn, ROOT_STACK_TYPE, rootStackUrn } from '@cairn/addresses';
import { BugError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { isStatusError, StatusError } from '@cairn/wire';
import type { DeploymentContext, EngineService, Monitor, ProgramCallbacks } from '@cairn/wire';
import { plainReferencesMap } from '@cairn/values';
import { HookRegistry } from '../execute/hooks/registry.js';
import type { PostRegistration } from '../model/registration.js';
import type { OperationRequest } from '../model/request.js';
import type { EnginePorts } from '../ports.js';
import { createDefaultProviders } from '../providers/defaults.js';
import type { ProviderSource } from '../providers/provider-source.js';
import { handleCall } from './call.js';
import { createEngineService } from './engine-service.js';
import { existsResource } from './exists.js';
import { FatalError } from './fatal.js';
import type { RegistrationIntake } from './intake.js';
import { handleInvoke } from './invoke.js';
import { namingSettings } from './naming-settings.js';
import { KnownPackages } from './packages.js';
import { PendingCalls } from './pending-calls.js';
import { reportedAs } from './posting.js';
import { ProjectSources } from './project-sources.js';
import { invalid, RefusedRequest, unavailable } from './refusal.js';
import { readResource, registerOutputs, registerResource } from './register.js';
import { RegisteredResources } from './resources.js';
import { createSchemas } from './schemas.js';
import type { Schemas } from './schemas.js';
import { Transforms } from './transforms/registry.js';
import type { MonitorContext } from './monitor-context.js';

/** Options of the monitor of one operation. */
export interface MonitorOptions {
  readonly request: Pick<
    OperationRequest,
    'identity' | 'config' | 'preview' | 'concurrency' | 'packages' | 'directories' | 'withoutReferences'
  > &
    Partial<Pick<OperationRequest, 'kind'>>;
  readonly ports: Pick<EnginePorts, 'debugged' | 'emit' | 'newId' | 'providers'>;
  /** Posts registrations to the engine's inbox. */
  readonly post: PostRegistration;
  /** Holds registrations back. Optional. */
  readonly intake?: RegistrationIntake | undefined;
  readonly providers: ProviderSource;
  /** Registry of the program's hooks. Defaults to one that nothing else reads. */
  readonly hooks?: HookRegistry | undefined;
  /** Calls functions of the program. */
  readonly callbacks: ProgramCallbacks;
  /** Runs a question to a provider and reports its duration to the operation. By default it only runs it. */
  readonly during?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** Returns the `host:port` of this monitor; constructors and methods of providers register there. */
  readonly address: () => string;
  /**
   * Fails the operation for a reason other than a registration that has not been reported yet. The engine reports the
   * diagnostics of a CairnError (any other error is a bug in Cairn) and cancels. The program learns that the operation
   * is over.
   */
  readonly abort: (error: Error) => void;
  /**
   * Reports a refused request ({@link RefusedRequest}) to the engine, which shows it. The program receives the reason
   * and continues to its end.
   */
  readonly refused: (error: CairnError) => void;
}

/** Services for a running program, with a way to end them. */
export interface ProgramMonitor {
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly schemas: Schemas;
  /** Settled when the program has signalled that it registers nothing more. */
  readonly signalled: Promise<void>;
  /**
   * True if the program has registered a stack, which comes first, but not the outputs of one, which come last if there
   * are any.
   */
  readonly unfinished: boolean;
  /**
   * Ends the deployment: the program's wait for it is answered, and every other waiting or later call gets UNAVAILABLE
   * [PRG-6] [PRG-9]. Call it after the last step has ended, or when the operation has failed. Idempotent.
   */
  shutDown(): void;
}

/**
 * Creates the monitor of one operation. It decodes requests to goals, resolves providers, and posts registrations; it
 * contains no policy of its own [PRG-8]. Throws CAIRN-CONFIG-INVALID if a setting that concerns it cannot be read.
 */
export function createMonitor(options: MonitorOptions): ProgramMonitor {
  return new MonitorOfProgram(options);
}

class MonitorOfProgram implements ProgramMonitor {
  readonly engine: EngineService;
  readonly schemas: Schemas;
  readonly monitor: Monitor;
  readonly signalled: Promise<void>;
  readonly #calls = new PendingCalls();
  readonly #context: MonitorContext;
  readonly #abort: (error: Error) => void;
  readonly #refusedRequest: (error: CairnError) => void;
  /** True if the engine has refused something for good. Failures that follow from that are not reported again. */
  #refused = false;
  #stack: 'unregistered' | 'open' | 'closed' = 'unregistered';
  #signal: () => void = () => {};
  #finished: (() => void) | undefined;

  constructor(options: MonitorOptions) {
    this.#context = worldOf(options);
    this.#abort = options.abort;
    this.#refusedRequest = options.refused;
    this.engine = createEngineService(options.ports, options.request.config.secretKeys);
    this.schemas = createSchemas(options.ports.providers);
    this.signalled = new Promise((resolve) => (this.#signal = resolve));
    const monitor = this.#serve(options);
    this.monitor = options.request.withoutReferences === true ? withoutReferences(monitor) : monitor;
  }

  get unfinished(): boolean {
    return this.#stack === 'open';
  }

  shutDown(): void {
    this.#finished?.();
    this.#calls.end();
  }

  #serve({ request, hooks = new HookRegistry() }: MonitorOptions): Monitor {
    const context = this.#context;
    const features = featuresOf(request);
    const info = { ...deploymentOf(request), features };
    return {
      supportsFeature: async (id) => features.includes(id),
      getDeploymentInfo: async () => info,
      registerResource: (wanted) => {
        if (wanted.type === ROOT_STACK_TYPE && this.#stack === 'unregistered') this.#stack = 'open';
        return this.#answer(() => registerResource(wanted, context));
      },
      readResource: (wanted) => this.#answer(() => readResource(wanted, context)),
      existsResource: (wanted) => this.#answer(() => existsResource(wanted, context)),
      registerResourceOutputs: (wanted) => {
        // Any name counts: it need not be that of the project and the stack.
        if (isUrn(wanted.urn) && isRootStackUrn(wanted.urn)) this.#stack = 'closed';
        return this.#answer(() => registerOutputs(wanted, context));
      },
      invoke: (wanted) => this.#answer(() => handleInvoke(wanted, context)),
      call: (wanted) => this.#answer(() => handleCall(wanted, context)),
      registerPackage: (wanted) => this.#answer(async () => ({ ref: context.packages.register(wanted) })),
      registerStackTransform: (wanted) => {
        context.intake?.letAllIn();
        return this.#answer(async () => context.transforms.addForStack(wanted));
      },
      registerStackInvokeTransform: (wanted) =>
        this.#answer(async () => context.transforms.addForInvokes(wanted)),
      registerResourceHook: (wanted) => this.#answer(async () => hooks.add(wanted)),
      registerErrorHook: (wanted) => this.#answer(async () => hooks.addErrorHook(wanted)),
      signalAndWaitForShutdown: () => this.#waitForShutdown(),
    };
  }

  #waitForShutdown(): Promise<void> {
    this.#context.intake?.letAllIn();
    if (this.#calls.over) return Promise.reject(unavailable());
    if (this.#finished !== undefined) {
      return Promise.reject(new StatusError('FAILED_PRECONDITION', 'Already waiting for shutdown'));
    }
    return new Promise((resolve) => {
      this.#finished = resolve;
      this.#signal();
    });
  }

  #answer<T>(work: () => Promise<T>): Promise<T> {
    return this.#calls.answer(work, (error) => this.#failure(error));
  }

  /** Converts an error for the program. An error that has not been reported ends the operation. */
  #failure(error: unknown): Error {
    const reported = reportedAs(error);
    if (reported !== undefined) {
      if (isStatusError(reported, 'UNAVAILABLE')) this.#refused = true;
      return reported;
    }
    if (isStatusError(error)) return error;
    if (error instanceof RefusedRequest) {
      this.#refusedRequest(error.cause);
      return invalid(error.message, error);
    }
    if (!this.#refused && !this.#calls.over)
      this.#abort(error instanceof FatalError ? error.cause : asError(error));
    this.#refused = true;
    return unavailable();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new BugError(messageOf(thrown));
}

function worldOf({
  request,
  ports,
  post,
  intake,
  providers,
  address,
  callbacks,
  during,
}: MonitorOptions): MonitorContext {
  const { identity, config, preview, directories } = request;
  const deployment = deploymentOf(request);
  return {
    identity,
    stackUrn: rootStackUrn(identity.project, identity.stack),
    preview,
    appliesGoals: (request.kind ?? 'up') === 'up',
    programDirectory: directories.program,
    sources: new ProjectSources(directories.root),
    resources: new RegisteredResources(),
    packages: new KnownPackages(request.packages, ports.newId, (ref, extension) =>
      providers.learn(ref, extension),
    ),
    providers,
    defaults: createDefaultProviders({ identity, config, post }),
    naming: namingSettings(config, identity),
    transforms: new Transforms(callbacks),
    post,
    intake,
    during: during ?? ((work) => work()),
    tell: (diagnostic) => ports.emit({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false }),
    constructContext: () => ({ ...deployment, monitorAddress: address() }),
  };
}

/** Returns the settings of the deployment for programs and constructors. */
function deploymentOf(request: MonitorOptions['request']): Omit<DeploymentContext, 'monitorAddress'> {
  const { identity, config, preview, concurrency } = request;
  return {
    project: identity.project,
    stack: identity.stack,
    organization: identity.organization,
    config: config.values,
    configSecretKeys: config.secretKeys,
    dryRun: preview,
    parallel: concurrency.parallel,
  };
}

/**
 * Ids of features that programs receive [PRG-7], and one of our own, which has no number. They match this monitor
 * exactly: it has no state migrations.
 */
const FEATURES: readonly string[] = [
  'secrets',
  'resourceReferences',
  'outputValues',
  'aliasSpecs',
  'replacementTrigger',
  'deletedWith',
  'replaceWith',
  'parameterization',
  'transforms',
  'invokeTransforms',
  'resourceHooks',
  'errorHooks',
  'sendsOptionsToHooks',
  'byteString',
  'invokeDependsOn',
  'invokeParent',
  'invokeOutputValues',
  'callOutputValues',
  'lateInputs',
];

/** Returns the features of one operation. */
function featuresOf(request: { readonly withoutReferences?: boolean | undefined }): readonly string[] {
  return request.withoutReferences === true
    ? FEATURES.filter((feature) => feature !== 'resourceReferences')
    : FEATURES;
}

/** Function that returns references: its answers keep them, no matter what the caller accepts [INV-4]. */
const GET_RESOURCE = 'pulumi:pulumi:getResource';

/** Returns the monitor of a program that receives ids and URNs instead of references [VAL-10]. */
function withoutReferences(monitor: Monitor): Monitor {
  return {
    ...monitor,
    registerResource: async (request) => {
      const answer = await monitor.registerResource(request);
      return { ...answer, outputs: plainReferencesMap(answer.outputs) };
    },
    readResource: async (request) => {
      const answer = await monitor.readResource(request);
      return { ...answer, properties: plainReferencesMap(answer.properties) };
    },
    invoke: async (request) => {
      const answer = await monitor.invoke(request);
      if (request.token === GET_RESOURCE) return answer;
      return { ...answer, result: plainReferencesMap(answer.result) };
    },
    call: async (request) => {
      const answer = await monitor.call(request);
      return { ...answer, result: plainReferencesMap(answer.result) };
    },
  };
}
