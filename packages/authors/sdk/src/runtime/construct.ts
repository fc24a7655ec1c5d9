import { setTimeout as pause } from 'node:timers/promises';
import { ROOT_STACK_TYPE, makeUrn, parseProviderReference, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { containsSecret, containsUnknown, emptyMap, some, isOutputValue } from '@cairn/values';
import type { OutputValue, PropertyMap, PropertyValue } from '@cairn/values';
import { overrideMonitor } from '@cairn/wire';
import type {
  ConstructOptions,
  ConstructResponse,
  EngineService,
  Monitor,
  RegisterResourceRequest,
} from '@cairn/wire';
import { makeOutput } from '../output/output.js';
import { DependencyResource } from '../resource/identity.js';
import { ResourceNode } from '../resource/node.js';
import type { AnyProvider, ComponentResourceOptions } from '../resource/options.js';
import { resourceOf } from '../resource/resource.js';
import type { ComponentResource } from '../resource/resource.js';
import { PROVIDER, STATE } from '../resource/state.js';
import type { AnyResource } from '../resource/state.js';
import { deserialize } from '../values/deserialize.js';
import { RegisteredCallbacks } from './callbacks.js';
import { inDeployment } from './deployment.js';
import type { Deployment, DeploymentSettings } from './deployment.js';
import { makeDeployment } from './run-program.js';
import { OpenCalls } from './silence.js';
import { hearUnhandledServed } from './unhandled.js';

/** A component that another program requests. */
export interface Construction {
  readonly settings: DeploymentSettings;
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
  /** Checked arguments. Outputs, secrets and unknowns are marked. */
  readonly inputs: PropertyMap;
  readonly inputDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly options: ConstructOptions;
  /** Sent back with registrations, so that stack traces begin with the caller's. */
  readonly stackTraceHandle: string | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /**
   * Milliseconds without a request to the engine after which inner components that wait for one another are registered
   * without the missing values. Defaults to 10,000.
   */
  // [REG-19]
  readonly patience?: number;
}

/** Creates a component of a class. */
export type MakeComponent = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: ComponentResourceOptions,
) => ComponentResource;

/**
 * Creates a component for a program that runs elsewhere, in any language. The component and its children are registered
 * with that program's monitor. Resolves when everything begun by its constructor has ended; rejects with the first
 * failure. Several can run in one process at a time.
 */
export async function constructComponent(
  make: MakeComponent,
  asked: Construction,
): Promise<ConstructResponse> {
  const outputs = new Map<string, PropertyMap>();
  const monitor = monitorFor(asked, outputs);
  const served = remoteDeployment({ ...asked, monitor });
  return inDeployment(served.deployment, async () => {
    const args = argumentsOf(asked);
    const component = make(asked.name, args, optionsOf(asked));
    await ended(served, asked);
    const { urn } = await component[STATE].registered();
    // Code that uses an output depends on the component, and so on everything below it.
    return { urn, outputs: outputs.get(urn) ?? emptyMap, outputDependencies: {} };
  });
}

/** Runs a function of a component as a part of the calling program. It may declare resources. */
export async function inRemoteDeployment<T>(
  asked: Pick<Construction, 'settings' | 'monitor' | 'engine' | 'signal' | 'patience'>,
  work: () => Promise<T>,
): Promise<T> {
  const served = remoteDeployment(asked);
  return inDeployment(served.deployment, async () => {
    const result = await work();
    await ended(served, asked);
    return result;
  });
}

/** A deployment in a process that serves many. */
interface ServedDeployment {
  readonly deployment: Deployment;
  readonly calls: OpenCalls;
}

function remoteDeployment({
  settings,
  monitor,
  engine,
}: Pick<Construction, 'settings' | 'monitor' | 'engine'>): ServedDeployment {
  const calls = new OpenCalls();
  const counted = calls.count(monitor);
  const deployment = makeDeployment({ settings, monitor: counted, engine }, new RegisteredCallbacks());
  hearUnhandledServed(deployment);
  const { project, stack } = settings;
  const urn = makeUrn({ project, stack, type: ROOT_STACK_TYPE, name: `${project}-${stack}` });
  (deployment.root as unknown as ResourceNode).start(known(urn, undefined));
  return { deployment, calls };
}

/** Returns a monitor that adds the caller's data to the component's registration, and keeps its outputs. */
function monitorFor(asked: Construction, outputs: Map<string, PropertyMap>): Monitor {
  const { monitor, stackTraceHandle } = asked;
  const traced = stackTraceHandle === undefined ? {} : { parentStackTraceHandle: stackTraceHandle };
  return overrideMonitor(monitor, {
    registerResource: (request, next) => {
      const isComponent = !request.custom && request.type === asked.type && request.name === asked.name;
      const full = isComponent ? withOptions(request, asked.options) : request;
      return next({ ...full, ...traced });
    },
    readResource: (request, next) => next({ ...request, ...traced }),
    invoke: (request, next) => next({ ...request, ...traced }),
    call: (request, next) => next({ ...request, ...traced }),
    registerResourceOutputs: (request, next) => {
      outputs.set(request.urn, request.outputs);
      return next(request);
    },
  });
}

