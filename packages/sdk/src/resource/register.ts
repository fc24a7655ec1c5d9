import { newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type { RegisterResourceRequest, RegisterResourceResponse } from '@cairn/wire';
import { UNKNOWN_ID } from '@cairn/addresses';
import { gather } from '../output/gather.js';
import { isWhollyUnknown } from '../output/resolution.js';
import type { Deployment } from '../runtime/deployment.js';
import { isMonitorGone } from '../runtime/failures.js';
import type { Wait } from '../runtime/pending.js';
import type { AnyResourceOptions } from './options.js';
import type { ResourceNode } from './node.js';
import { readRequest, registerRequest } from './request.js';
import { RegistrationStopped, ResourceError } from './resource-error.js';
import type { ProgramFailureCode } from './resource-error.js';
import { positionText } from './source-position.js';
import { label } from './state.js';
import type { Registered, ResourceState } from './state.js';

/** Starts the registration, or the read when `options.id` names an object, and sees to it that a failure is noticed. */
export function startRegistration(
  deployment: Deployment,
  node: ResourceNode,
  inputs: object,
  options: AnyResourceOptions,
): void {
  const work =
    options.id === undefined
      ? register(deployment, node, inputs, options)
      : read(deployment, node, inputs, options);
  const { pending, failures } = deployment;
  const wait = new ResourceWait(node);
  pending.begin(wait);
  const settled = work.then(
    (answer) => {
      pending.end(wait);
      return answer;
    },
    (error: unknown) => {
      pending.fail(wait, error);
      failures.report(error);
      throw error;
    },
  );
  node.start(settled);
  // Failure was reported above; outputs that nobody reads must not report it again.
  node.registered().catch(ignore);
}

function ignore(): void {}

/** A resource that is waited for. Names itself when it is asked: most never are. */
class ResourceWait implements Wait {
  readonly kind = 'resource';

  constructor(private readonly node: ResourceNode) {}

  get what(): string {
    return label(this.node);
  }

  declaredAt(): string | undefined {
    return positionText(this.node.position);
  }

  abandon(reason: unknown): void {
    this.node.abandon(reason);
  }
}

/** Keeps nothing of the declaration while it is answered: a program may wait for tens of thousands of answers. */
function register(
  deployment: Deployment,
  node: ResourceNode,
  inputs: object,
  options: AnyResourceOptions,
): Promise<Registered> {
  const announced = deployment.callbacks.announced();
  const request =
    announced === undefined
      ? registerRequest(node, inputs, options)
      : announced.then(() => registerRequest(node, inputs, options));
  return request.then(
    (prepared) => send(deployment, node, prepared),
    (error: unknown) => {
      throw preparationError(node, error);
    },
  );
}

function send(
  { monitor, settings, pending }: Deployment,
  node: ResourceNode,
  request: RegisterResourceRequest,
): Promise<Registered> {
  if (pending.over)
    return Promise.reject(new RegistrationStopped(`${label(node)} came too late`, label(node)));
  const { custom, inputs } = request;
  return monitor.registerResource(request).then(
    (response) => answered(node, { custom, inputs }, response, settings.dryRun),
    (error: unknown) => {
      throw registrationError('register', node, error);
    },
  );
}

function answered(
  node: ResourceNode,
  sent: Pick<RegisterResourceRequest, 'custom' | 'inputs'>,
  response: RegisterResourceResponse,
  dryRun: boolean,
): Registered {
  if (response.result !== 'success') {
    throw new RegistrationStopped(
      `${label(node)} was not registered: it ${response.result === 'fail' ? 'failed' : 'was skipped'}`,
      label(node),
      positionText(node.position),
    );
  }
  return registered(sent, response, dryRun);
}

/** An answer as the program sees it [PRG-9]: in an update, inputs that the answer lacks are filled in. */
function registered(
  request: Pick<RegisterResourceRequest, 'custom' | 'inputs'>,
  response: RegisterResourceResponse,
  dryRun: boolean,
): Registered {
  const unknown = dryRun || response.unknown;
  return {
    urn: response.urn,
    id: knownId(response.id),
    outputs: unknown || !request.custom ? response.outputs : withInputs(response.outputs, request.inputs),
    outputDependencies: response.propertyDependencies,
    missingAreUnknown: unknown,
  };
}

function withInputs(outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
  let filled: PropertyMap | undefined;
  for (const key of Object.keys(inputs)) {
    if (Object.hasOwn(outputs, key)) continue;
    filled ??= Object.assign(newMap(), outputs);
    (filled as Record<string, unknown>)[key] = inputs[key];
  }
  return filled ?? outputs;
}

function knownId(id: string): string | undefined {
  return id === '' || id === UNKNOWN_ID ? undefined : id;
}

async function read(
  { monitor, settings }: Deployment,
  node: ResourceNode,
  inputs: object,
  options: AnyResourceOptions,
): Promise<Registered> {
  const id = (await gather(options.id)).value;
  const known = !isWhollyUnknown(id);
  if (known && (typeof id !== 'string' || id === '')) {
    throw new ResourceError(
      `cannot read ${label(node)}: its id is empty`,
      label(node),
      positionText(node.position),
    );
  }
  const request = await readRequest(node, known ? (id as string) : UNKNOWN_ID, inputs, options).catch(
    (error: unknown) => {
      throw preparationError(node, error);
    },
  );
  try {
    const { urn, properties } = await monitor.readResource(request);
    const unknown = settings.dryRun && !known;
    return {
      urn,
      id: known ? (id as string) : undefined,
      outputs: properties,
      outputDependencies: {},
      missingAreUnknown: unknown,
    };
  } catch (error) {
    throw registrationError('read', node, error);
  }
}

/** Errors in the inputs name the resource; errors of what the inputs wait for stay what they are. */
function preparationError(state: ResourceState, error: unknown): unknown {
  if ((error as { name?: unknown } | null)?.name !== 'SerializeError') return error;
  const message = `cannot register ${label(state)}: ${(error as Error).message}`;
  return new ResourceError(message, label(state), positionText(state.position), { cause: error });
}

function registrationError(verb: 'register' | 'read', state: ResourceState, error: unknown): Error {
  const text =
    error instanceof Error
      ? error.message
      : String((error as { message?: unknown } | null)?.message ?? error);
  const message = `cannot ${verb} ${label(state)}: ${text}`;
  const declaredAt = positionText(state.position);
  return isMonitorGone(error)
    ? new RegistrationStopped(message, label(state), declaredAt, { cause: error })
    : new ResourceError(message, label(state), declaredAt, { cause: error }, refusalCode(error));
}

/** INVALID_ARGUMENT says that the request itself cannot be right. */
function refusalCode(error: unknown): ProgramFailureCode {
  return isStatusError(error, 'INVALID_ARGUMENT') ? 'CAIRN-RESOURCE-OPTION' : 'CAIRN-RESOURCE-FAILED';
}
