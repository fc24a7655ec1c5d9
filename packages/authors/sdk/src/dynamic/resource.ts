import type { Input, Output } from '../output/brand.js';
import type { CustomResourceOptions } from '../resource/options.js';
import { CustomResource } from '../resource/resource.js';
import { DYNAMIC_PACKAGE } from './package-name.js';
import type { DynamicProvider } from './provider.js';
import { storedProvider } from './stored.js';

/** Options of a dynamic resource. It always uses its own provider. */
export type DynamicResourceOptions = Omit<
  CustomResourceOptions,
  'provider' | 'version' | 'pluginDownloadURL'
>;

/** Inputs as a program sets them. */
export type DynamicInputs<I> = { readonly [K in keyof I]: Input<I[K]> };

/** A resource of a dynamic provider: every output of `create` is a property. */
export type DynamicResource<O> = CustomResource & {
  readonly [K in Exclude<keyof O, keyof CustomResource>]: Output<O[K]>;
};

/** Class of the resources of a dynamic provider. */
export type DynamicResourceClass<I, O> = new (
  name: string,
  inputs: DynamicInputs<I>,
  options?: DynamicResourceOptions,
) => DynamicResource<O>;

/**
 * Creates the class of a provider's resources. `type` is their type, `Name` or `module:Name`. Never change it: it is
 * part of the identity of every resource.
 */
export function dynamicResource<I extends object, O extends object>(
  type: string,
  provider: DynamicProvider<I, O>,
): DynamicResourceClass<I, O> {
  const token = `${DYNAMIC_PACKAGE}:${type.includes(':') ? type : `index:${type}`}`;
  class Dynamic extends CustomResource {
    constructor(name: string, inputs: object, options: DynamicResourceOptions = {}) {
      super(token, name, inputs, {
        ...options,
        provider: storedProvider(type, provider as unknown as DynamicProvider),
      });
    }
  }
  Object.setPrototypeOf(Dynamic.prototype, outputsAbove(CustomResource.prototype));
  return Dynamic as unknown as DynamicResourceClass<I, O>;
}

/** Returns a prototype between the class and its base. Names that neither defines are outputs. */
const outputsAbove = (base: object): object =>
  new Proxy(Object.create(base) as object, {
    get: (target, key, receiver: CustomResource): unknown =>
      typeof key === 'symbol' || key in target || NOT_OUTPUTS.includes(key)
        ? Reflect.get(target, key, receiver)
        : receiver.outputOf(key),
  });

/** Names that libraries look up on any object. As outputs they are available through `outputOf`. */
const NOT_OUTPUTS: readonly string[] = ['then', 'toJSON', 'inspect', 'asymmetricMatch', 'nodeType'];