function withOptions(request: RegisterResourceRequest, options: ConstructOptions): RegisterResourceRequest {
  const { customTimeouts, deletedWith, hooks, protect, retainOnDelete } = options;
  return {
    ...request,
    aliases: [...options.aliases, ...request.aliases],
    dependencies: [...new Set([...request.dependencies, ...options.dependencies])],
    ignoreChanges: [...request.ignoreChanges, ...options.ignoreChanges],
    replaceOnChanges: [...request.replaceOnChanges, ...options.replaceOnChanges],
    additionalSecretOutputs: [...request.additionalSecretOutputs, ...options.additionalSecretOutputs],
    replaceWith: [...request.replaceWith, ...options.replaceWith],
    customTimeouts: customTimeouts ?? request.customTimeouts,
    deletedWith: deletedWith ?? request.deletedWith,
    deleteBeforeReplace: options.deleteBeforeReplace ?? request.deleteBeforeReplace,
    protect: protect ?? request.protect,
    retainOnDelete: retainOnDelete ?? request.retainOnDelete,
    replacementTrigger: options.replacementTrigger ?? request.replacementTrigger,
    hooks: hooks ?? request.hooks,
  };
}

/** Returns the arguments for the component's constructor: outputs where a value is not plain. */
export function argumentsOf({
  inputs,
  inputDependencies,
}: Pick<Construction, 'inputs' | 'inputDependencies'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(inputs).map((key) => {
      const value = inputs[key] as PropertyValue;
      const urns = new Set<Urn>(inputDependencies[key] ?? []);
      let isPlain = urns.size === 0 && !containsSecret({ value }) && !containsUnknown({ value });
      some(value, (inner) => {
        if (!isOutputValue(inner)) return false;
        isPlain = false;
        for (const urn of (inner as OutputValue).dependencies) urns.add(urn);
        return false;
      });
      const found = deserialize(value, resourceOf);
      if (isPlain) return [key, found.value];
      const dependencies = new Set([...urns].map((urn) => new DependencyResource(urn)));
      return [key, makeOutput(Promise.resolve({ ...found, dependencies }))];
    }),
  );
}

function optionsOf({ parent, options }: Construction): ComponentResourceOptions {
  return {
    ...(parent === undefined ? {} : { parent: resourceAt(parent, 'component') }),
    providers: Object.fromEntries(
      Object.entries(options.providers).map(([pkg, reference]) => [pkg, providerAt(reference)]),
    ),
  };
}

/** Returns a resource of the program that is known by its URN only. */
function resourceAt(urn: Urn, kind: 'component' | 'custom', id?: string): { readonly [STATE]: ResourceNode } {
  const node = new ResourceNode({ kind, type: urnType(urn), name: urnName(urn), parent: undefined });
  node.start(known(urn, id));
  return { [STATE]: node };
}

function providerAt(text: string): AnyProvider {
  const { urn, id } = parseProviderReference(text as Parameters<typeof parseProviderReference>[0]);
  const resource: AnyResource = resourceAt(urn, 'custom', id);
  const idOutput = makeOutput<string>(
    Promise.resolve({ value: id, secret: false, dependencies: new Set([resource]) }),
  );
  return { ...resource, id: idOutput, [PROVIDER]: true };
}

const known = async (urn: Urn, id: string | undefined) => ({
  urn,
  id,
  outputs: emptyMap,
  outputDependencies: {},
  missingAreUnknown: false,
});

/** Number of quiet checks in a row after which nothing more is expected. */
const QUIET_LOOKS = 3;

const PATIENCE = 10_000;

/**
 * Resolves when nothing is pending. Rejects with the first failure, or when the wait is cancelled. A serving process
 * never runs out of events, so components that wait for one another are detected by the time in which nothing happens.
 */
async function ended(
  { deployment, calls }: ServedDeployment,
  { signal, patience = PATIENCE }: Pick<Construction, 'signal' | 'patience'>,
): Promise<void> {
  const { pending, failures, late } = deployment;
  let failed: { readonly error: unknown } | undefined;
  void failures.ended.then((failure) => {
    failed = { error: failure.t === 'loud' ? failure.error : new Error('the operation has ended') };
  });
  let wait = 1;
  let still = 0;
  let before = pending.size;
  for (let quiet = 0; quiet < QUIET_LOOKS; quiet += 1) {
    await pause(wait);
    if (failed !== undefined) throw failed.error;
    if (signal.aborted) throw givenUp(pending.list().map(({ what }) => what));
    if (pending.size === 0) {
      if (failures.any) throw new Error('a resource below the component was not registered');
      continue;
    }
    quiet = -1;
    still = calls.open > 0 || pending.size !== before ? 0 : still + wait;
    before = pending.size;
    if (still >= patience && late.release()) still = 0;
    wait = Math.min(wait * 2, 20);
  }
}

function givenUp(waits: readonly string[]): Error {
  return new Error(
    waits.length === 0
      ? 'cancelled before the component was created'
      : `cancelled while the component still waits for ${waits.slice(0, 10).join(', ')}`,
  );
}
