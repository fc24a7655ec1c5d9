import { makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { StatusError } from '@cairn/wire';
import type {
  CallbackReference,
  EngineService,
  LogRequest,
  Monitor,
  MonitorCallRequest,
  MonitorInvokeRequest,
  MonitorInvokeResponse,
  ReadResourceRequest,
  RegisterHookRequest,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  RegisterResourceResponse,
} from '@cairn/wire';
import { setDeployment } from '../runtime/deployment.js';
import type { DeploymentSettings } from '../runtime/deployment.js';
import { runProgram } from '../runtime/run-program.js';

/** What the fake does instead of the usual: echo inputs with id `<name>-id`. */
export interface FakeBehaviour {
  readonly register?: (request: RegisterResourceRequest) => Promise<Partial<RegisterResourceResponse>>;
  readonly read?: (request: ReadResourceRequest) => Promise<PropertyMap>;
  /** Id that the provider reports of an object that is read. Defaults to the one in the request. */
  readonly readId?: string;
  readonly invoke?: (request: MonitorInvokeRequest) => Promise<MonitorInvokeResponse>;
  /** While the program waits for the end. */
  readonly end?: () => Promise<void>;
}

/** A monitor and engine service in memory that note what they were asked. */
export class FakeEngine {
  readonly registrations: RegisterResourceRequest[] = [];
  readonly reads: ReadResourceRequest[] = [];
  readonly outputs: RegisterResourceOutputsRequest[] = [];
  readonly invokes: MonitorInvokeRequest[] = [];
  readonly calls: MonitorCallRequest[] = [];
  readonly logs: LogRequest[] = [];
  readonly hooks: RegisterHookRequest[] = [];
  /** With how many resources were registered before. */
  readonly transforms: { readonly callback: CallbackReference; readonly registered: number }[] = [];
  readonly invokeTransforms: CallbackReference[] = [];
  readonly errorHooks: Parameters<Monitor['registerErrorHook']>[0][] = [];
  signedOff = 0;
  #underWay = 0;
  readonly #behaviour: FakeBehaviour;

  constructor(
    readonly settings: DeploymentSettings,
    behaviour: FakeBehaviour,
  ) {
    this.#behaviour = behaviour;
  }

  readonly monitor: Monitor = {
    supportsFeature: async () => true,
    getDeploymentInfo: async () => ({ ...this.settings, features: [] }),
    registerResource: (request) => this.#counted(() => this.#register(request)),
    readResource: (request) =>
      this.#counted(async () => {
        this.reads.push(request);
        const properties = (await this.#behaviour.read?.(request)) ?? request.properties;
        return { urn: this.#urnOf(request), id: this.#behaviour.readId ?? request.id, properties };
      }),
    existsResource: async () => ({ exists: true, unknown: false }),
    registerResourceOutputs: (request) =>
      this.#counted(async () => {
        this.outputs.push(request);
      }),
    invoke: (request) =>
      this.#counted(async () => {
        this.invokes.push(request);
        return this.#behaviour.invoke?.(request) ?? { result: request.args, failures: [], unknown: false };
      }),
    call: (request) =>
      this.#counted(async () => {
        this.calls.push(request);
        return { result: emptyMap, resultDependencies: {}, failures: [] };
      }),
    registerPackage: async () => ({ ref: '' }),
    registerStackTransform: (callback) =>
      this.#counted(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        this.transforms.push({ callback, registered: this.registrations.length });
      }),
    registerStackInvokeTransform: (callback) =>
      this.#counted(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        this.invokeTransforms.push(callback);
      }),
    registerResourceHook: (request) => this.#counted(async () => void this.hooks.push(request)),
    registerErrorHook: (request) => this.#counted(async () => void this.errorHooks.push(request)),
    signalAndWaitForShutdown: async () => {
      this.signedOff += 1;
      await this.#behaviour.end?.();
    },
  };

  readonly engine: EngineService = {
    log: async (request) => {
      this.logs.push(request);
    },
    getRootResource: async () => '',
    setRootResource: async () => {},
    startDebugging: async () => {},
    requirePulumiVersion: async () => {},
  };

  /** Resolves when no request was made for a while of turns: what an empty event loop is to a process. */
  readonly idle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 20; quiet += 1) {
      const before = this.#underWay;
      await new Promise((resolve) => setImmediate(resolve));
      if (before !== 0 || this.#underWay !== 0) quiet = 0;
    }
  };

  /** The registration of the resource with that name. */
  registration(name: string): RegisterResourceRequest {
    const found = this.registrations.find((request) => request.name === name);
    if (found === undefined)
      throw new Error(
        `${name} was not registered; there are ${this.registrations.map((r) => r.name).join(', ')}`,
      );
    return found;
  }

  /** The stack outputs that were sent. */
  get stackOutputs(): PropertyMap | undefined {
    return this.outputs.find(
      ({ urn }) => urn === this.registration(this.#stackName).parent || urn.includes('pulumi:pulumi:Stack'),
    )?.outputs;
  }

  get #stackName(): string {
    return `${this.settings.project}-${this.settings.stack}`;
  }

  async #register(request: RegisterResourceRequest): Promise<RegisterResourceResponse> {
    this.registrations.push(request);
    const usual: RegisterResourceResponse = {
      urn: this.#urnOf(request),
      id: request.custom && !this.settings.dryRun ? `${request.name}-id` : '',
      outputs: request.custom ? request.inputs : emptyMap,
      propertyDependencies: {},
      result: 'success',
      unknown: false,
    };
    return { ...usual, ...(await this.#behaviour.register?.(request)) };
  }

  #urnOf(request: { readonly type: string; readonly name: string; readonly parent: string }): Urn {
    const { stack, project } = this.settings;
    const parent = request.parent === '' ? undefined : (request.parent as Urn);
    return makeUrn({ stack, project, parent, type: request.type, name: request.name });
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      // As over a wire: the answer comes in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** What came of a program. */
export interface ProgramRun {
  readonly engine: FakeEngine;
  readonly code: number;
}

/** Runs a function as a program; what it returns are the stack's outputs. */
export async function run(
  program: () => unknown,
  options: {
    readonly settings?: Partial<DeploymentSettings>;
    readonly behaviour?: FakeBehaviour;
    /** Told of the engine before the program starts. */
    readonly onEngine?: (engine: FakeEngine) => void;
  } = {},
): Promise<ProgramRun> {
  const settings: DeploymentSettings = {
    project: 'shop',
    stack: 'dev',
    organization: 'organization',
    rootDirectory: process.cwd(),
    dryRun: false,
    parallel: 16,
    config: {},
    configSecretKeys: [],
    ...options.settings,
  };
  const engine = new FakeEngine(settings, options.behaviour ?? {});
  options.onEngine?.(engine);
  try {
    const running = runProgram(async () => ({ default: program }), {
      monitor: engine.monitor,
      engine: engine.engine,
      settings,
      directory: process.cwd(),
      idle: engine.idle,
    });
    return { engine, code: await running.finished };
  } finally {
    setDeployment(undefined);
  }
}

/** The answer of a monitor that is gone. */
export function gone(): never {
  throw new StatusError('UNAVAILABLE', 'resource monitor shut down');
}

/** A map literal. */
export const map = propertyMap;
