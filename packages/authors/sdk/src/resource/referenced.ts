import { isProviderType, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap, getProperty, isMap, isUnknown, propertyMap } from '@cairn/values';
import type { PropertyValue, ResourceReference } from '@cairn/values';
import { deployment } from '../runtime/deployment.js';
import type { Deployment } from '../runtime/deployment.js';
import { isMonitorGone } from '../runtime/failures.js';
import { classOfType } from './classes.js';
import type { ResourceClass } from './classes.js';
import { ResourceNode } from './node.js';
import { ACCEPTS } from './request.js';
import { RegistrationStopped, ResourceError } from './resource-error.js';
import { PROVIDER, STATE, label } from './state.js';
import type { AnyResource, Registered } from './state.js';

/** Function of the engine that returns the state of a resource. */
export const GET_RESOURCE = 'pulumi:pulumi:getResource';

/** Classes for resources without a known class. */
interface PlainClasses {
  readonly custom: ResourceClass;
  readonly component: ResourceClass;
  readonly provider: ResourceClass;
}

const made = new WeakMap<Deployment, Map<string, AnyResource>>();

/**
 * Returns the resource that a reference names, as an object of its class: one object for each resource and program. Its
 * outputs are those that the engine knows. An id that the reference does not know is not known here either.
 */
export function referencedResource(reference: ResourceReference, plain: PlainClasses): AnyResource {
  const current = deployment();
  let known = made.get(current);
  if (known === undefined) made.set(current, (known = new Map<string, AnyResource>()));
  const key = `${reference.urn} ${String(reference.id)}`;
  const found = known.get(key) ?? make(current, reference, plain);
  known.set(key, found);
  return found;
}

function make(current: Deployment, reference: ResourceReference, plain: PlainClasses): AnyResource {
  const { urn, id } = reference;
  const type = urnType(urn);
  const isProvider = isProviderType(type);
  const standard = isProvider ? plain.provider : id === undefined ? plain.component : plain.custom;
  const { prototype } = classOfType(type, reference.packageVersion) ?? standard;
  // Like a component created by a provider: the resources below it are unknown here.
  const kind = id === undefined ? 'remote' : 'custom';
  const node = new ResourceNode({ kind, type, name: urnName(urn), parent: undefined });
  node.start(asked(current, reference, node));
  // Readers of an output get the error; no other code needs it.
  node.registered().catch(() => {});
  const resource = Object.create(prototype) as { [STATE]: ResourceNode; [PROVIDER]?: true };
  resource[STATE] = node;
  if (isProvider) resource[PROVIDER] = true;
  return resource;
}

function asked(current: Deployment, reference: ResourceReference, node: ResourceNode): Promise<Registered> {
  const { pending } = current;
  const what = `the state of ${label(node)}`;
  return pending.track({ kind: 'call', what, declaredAt: undefined }, ask(current, reference, node));
}

async function ask(
  { monitor, settings }: Deployment,
  { urn, id }: ResourceReference,
  node: ResourceNode,
): Promise<Registered> {
  const answer = await monitor
    .invoke({
      ...{ token: GET_RESOURCE, args: propertyMap({ urn }), provider: '', parent: '', dependsOn: [] },
      package: { version: '', pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' },
      accepts: ACCEPTS,
    })
    .catch((error: unknown) => {
      const message = `cannot get ${label(node)}, to which an output refers: ${error instanceof Error ? error.message : String(error)}`;
      const Failure = isMonitorGone(error) ? RegistrationStopped : ResourceError;
      throw new Failure(message, label(node), undefined, { cause: error });
    });
  const state = getProperty(answer.result, 'state');
  const found = idText(id) ?? idText(getProperty(answer.result, 'id'));
  return {
    urn: urn as Urn,
    id: found,
    outputs: state !== undefined && isMap(state) ? state : emptyMap,
    outputDependencies: {},
    missingAreUnknown: settings.dryRun || answer.unknown,
  };
}

function idText(id: PropertyValue | undefined): string | undefined {
  return id === undefined || isUnknown(id) || typeof id !== 'string' || id === '' ? undefined : id;
}
