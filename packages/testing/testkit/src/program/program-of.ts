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

/** Context of a program function. The monitor itself answers every call, without a connection. */
export interface ProgramContext {
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly dryRun: boolean;
  /** Further addresses of the engine. Empty texts for a program that is called directly. */
  readonly addresses: Pick<ProgramAddresses, 'loader' | 'mapper' | 'resolver'>;
  /**
   * URN of the stack resource, which is registered before the function runs. Parent of every resource without another
   * one.
   */
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
  /** Declares an explicit provider. Returns the reference that resources use. */
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

/** A program as a function. Its result contains the outputs of the stack. */
export type ProgramFunction = (context: ProgramContext) => Promise<Properties | void>;

/**
 * Converts the function to a program that the engine can run. Registers the stack before and its outputs after the
 * function, and waits for the end of the deployment, as SDKs do. An error in the function fails the program.
 */
export function programOf(
  body: ProgramFunction,
  stack: { readonly project: string; readonly stack: string },
  options: {
    /**
     * True to connect to the engine, as programs with an SDK do. By default the program receives the services directly.
     */
    readonly overWire?: boolean | undefined;
    /** True to wait for the end of the deployment before it ends itself. Defaults to true. */
    readonly waitsForEnd?: boolean | undefined;
    /** Called when that wait is answered. */
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
