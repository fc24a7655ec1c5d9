import { ROOT_STACK_TYPE, makeProviderReference, providerType } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import type { Program, ProgramAddresses } from '@cairn/engine';
import { propertyMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type {
  EngineService,
  Monitor,
  ReadResourceRequest,
  ReadResourceResponse,
  RegisterResourceRequest,
  RegisterResourceResponse,
  RunResult,
} from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { ProgramCallbackServer } from './program-callbacks.js';
import { readRequest, registerRequest } from './requests.js';

/** Properties as a test writes them. */
export type Properties = { readonly [key: string]: PropertyValue | undefined };

/** What a program function works with. Everything is answered by the monitor itself, without a connection. */
export interface ProgramContext {
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly dryRun: boolean;
  /** Where else the engine listens; empty texts for a program that is called directly. */
  readonly addresses: Pick<ProgramAddresses, 'loader' | 'mapper' | 'resolver'>;
  /** URN of the stack resource, which is registered before the function runs; parent of what has no other. */
  readonly stack: Urn;
  resource(
    type: string,
    name: string,
    inputs?: Properties,
    options?: Partial<RegisterResourceRequest>,
  ): Promise<RegisterResourceResponse>;
  component(
    type: string,
    name: string,
    options?: Partial<RegisterResourceRequest>,
  ): Promise<RegisterResourceResponse>;
  /** An explicit provider, as the reference that resources name. */
  provider(
    pkg: string,
    name: string,
    inputs?: Properties,
    options?: Partial<RegisterResourceRequest>,
  ): Promise<ProviderReference>;
  read(
    type: string,
    name: string,
    id: string,
    options?: Partial<ReadResourceRequest>,
  ): Promise<ReadResourceResponse>;
  outputs(urn: Urn, outputs: Properties): Promise<void>;
  /** Registers a hook, served on this machine; see {@link ProgramCallbackServer.hook}. */
  readonly hook: ProgramCallbackServer['hook'];
  /** Registers an error hook. */
  readonly errorHook: ProgramCallbackServer['errorHook'];
  /** Serves any other function that the engine calls. */
  readonly callback: ProgramCallbackServer['serve'];
}

/** A program as a function; what it returns are the outputs of the stack. */
export type ProgramFunction = (context: ProgramContext) => Promise<Properties | void>;

/**
 * The function as a program that the engine can run. It registers the stack before and its outputs after the function,
 * and waits for the end of the deployment, as SDKs do. What the function throws fails the program.
 */
export function programOf(
  body: ProgramFunction,
  stack: { readonly project: string; readonly stack: string },
  options: {
    /** It dials the engine, as programs with an SDK do. Default: it is handed the services. */
    readonly overWire?: boolean | undefined;
    /** Whether it waits for the end of the deployment before it ends itself. Default: yes. */
    readonly waitsForEnd?: boolean | undefined;
    /** Called when that wait has been answered. */
    readonly onWaited?: (() => void) | undefined;
  } = {},
): Program {
  if (options.overWire !== true) {
    return {
      inProcess: true,
      run: (addresses) => run(body, stack, addresses, options),
      cancel: () => Promise.resolve(),
    };
  }
  return {
    run: (addresses) => dialling(addresses, (connected) => run(body, stack, connected, options)),
    cancel: () => Promise.resolve(),
  };
}

async function dialling<T>(addresses: ProgramAddresses, use: (connected: ProgramAddresses) => Promise<T>) {
  const caller = new StreamCaller(addresses.monitor);
  const services = { monitor: new MonitorClient(caller), engine: new EngineClient(caller) };
  return use({ ...addresses, services }).finally(() => caller.close());
}

async function run(
  body: ProgramFunction,
  { project, stack }: { readonly project: string; readonly stack: string },
  addresses: ProgramAddresses,
  { waitsForEnd = true, onWaited }: NonNullable<Parameters<typeof programOf>[2]>,
): Promise<RunResult> {
  const { services } = addresses;
  const { monitor } = services;
  const callbacks = new ProgramCallbackServer(monitor);
  try {
    const name = `${project}-${stack}`;
    const { urn } = await monitor.registerResource(
      registerRequest({ type: ROOT_STACK_TYPE, name, custom: false }),
    );
    await services.engine.setRootResource(urn);
    const outputs = await body(contextOf(addresses, urn, callbacks));
    await monitor.registerResourceOutputs({ urn, outputs: propertyMap(outputs ?? {}) });
    if (waitsForEnd) {
      await monitor.signalAndWaitForShutdown();
      onWaited?.();
    }
    return { t: 'ok' };
  } catch (error) {
    return isStatusError(error, 'UNAVAILABLE') ? { t: 'bail' } : { t: 'failed', message: messageOf(error) };
  } finally {
    await callbacks.close();
  }
}

function contextOf(
  { services: { monitor, engine }, dryRun, loader, mapper, resolver }: ProgramAddresses,
  stack: Urn,
  callbacks: ProgramCallbackServer,
): ProgramContext {
  const register = (spec: Parameters<typeof registerRequest>[0]) =>
    monitor.registerResource(registerRequest({ parent: stack, ...spec }));
  const inputsOf = (inputs: Properties = {}): PropertyMap => propertyMap(inputs);
  return {
    monitor,
    engine,
    dryRun,
    addresses: { loader, mapper, resolver },
    stack,
    resource: (type, name, inputs, options) => register({ type, name, inputs: inputsOf(inputs), ...options }),
    component: (type, name, options) => register({ type, name, custom: false, ...options }),
    provider: async (pkg, name, inputs, options) => {
      const spec = { type: providerType(pkg), name, inputs: inputsOf(inputs), ...options };
      const { urn, id } = await register(spec);
      return makeProviderReference(urn, id);
    },
    read: (type, name, id, options) =>
      monitor.readResource(readRequest({ type, name, id, parent: stack, ...options })),
    outputs: (urn, outputs) => monitor.registerResourceOutputs({ urn, outputs: propertyMap(outputs) }),
    hook: (...hook) => callbacks.hook(...hook),
    errorHook: (...hook) => callbacks.errorHook(...hook),
    callback: (add) => callbacks.serve(add),
  };
}
