import type { Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import { StatusError, isStatusError } from '@cairn/wire';
import type {
  CallbackOptions,
  CallbackReference,
  ProgramCallbacks,
  RegisterResourceRequest,
} from '@cairn/wire';
import type { PropertyMap } from '@cairn/values';
import { withOutputValues } from '../../model/output-values.js';
import type { RegisteredResources } from '../resources.js';
import { dependenciesAfter, withCarriedDependencies } from './dependencies.js';
import { callbackOptions, withOptions } from './options.js';
import type { Transforms } from './registry.js';

/** Transforms of one registration, in the order in which they are called. */
export interface ResourceTransforms {
  readonly callbacks: readonly CallbackReference[];
  /** True if some of them are the resource's own. */
  readonly own: boolean;
}

/**
 * Returns its own transforms, then those of its ancestors, nearest first, then the stack's in the order of their
 * registration [XFORM-3].
 */
export function transformsFor(
  urn: Urn,
  request: Pick<RegisterResourceRequest, 'transforms'>,
  parent: Urn | undefined,
  transforms: Transforms,
  resources: Pick<RegisteredResources, 'get'>,
): ResourceTransforms {
  const own = transforms.own(urn, request.transforms);
  const callbacks = [...own];
  const seen = new Set<Urn>([urn]);
  for (let at = parent; at !== undefined && !seen.has(at); at = resources.get(at)?.parent) {
    seen.add(at);
    callbacks.push(...transforms.of(at));
  }
  return { callbacks: [...callbacks, ...transforms.ofStack], own: own.length > 0 };
}

/**
 * Applies the transforms to a registration; each receives the result of the one before. Type, name, kind and parent
 * remain. `provider`: the provider that they receive [XFORM-4]. Refuses with the error of a callback.
 */
export async function transformed(
  request: RegisterResourceRequest,
  { callbacks, own }: ResourceTransforms,
  provider: string,
  call: ProgramCallbacks,
): Promise<RegisterResourceRequest> {
  const { type, name, custom, parent } = request;
  let properties: PropertyMap = own ? withCarriedDependencies(request) : request.inputs;
  let options: CallbackOptions = callbackOptions(request, provider);
  for (const callback of callbacks) {
    properties = withOutputValues(properties);
    const answer = await call
      .transform(callback, { type, name, custom, parent, properties, options })
      .catch(refused);
    properties = answer.properties ?? properties;
    options = answer.options ?? options;
  }
  return {
    ...withOptions(request, options),
    // A provider that would be found anyway stays unset, so that a transform that changes nothing has no effect.
    provider: options.provider === provider ? request.provider : options.provider,
    ...dependenciesAfter(request, properties, options.dependsOn, own),
    inputs: properties,
  };
}

/** Fails the registration or question because a callback failed [XFORM-7]. */
export function refused(error: unknown): never {
  const status = isStatusError(error) ? error.status : 'UNKNOWN';
  throw new StatusError(
    status === 'UNAVAILABLE' ? 'UNKNOWN' : status,
    `invoke transform: ${messageOf(error)}`,
    {
      cause: error,
    },
  );
}
