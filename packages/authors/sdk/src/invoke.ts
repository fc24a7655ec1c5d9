import { tokenPackage } from '@cairn/addresses';
import {
  ResourceReference,
  UNKNOWN,
  containsSecret,
  containsUnknown,
  newMap,
  stripSecretsMap,
} from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { isStatusError } from '@cairn/wire';
import type { CheckFailure, MonitorInvokeResponse } from '@cairn/wire';
import { gather } from './output/gather.js';
import { makeOutput } from './output/output.js';
import { sourceOf } from './output/brand.js';
import type { Output } from './output/brand.js';
import { hasUnknown } from './output/resolution.js';
import type { Resolution } from './output/resolution.js';
import { STATE } from './resource/state.js';
import { dependencyUrns } from './resource/dependencies.js';
import type { AnyProvider, ResourceOptions } from './resource/options.js';
import { providerReference } from './resource/providers.js';
import { ACCEPTS, packageSelector } from './resource/request.js';
import { resourceOf } from './resource/resource.js';
import { askedFrom, sourcePosition } from './resource/source-position.js';
import type { CallSite } from './resource/source-position.js';
import type { AnyResource } from './resource/state.js';
import { fromHere } from './runtime/call-site.js';
import { deployment } from './runtime/deployment.js';
import { isMonitorGone } from './runtime/failures.js';
import { deserialize } from './values/deserialize.js';
import { serializeMap } from './values/serialize.js';

/** Options of an invoke: its provider and its dependencies. */
export interface InvokeOptions {
  /** Resource whose providers are used if no provider is given. */
  readonly parent?: AnyResource | undefined;
  readonly provider?: AnyProvider | undefined;
  readonly dependsOn?: ResourceOptions['dependsOn'];
  readonly version?: string | undefined;
  readonly pluginDownloadURL?: string | undefined;
}

/** Thrown when an invoke fails. */
export class InvokeError extends Error {
  override readonly name = 'InvokeError';
}

/**
 * Invokes a function of a provider. The result is an output: unknown if an argument is, secret if an argument is, and
 * dependent on the resources of the arguments.
 */
// [INV-3]
export function invoke<T = Record<string, unknown>>(
  token: string,
  args: object = {},
  options: InvokeOptions = {},
): Output<T> {
  const { pending } = deployment();
  const work = toldFrom(fromHere(), ask(token, args, options, askedFrom(invoke)));
  return makeOutput(
    pending.track({ kind: 'call', what: `the answer to ${token}`, declaredAt: undefined }, work),
  );
}

/**
 * Invokes like `invoke`, but returns a promise of the plain result, for programs that need it at once. Secrets in it
 * are bare. A result that is unknown in a preview is an error.
 */
export async function invokePlain(
  token: string,
  args: object = {},
  options: InvokeOptions = {},
): Promise<Record<string, unknown>> {
  return (await plainAnswer(token, invoke(token, args, options))) as Record<string, unknown>;
}

/** Returns a result as a plain value. A result that is not known yet is an error. */
export async function plainAnswer(token: string, answer: Output<unknown>): Promise<unknown> {
  const { value } = await sourceOf(answer);
  if (hasUnknown(value))
    throw new InvokeError(
      `the answer of ${token} is not known in this preview; use the form that returns an output`,
    );
  return value;
}

/** Adds the calling line to errors of the call itself. Other errors pass unchanged. */
async function toldFrom<T>(here: ReturnType<typeof fromHere>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InvokeError) throw here(error);
    if (!isStatusError(error) || isMonitorGone(error)) throw error;
    throw here(new InvokeError(error.message));
  }
}

async function ask(
  token: string,
  args: object,
  options: InvokeOptions,
  from: CallSite | undefined,
): Promise<Resolution> {
  const { monitor, root, callbacks } = deployment();
  const announced = callbacks.announced();
  if (announced !== undefined) await announced;
  const dependencies = new Set<AnyResource>();
  const given = await serializeMap(args, { keepOutputs: false, dependencies }, undefined);
  const secret = containsSecret(given);
  for (const resource of await namedResources(options.dependsOn)) dependencies.add(resource);
  if (containsUnknown(given)) return { value: UNKNOWN, secret, dependencies };
  const parent = options.parent?.[STATE] ?? root;
  const provider = options.provider ?? parent.providers.get(tokenPackage(token));
  const answer = await monitor.invoke({
    token,
    args: stripSecretsMap(given),
    provider: provider === undefined ? '' : await providerReference(provider),
    parent: '',
    package: await packageSelector(options),
    dependsOn: await dependencyUrns(dependencies, root),
    sourcePosition: sourcePosition(from),
    accepts: ACCEPTS,
  });
  return answered(token, answer, secret, dependencies);
}

function answered(
  token: string,
  answer: MonitorInvokeResponse,
  secret: boolean,
  dependencies: ReadonlySet<AnyResource>,
): Resolution {
  refuse(token, answer.failures);
  if (answer.unknown) return { value: UNKNOWN, secret, dependencies };
  const result = deserialize(answer.result, resourceOf);
  return { value: result.value, secret: secret || result.secret, dependencies };
}

function refuse(token: string, failures: readonly CheckFailure[]): void {
  if (failures.length === 0) return;
  const reasons = failures.map(({ property, reason }) =>
    property === '' ? reason : `${property}: ${reason}`,
  );
  throw new InvokeError(`${token} refused its arguments: ${reasons.join('; ')}`);
}

async function namedResources(dependsOn: ResourceOptions['dependsOn']): Promise<readonly AnyResource[]> {
  if (dependsOn === undefined) return [];
  return [...(await gather(dependsOn)).dependencies];
}

/** Calls a method of a component that a provider created. `self` is the receiver. */
// [INV-5]
export function call<T = Record<string, unknown>>(
  token: string,
  args: object,
  self: AnyResource,
  options: InvokeOptions = {},
): Output<T> {
  const { pending } = deployment();
  const work = toldFrom(fromHere(), callMethod(token, args, self, options));
  return makeOutput(
    pending.track({ kind: 'call', what: `the answer of ${token}`, declaredAt: undefined }, work),
  );
}

async function callMethod(
  token: string,
  args: object,
  self: AnyResource,
  options: InvokeOptions,
): Promise<Resolution> {
  const { monitor, root } = deployment();
  const { urn, id } = await self[STATE].registered();
  const given: { [key: string]: PropertyMap[string] } = newMap();
  given['__self__'] =
    self[STATE].kind === 'custom'
      ? new ResourceReference({ urn, id: id ?? UNKNOWN })
      : new ResourceReference({ urn });
  const argDependencies: Record<string, readonly string[]> = { __self__: [urn] };
  for (const [key, value] of Object.entries(args)) {
    const dependencies = new Set<AnyResource>();
    const argument = await serializeMap({ value }, { keepOutputs: true, dependencies }, undefined);
    if (argument['value'] === undefined) continue;
    given[key] = argument['value'];
    argDependencies[key] = await dependencyUrns(dependencies, root);
  }
  const provider = options.provider ?? self[STATE].providers.get(tokenPackage(token));
  const answer = await monitor.call({
    token,
    args: given,
    argDependencies,
    provider: provider === undefined ? '' : await providerReference(provider),
    package: await packageSelector(options),
  });
  refuse(token, answer.failures);
  const { value, secret } = deserialize(answer.result, resourceOf);
  return { value, secret, dependencies: new Set([self]) };
}
