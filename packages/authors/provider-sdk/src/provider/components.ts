import { containsUnknown, emptyMap, fromPlainMap, newMap, plainOutputsMap, toPlainMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { InvalidInputsError, ProviderError, isStatusError } from '@cairn/wire';
import type {
  CallRequest,
  CallResponse,
  ConstructRequest,
  ConstructResponse,
  DeploymentContext,
  EngineService,
  Monitor,
} from '@cairn/wire';
import type { AnyComponent, AnyComponentMethod } from '../component-definition.js';
import type { HandlerContext } from '../handler-context.js';
import { checkShape } from '../schema/check.js';
import { shapeSpec } from '../schema/property.js';
import type { ShapeSpec } from '../schema/property.js';
import { markSecrets } from '../schema/secrets.js';

/** Connection data of a component's program. */
export interface ProgramPlace {
  readonly engineAddress: string;
  readonly programDirectory: string;
  readonly signal: AbortSignal;
}

/** Creates a component for a program that runs elsewhere. Invalid arguments are reported by property. */
export async function construct(
  component: AnyComponent,
  request: ConstructRequest,
  place: ProgramPlace,
): Promise<ConstructResponse> {
  const { type, name } = request;
  const inputs = checkedInputs(component, request);
  const { constructComponent } = await import('@cairn/sdk/runtime');
  return withProgram(request.context, place, async (program) => {
    const make = (...given: Parameters<AnyComponent['create']>) => component.create(...given);
    const made = await constructComponent(make, { ...request, ...program, inputs }).catch(
      (error: unknown) => {
        throw constructError(`${name} [${type}]`, error);
      },
    );
    const outputs = shapeSpec(component.outputs);
    if (!request.context.dryRun) refuseMissing(`${name} [${type}]`, outputs, made.outputs);
    return { ...made, outputs: markSecrets(made.outputs, outputs) };
  });
}

/** Runs a method of a component. Arguments that are unknown make the result unknown. */
export async function callMethod(
  method: AnyComponentMethod,
  self: { readonly urn: HandlerContext['urn'] },
  request: CallRequest,
  given: PropertyMap,
  context: HandlerContext,
  place: ProgramPlace,
): Promise<CallResponse> {
  const { inputs, failures } = checkShape(shapeSpec(method.inputs), plainOutputsMap(given));
  if (failures.length > 0) return { result: emptyMap, resultDependencies: {}, failures };
  if (containsUnknown(inputs)) return { result: emptyMap, resultDependencies: {}, failures: [] };
  const { inRemoteDeployment } = await import('@cairn/sdk/runtime');
  const result = await withProgram(request.context, place, (program) =>
    inRemoteDeployment(program, () => method.call(self, toPlainMap(inputs), context)),
  );
  const outputs = shapeSpec(method.outputs);
  return { result: markSecrets(fromPlainMap(result), outputs), resultDependencies: {}, failures: [] };
}

interface Program {
  readonly settings: DeploymentContext & { readonly rootDirectory: string };
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly signal: AbortSignal;
  readonly stackTraceHandle: string | undefined;
}

/** Connects to the program's monitor for the duration of some work. */
async function withProgram<T>(
  context: DeploymentContext,
  { engineAddress, programDirectory, signal }: ProgramPlace,
  work: (program: Program) => Promise<T>,
): Promise<T> {
  const [{ StreamCaller }, { EngineClient }, { MonitorClient }] = await Promise.all([
    import('@cairn/wire/caller'),
    import('@cairn/wire/engine-client'),
    import('@cairn/wire/monitor-client'),
  ]);
  const monitor = new StreamCaller(context.monitorAddress);
  const engine = engineAddress === '' ? undefined : new StreamCaller(engineAddress);
  try {
    return await work({
      settings: { ...context, rootDirectory: programDirectory },
      monitor: new MonitorClient(monitor),
      engine: engine === undefined ? nobody : new EngineClient(engine),
      signal,
      stackTraceHandle: context.stackTraceHandle,
    });
  } finally {
    monitor.close();
    engine?.close();
  }
}

/** Replaces an engine that has not given its address. Messages of a component to it are lost. */
const nobody: EngineService = {
  log: async () => {},
  getRootResource: async () => '',
  setRootResource: async () => {},
  startDebugging: async () => {},
  requirePulumiVersion: async () => {},
};

/** Returns the arguments with defaults filled in. Those of the program keep their marks and dependencies. */
function checkedInputs(component: AnyComponent, { inputs, type, name }: ConstructRequest): PropertyMap {
  const checked = checkShape(shapeSpec(component.inputs), plainOutputsMap(inputs));
  if (checked.failures.length > 0) {
    const errors = checked.failures.map(({ property, reason }) => ({ path: property, reason }));
    throw new InvalidInputsError(errors, `${name} [${type}] refuses its arguments`);
  }
  const full = newMap();
  for (const key of Object.keys(checked.inputs))
    full[key] = (inputs[key] ?? checked.inputs[key]) as PropertyValue;
  return full;
}

function refuseMissing(component: string, shape: ShapeSpec, outputs: PropertyMap): void {
  const missing = Object.keys(shape).filter(
    (key) => shape[key]?.presence !== 'optional' && (outputs[key] === undefined || outputs[key] === null),
  );
  if (missing.length === 0) return;
  throw new ProviderError(
    'INTERNAL',
    `${component} has not registered its outputs ${missing.join(', ')}: pass them to registerOutputs`,
  );
}

/**
 * Converts an error of a constructor. Errors of single inputs are reported by property; others name their component.
 */
function constructError(component: string, error: unknown): unknown {
  const { propertyPath, reason, errors, name, message } = (error ?? {}) as {
    readonly propertyPath?: string;
    readonly reason?: string;
    readonly errors?: readonly { readonly propertyPath: string; readonly reason: string }[];
    readonly name?: string;
    readonly message?: string;
  };
  if (name === 'InputPropertyError' && propertyPath !== undefined && reason !== undefined)
    return new InvalidInputsError([{ path: propertyPath, reason }], `${component} refuses an argument`);
  if (name === 'InputPropertiesError' && errors !== undefined) {
    const found = errors.map((each) => ({ path: each.propertyPath, reason: each.reason }));
    return new InvalidInputsError(found, message ?? `${component} refuses its arguments`);
  }
  if (isStatusError(error, 'UNAVAILABLE') || isStatusError(error, 'CANCELLED')) return error;
  return new ProviderError('UNKNOWN', `${component}: ${message ?? String(error)}`, { cause: error });
}
