import { newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type { RegisterResourceRequest, RegisterResourceResponse } from '@cairn/wire';
import { UNKNOWN_ID } from '@cairn/addresses';
import { gather } from '../output/gather.js';
import { isWhollyUnknown } from '../output/resolution.js';
import type { Deployment } from '../runtime/deployment.js';
import { isMonitorGone } from '../runtime/failures.js';
import type { PendingRequest } from '../runtime/pending.js';
import { separateLateArguments } from './late-arguments.js';
import type { LateArguments } from './late-arguments.js';
import type { AnyResourceOptions } from './options.js';
import { ResourceNode } from './node.js';
import type { AfterParent } from './node.js';
import { readRequest, registerRequest } from './request.js';
import { RegistrationStopped, ResourceError } from './resource-error.js';
import type { ProgramFailureCode } from './resource-error.js';
import { positionText } from './source-position.js';
import { label } from './state.js';
import type { Registered, ResourceState } from './state.js';

/** Starts the registration, or the read if `options.id` names an object. A failure is always noticed. */
export function startRegistration(
  deployment: Deployment,
  node: ResourceNode,
  inputs: object,
  options: AnyResourceOptions,
): void {
  const split = node.kind === 'component' ? separateLateArguments(inputs) : undefined;
  const declaration = new Declaration(deployment, node, split?.known ?? inputs, options, split?.late);
  node.open();
  deployment.pending.begin(declaration);
  if (options.id !== undefined) return declaration.settledBy(read(deployment, node, inputs, options));
  const announced = deployment.callbacks.announced();
  if (announced === undefined) return declaration.begin();
  announced.then(
    () => declaration.begin(),
    (error: unknown) => declaration.fail(error),
  );
}

/**
 * A declared resource without an answer. Keeps nothing of the declaration while it waits: a program may wait for tens
 * of thousands of answers. Computes its name on request, since most are never asked for it.
 */
class Declaration implements PendingRequest, AfterParent {
  readonly kind: 'resource';
  #given: Given | undefined;
  readonly #deployment: Deployment;
  readonly #node: ResourceNode;

  constructor(
    deployment: Deployment,
    node: ResourceNode,
    inputs: object,
    options: AnyResourceOptions,
    late: LateArguments | undefined,
  ) {
    this.#deployment = deployment;
    this.#node = node;
    this.kind = 'resource';
    this.#given = { inputs, options, late };
  }

  get what(): string {
    return label(this.#node);
  }

  declaredAt(): string | undefined {
    return positionText(this.#node.position);
  }

  abandon(reason: unknown): void {
    this.#node.fail(reason);
  }

  /** Continues when the parent is registered. */
  begin(): void {
    const { parent } = this.#node;
    if (parent === undefined || parent.done !== undefined) return this.run();
    if (parent instanceof ResourceNode) return parent.before(this);
    parent.registered().then(
      () => this.run(),
      (error: unknown) => this.fail(error),
    );
  }

  run(): void {
    const { inputs, options, late } = this.#given as Given;
    this.#given = undefined;
    const request =
      late === undefined
        ? registerRequest(this.#node, inputs, options)
        : componentRequest(this.#deployment, this.#node, { inputs, options, late });
    request.then(
      (request) => this.#send(request),
      (error: unknown) => this.fail(preparationError(this.#node, error)),
    );
  }

  /** Reports an error, and passes it to everything that waits for the resource. */
  fail(error: unknown): void {
    const { pending, failures } = this.#deployment;
    pending.fail(this, error);
    failures.report(error);
    this.#node.fail(error);
  }

  settledBy(work: Promise<Registered>): void {
    work.then(
      (registered) => this.#end(registered),
      (error: unknown) => this.fail(error),
    );
  }

  #end(registered: Registered): void {
    this.#deployment.pending.end(this);
    this.#node.end(registered);
  }

  #send(request: RegisterResourceRequest): void {
    const deployment = this.#deployment;
    const node = this.#node;
    if (deployment.pending.over)
      return this.fail(new RegistrationStopped(`${label(node)} came too late`, label(node)));
    const { custom, inputs } = request;
    this.settledBy(
      deployment.monitor.registerResource(request).then(
        (response) => answered(node, { custom, inputs }, response, deployment.settings.dryRun),
        (error: unknown) => {
          throw registrationError('register', node, error);
        },
      ),
    );
  }
}

/** Inputs of a declaration. */
interface Given {
  readonly inputs: object;
  readonly options: AnyResourceOptions;
  /** Arguments of a component that are not among its inputs yet. */
  readonly late: LateArguments | undefined;
}

/**
 * Builds the registration of a component with late arguments. It is sent at once if the engine takes them later, else
 * with them.
 */
async function componentRequest(
  { late: lateInputs }: Deployment,
  node: ResourceNode,
  { inputs, options, late }: Given & { readonly late: LateArguments },
): Promise<RegisterResourceRequest> {
  if (!(await lateInputs.taken))
    return registerRequest(node, { ...inputs, ...(await lateInputs.arrived(late)) }, options);
  lateInputs.defer(node, late);
  const request = await registerRequest(node, inputs, options);
  return { ...request, lateInputs: [...late.values.keys()] };
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

/** Converts an answer for the program. In an update, missing outputs are filled in from the inputs. */
// [PRG-9]
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
    const { urn, id: found, properties } = await monitor.readResource(request);
    const unknown = settings.dryRun && !known;
    return {
      urn,
      id: knownId(found) ?? (known ? (id as string) : undefined),
      outputs: properties,
      outputDependencies: {},
      missingAreUnknown: unknown,
    };
  } catch (error) {
    throw registrationError('read', node, error);
  }
}

/** Names the resource in errors of its inputs. Errors of what the inputs wait for remain unchanged. */
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

/** Returns the code of a refusal. INVALID_ARGUMENT means that the request itself is invalid. */
function refusalCode(error: unknown): ProgramFailureCode {
  return isStatusError(error, 'INVALID_ARGUMENT') ? 'CAIRN-RESOURCE-OPTION' : 'CAIRN-RESOURCE-FAILED';
}
