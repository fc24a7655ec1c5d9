/* eslint-disable no-restricted-syntax -- resources made without their constructor would have no members named # */
import { ROOT_STACK_TYPE, isTypeToken, providerType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { UNKNOWN, getProperty } from '@cairn/values';
import type { ResourceReference } from '@cairn/values';
import type { SourcePosition } from '@cairn/wire';
import type { Resolution } from '../output/resolution.js';
import { makeOutput } from '../output/output.js';
import type { Output } from '../output/brand.js';
import { deployment, openDeployment } from '../runtime/deployment.js';
import { label } from './state.js';
import type { Registered, ResourceState } from './state.js';
import { deserialize } from '../values/deserialize.js';
import { PROVIDER, STATE, isResource } from './state.js';
import type { AnyResource } from './state.js';
import { ResourceNode } from './node.js';
import { serializeOutputs } from './request.js';
import { startRegistration } from './register.js';
import type {
  AnyResourceOptions,
  ComponentResourceOptions,
  CustomResourceOptions,
  ProviderResourceOptions,
} from './options.js';
import { settleLateInputs } from './late-arguments.js';
import { referencedResource } from './referenced.js';
import { chosenProvider, inheritedProviders, providerMismatch } from './providers.js';
import { ResourceError } from './resource-error.js';
import { callerOf, positionText, sourcePosition } from './source-position.js';

/** Anything that a program declares. Its registration begins in the constructor. */
export abstract class Resource {
  readonly [STATE]: ResourceState;
  /** Requested outputs, by key. Those of the provider have a dot before the key. */
  private made: Record<string, Output<unknown>> | undefined;

  /**
   * `kind` says who manages the resource. `position` is the location of its declaration; by default the place of `new`.
   * Throws {@link ResourceError} for an invalid declaration.
   */
  protected constructor(
    kind: 'custom' | 'component' | 'remote',
    type: string,
    name: string,
    inputs: object,
    options: AnyResourceOptions,
    position: SourcePosition | undefined = sourcePosition(callerOf(new.target)),
  ) {
    const current = openDeployment(() => label({ name, type }));
    const parent = options.parent?.[STATE] ?? current.root;
    checkDeclaration(kind, type, name, options, position);
    const providers = inheritedProviders(parent, options);
    const node = new ResourceNode({
      ...{ kind, type, name, parent, providers, position },
      secretOutputs: options.additionalSecretOutputs,
    });
    if (kind === 'custom') {
      const problem = providerMismatch(type, chosenProvider(type, options, providers));
      if (problem !== undefined)
        throw new ResourceError(`${label(node)}: ${problem}`, label(node), positionText(position));
    }
    this[STATE] = node;
    if (parent.kind !== 'stack') parent.children.add(this);
    // Inputs are read here: later changes of the object by the program do not count.
    startRegistration(current, node, { ...inputs }, options);
  }

  /** The identity of the resource in the stack. */
  get urn(): Output<Urn> {
    return this.cached('urn', ({ urn }) => resolution(urn, this));
  }

  /** Returns the output with this name that the provider reports. Unknown in a preview that cannot know it. */
  outputOf<T = unknown>(key: string): Output<T> {
    return this.cached(`.${key}`, (registered) => outputResolution(registered, key, this)) as Output<T>;
  }

  protected cached<T>(key: string, pick: (registered: Registered) => Resolution): Output<T> {
    const made = (this.made ??= {});
    return (made[key] ??= makeOutput(this[STATE].registered().then(pick))) as Output<T>;
  }

  /** Tells whether a value is a resource. */
  static isInstance(value: unknown): value is Resource {
    return isResource(value);
  }
}

function resolution(value: unknown, resource: Resource, isSecret = false): Resolution {
  return { value, secret: isSecret, dependencies: new Set([resource]) };
}

function outputResolution(registered: Registered, key: string, resource: Resource): Resolution {
  const raw = getProperty(registered.outputs, key);
  const isNamed = resource[STATE].secretOutputs?.includes(key) === true;
  if (raw === undefined)
    return resolution(registered.missingAreUnknown ? UNKNOWN : undefined, resource, isNamed);
  const { value, secret } = deserialize(raw, resourceOf);
  return resolution(value, resource, secret || isNamed);
}

function checkDeclaration(
  kind: ResourceState['kind'],
  type: string,
  name: string,
  options: AnyResourceOptions,
  position: SourcePosition | undefined,
): void {
  const refuse = (problem: string): never => {
    throw new ResourceError(
      `cannot declare ${label({ name, type })}: ${problem}`,
      label({ name, type }),
      positionText(position),
    );
  };
  if (typeof type !== 'string' || type === '') refuse('a resource needs a type');
  if (typeof name !== 'string' || name === '') refuse('a resource needs a name');
  if (kind !== 'component' && !isTypeToken(type)) refuse('its type must have the form package:module:name');
  if (type === ROOT_STACK_TYPE) refuse('the stack is declared by Cairn');
  if (options.parent !== undefined && !isResource(options.parent)) refuse('its parent is not a resource');
}

/** A resource whose object a provider manages. */
export class CustomResource extends Resource {
  /** `type` is `package:module:name`. With `options.id` the existing object is read and never changed. */
  constructor(type: string, name: string, inputs: object = {}, options: CustomResourceOptions = {}) {
    super('custom', type, name, inputs, options);
  }

  /** The provider's id of the object. Unknown in the preview of its creation. */
  get id(): Output<string> {
    return this.cached('id', ({ id, missingAreUnknown }) =>
      resolution(id ?? (missingAreUnknown ? UNKNOWN : ''), this),
    );
  }
}

/** A configured instance of a provider, for resources that do not use the default one. */
export class ProviderResource extends CustomResource {
  readonly [PROVIDER] = true;

  constructor(pkg: string, name: string, inputs: object = {}, options: ProviderResourceOptions = {}) {
    super(providerType(pkg), name, inputs, options);
  }
}

/**
 * A group of resources without an object of its own. A subclass creates its children in the constructor, with `{
 * parent: this }`, and ends with {@link registerOutputs}. With `remote` a provider creates the children. Its arguments
 * are its inputs in the state. Neither it nor its children wait for those that are pending.
 */
export class ComponentResource extends Resource {
  private completed = false;

  constructor(
    type: string,
    name: string,
    inputs: object = {},
    options: ComponentResourceOptions = {},
    remote = false,
  ) {
    super(remote ? 'remote' : 'component', type, name, inputs, options);
    if (remote) this.completed = true;
    // A constructor that does not register outputs has none.
    else queueMicrotask(() => this.complete({}));
  }

  /**
   * Registers the outputs of the component. Call it once, in the constructor; without it the component has no outputs.
   */
  protected registerOutputs(outputs: object = {}): void {
    if (this.completed) {
      const state = this[STATE];
      throw new ResourceError(
        `${label(state)}: call registerOutputs once, in the constructor`,
        label(state),
        positionText(state.position),
      );
    }
    this.complete(outputs);
  }

  private complete(outputs: object): void {
    if (this.completed) return;
    this.completed = true;
    const { monitor, pending, failures, late } = deployment();
    const send = async (): Promise<void> => {
      const { urn } = await this[STATE].registered();
      const deferred = late.take(this[STATE]);
      const properties = await serializeOutputs(outputs);
      if (deferred === undefined) return monitor.registerResourceOutputs({ urn, outputs: properties });
      const rest = await settleLateInputs(deferred);
      await monitor.registerResourceOutputs({ urn, outputs: properties, lateInputs: rest });
    };
    const what = `outputs of ${label(this[STATE])}`;
    pending
      .track({ kind: 'outputs', what, declaredAt: () => positionText(this[STATE].position) }, send())
      .catch((error: unknown) => failures.report(error));
  }
}

/** Returns the resource that a reference in an answer names, as an object of its class. */
export function resourceOf(reference: ResourceReference): AnyResource {
  return referencedResource(reference, {
    custom: CustomResource,
    component: ComponentResource,
    provider: ProviderResource,
  });
}
