import type {
  AcceptFlags,
  CallbackReference,
  Intake,
  Monitor,
  MonitorCallRequest,
  MonitorInvokeRequest,
  ReadResourceRequest,
} from '../contracts/monitor.js';
import { StatusError } from '../contracts/status.js';
import type { Callback } from '../generated/pulumi/callback.js';
import * as pb from '../generated/pulumi/resource.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { decodeDependencies, encodeDependencies } from '../provider/dependencies.js';
import { methodPath } from '../rpc/method.js';
import { service } from '../rpc/service.js';
import type { CallContext, Service, ServiceHandlers, UnaryHandler } from '../rpc/service.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { featureNumbers } from './features.js';
import { decodeRegistration, encodeRegistered } from './registration.js';
import {
  answerOptions,
  decodeAccepts,
  decodeCallback,
  decodeSelector,
  decodeSource,
} from './request-parts.js';

/**
 * Largest registration, in bytes. The journal and the state contain its inputs and about the same as outputs in one
 * JSON text. This text is readable even if each byte needs six.
 */
export const MAX_REGISTRATION_BYTES = 40 * 1024 * 1024;

/** Separate from the handler, so that the raw message need not be kept until there is an answer. */
async function register(monitor: Monitor, request: ReturnType<typeof decodeRegistration>) {
  return encodeRegistered(await monitor.registerResource(request), request);
}

/**
 * Serves a monitor to one program. Answers are reduced to the values that the sender of the request accepts. `intake`
 * holds back registrations and reads before they are decoded. Without it, all of them are decoded on arrival.
 */
export function monitorService(monitor: Monitor, intake?: Intake): Service {
  const served = limited(service(pb.ResourceMonitorDefinition, handlersOf(monitor)));
  return intake === undefined ? served : inTurn(served, ['registerResource', 'readResource'], intake);
}

type Method = keyof typeof pb.ResourceMonitorDefinition.methods;

/** Refuses registrations that are larger than the journal and the state can contain. */
function limited(served: Service): Service {
  return replaced(
    served,
    ['registerResource', 'registerResourceOutputs'],
    (handler) => (body, context) =>
      body.length > MAX_REGISTRATION_BYTES ? Promise.reject(tooLarge(body.length)) : handler(body, context),
  );
}

function tooLarge(bytes: number): StatusError {
  return new StatusError(
    'RESOURCE_EXHAUSTED',
    `a registration of ${bytes} bytes is larger than the limit of ${MAX_REGISTRATION_BYTES} bytes`,
  );
}

/** Keeps calls of these methods as bytes until they are admitted. */
function inTurn(served: Service, methods: readonly Method[], intake: Intake): Service {
  return replaced(
    served,
    methods,
    (handler) => (body, context) =>
      intake.open
        ? handler(body, context)
        : new Promise((resolve) => intake.wait(() => resolve(handler(body, context)))),
  );
}

function replaced(
  served: Service,
  methods: readonly Method[],
  replace: (handler: UnaryHandler) => UnaryHandler,
): Service {
  const unary = new Map(served.unary);
  for (const method of methods) {
    const path = methodPath(pb.ResourceMonitorDefinition, pb.ResourceMonitorDefinition.methods[method]);
    unary.set(path, replace(unary.get(path) as UnaryHandler));
  }
  return { ...served, unary };
}

function handlersOf(monitor: Monitor): ServiceHandlers<typeof pb.ResourceMonitorDefinition> {
  return {
    getDeploymentInfo: async () => {
      const info = await monitor.getDeploymentInfo();
      return {
        project: info.project,
        stack: info.stack,
        organization: info.organization,
        config: encodeMap(info.config),
        configSecretKeys: [...info.configSecretKeys],
        dryRun: info.dryRun,
        parallel: info.parallel,
        supportedFeatures: featureNumbers(info.features),
      };
    },
    supportsFeature: async ({ id }) => ({ hasSupport: await monitor.supportsFeature(id) }),
    registerResource: (wire, context) => register(monitor, decodeRegistration(wire, isFromNode(context))),
    readResource: async (wire) => {
      const request = decodeRead(wire);
      const { urn, id, properties } = await monitor.readResource(request);
      return {
        urn,
        id,
        properties: encodeStruct(properties, answerOptions(request.accepts)),
        result: pb.Result.SUCCESS,
        unknown: false,
      };
    },
    existsResource: (wire) => {
      const { type, id, parent, provider } = wire;
      const properties = decodeStruct(wire.properties);
      return monitor.existsResource({
        type,
        id,
        parent,
        provider,
        properties,
        package: decodeSelector(wire),
      });
    },
    registerResourceOutputs: async ({ urn, outputs, lateInputs }) => {
      await monitor.registerResourceOutputs({
        urn,
        outputs: decodeStruct(outputs),
        ...(lateInputs !== undefined && { lateInputs: decodeStruct(lateInputs) }),
      });
      return {};
    },
    invoke: async (wire) => {
      const request = decodeInvoke(wire);
      const { result, failures, unknown } = await monitor.invoke(request);
      return {
        return: encodeStruct(result, {
          ...answerOptions(invokeAccepts(request)),
          keepOutputValues: wire.acceptOutputValues,
        }),
        failures: [...failures],
        unknown,
      };
    },
    call: async (wire) => {
      const answer = await monitor.call(decodeCall(wire));
      return {
        return: encodeStruct(answer.result, {
          keepByteStrings: wire.acceptsByteString,
          keepOutputValues: wire.acceptOutputValues,
        }),
        returnDependencies: encodeDependencies(answer.resultDependencies),
        failures: [...answer.failures],
      };
    },
    registerPackage: (wire) => monitor.registerPackage({ ...wire, checksums: decodeMap(wire.checksums) }),
    registerStackTransform: async (wire) => {
      await monitor.registerStackTransform(callback(wire));
      return {};
    },
    registerStackInvokeTransform: async (wire) => {
      await monitor.registerStackInvokeTransform(callback(wire));
      return {};
    },
    registerResourceHook: async (wire) => {
      const { name, onDryRun, ignoreErrors } = wire;
      await monitor.registerResourceHook({ name, callback: callback(wire.callback), onDryRun, ignoreErrors });
      return {};
    },
    registerErrorHook: async (wire) => {
      await monitor.registerErrorHook({ name: wire.name, callback: callback(wire.callback) });
      return {};
    },
    signalAndWaitForShutdown: async () => {
      await monitor.signalAndWaitForShutdown();
      return {};
    },
  };
}

/** Tells whether a Node SDK sends the call, by its own declaration or its library. */
function isFromNode(context: CallContext): boolean {
  const runtime = context.metadata('pulumi-runtime');
  if (runtime !== undefined) return runtime === 'nodejs';
  return context.metadata('user-agent')?.startsWith('grpc-node-js/') === true;
}

/**
 * Returns the accept flags of an invoke. An invoke that reads a resource by its URN always receives references [INV-4].
 */
function invokeAccepts({ token, accepts }: MonitorInvokeRequest): AcceptFlags {
  return token === 'pulumi:pulumi:getResource' ? { ...accepts, resources: true } : accepts;
}

function callback(wire: Callback | undefined): CallbackReference {
  if (wire === undefined || wire.target === '')
    throw new StatusError('INVALID_ARGUMENT', 'the callback has no target');
  return decodeCallback(wire);
}

function decodeRead(wire: pb.ReadResourceRequest): ReadResourceRequest {
  const { id, type, name, parent, dependencies, provider, additionalSecretOutputs } = wire;
  return {
    id,
    type,
    name,
    parent,
    properties: decodeStruct(wire.properties),
    dependencies,
    provider,
    package: decodeSelector(wire),
    additionalSecretOutputs,
    ...decodeSource(wire),
    accepts: decodeAccepts(wire),
  };
}

function decodeInvoke(wire: pb.ResourceInvokeRequest): MonitorInvokeRequest {
  return {
    token: wire.tok,
    args: decodeStruct(wire.args, { keepOutputValues: true }),
    provider: wire.provider,
    parent: wire.parent,
    package: decodeSelector(wire),
    dependsOn: wire.dependsOn,
    ...(wire.acceptOutputValues && { acceptsOutputValues: true }),
    ...calledFrom(wire),
    accepts: decodeAccepts({
      acceptResources: wire.acceptResources,
      acceptsByteString: wire.acceptsByteString,
    }),
  };
}

function decodeCall(wire: pb.ResourceCallRequest): MonitorCallRequest {
  return {
    token: wire.tok,
    args: decodeStruct(wire.args, { keepOutputValues: true }),
    argDependencies: decodeDependencies(wire.argDependencies),
    provider: wire.provider,
    package: decodeSelector(wire),
    ...(wire.acceptOutputValues && { acceptsOutputValues: true }),
    ...calledFrom(wire),
  };
}

/** Returns the stack frames of an invoke or call, if it has any. */
function calledFrom(
  wire: pb.ResourceInvokeRequest | pb.ResourceCallRequest,
): Pick<MonitorCallRequest, 'sourcePosition' | 'stackTrace' | 'parentStackTraceHandle'> {
  const { sourcePosition, stackTrace, ...handle } = decodeSource(wire);
  return {
    ...(sourcePosition !== undefined && { sourcePosition }),
    ...(stackTrace.length > 0 && { stackTrace }),
    ...handle,
  };
}
