import type { Urn } from '@cairn/addresses';
import { isUnknown, outputDependencies, some, kindOf } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { CallbackOptions, CallbackReference, CallbackInvokeOptions } from '@cairn/wire';
import { makeOutput } from '../output/output.js';
import { deployment } from '../runtime/deployment.js';
import type { RegisteredCallbacks } from '../runtime/callbacks.js';
import { deserialize } from '../values/deserialize.js';
import { serializeMap } from '../values/serialize.js';
import { STATE } from './state.js';
import type { AnyResource } from './state.js';
import type { Registered } from './state.js';

/**
 * Options of a resource in a transform: resources as URNs, providers as references, durations as text. Options that are
 * not set are empty or undefined. To change some, return a copy with these changed.
 */
export type TransformOptions = CallbackOptions;

/** A resource before it is sent to the engine. */
export interface ResourceTransformArgs {
  readonly type: string;
  readonly name: string;
  /** True if a provider manages it. */
  readonly custom: boolean;
  /** URN of the parent. Empty if there is none. */
  readonly parent: string;
  /** Properties. A value that is secret, unknown or made from other resources is an output; all others are plain. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly opts: TransformOptions;
}

/** Result of a resource transform. Parts that are missing remain unchanged. */
export interface ResourceTransformResult {
  readonly props?: object | undefined;
  readonly opts?: TransformOptions | undefined;
}

type Later<T> = T | Promise<T>;

/** Rewrites a resource before it reaches the engine. Undefined leaves it unchanged. An error fails the registration. */
export type ResourceTransform = (args: ResourceTransformArgs) => Later<ResourceTransformResult | undefined>;

/** Options of an invoke in a transform. */
export type InvokeTransformOptions = CallbackInvokeOptions;

/** An invoke before it is sent. */
export interface InvokeTransformArgs {
  readonly token: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly opts: InvokeTransformOptions;
}

/** Result of an invoke transform. Parts that are missing remain unchanged. */
export interface InvokeTransformResult {
  readonly args?: object | undefined;
  readonly opts?: InvokeTransformOptions | undefined;
}

/** Rewrites an invoke. Undefined leaves it unchanged. An error fails the invoke. */
export type InvokeTransform = (args: InvokeTransformArgs) => Later<InvokeTransformResult | undefined>;

/**
 * Registers a transform for every resource declared from then on. It runs after the resource's own transforms and those
 * of its ancestors.
 */
export function registerResourceTransform(transform: ResourceTransform): void {
  const { monitor, callbacks } = deployment();
  announce('the registration of a transform', async () => {
    await monitor.registerStackTransform(await servedTransform(callbacks, transform));
  });
}

/** Registers a transform for every invoke made from then on. */
export function registerInvokeTransform(transform: InvokeTransform): void {
  const { monitor, callbacks } = deployment();
  announce('the registration of a transform of invokes', async () => {
    const callback = await callbacks.serve((functions) =>
      functions.transformInvoke(async ({ token, args, options }) => {
        const given = new GivenProperties(args);
        const result = await transform({ token, args: given.shown, opts: options });
        return { args: await given.taken(result?.args), options: result?.opts };
      }),
    );
    await monitor.registerStackInvokeTransform(callback);
  });
}

/** Returns the callbacks of a resource's own transforms. */
export function transformCallbacks(
  transforms: readonly ResourceTransform[],
): Promise<readonly CallbackReference[]> {
  const { callbacks } = deployment();
  return Promise.all(transforms.map((transform) => servedTransform(callbacks, transform)));
}

const served = new WeakMap<RegisteredCallbacks, Map<ResourceTransform, Promise<CallbackReference>>>();

/** Serves a function once, however many resources use it. */
function servedTransform(
  callbacks: RegisteredCallbacks,
  transform: ResourceTransform,
): Promise<CallbackReference> {
  const known = served.get(callbacks) ?? new Map<ResourceTransform, Promise<CallbackReference>>();
  served.set(callbacks, known);
  const reference =
    known.get(transform) ??
    callbacks.serve((functions) =>
      functions.transform(async ({ type, name, custom, parent, properties, options }) => {
        const given = new GivenProperties(properties);
        const result = await transform({ type, name, custom, parent, props: given.shown, opts: options });
        return { properties: await given.taken(result?.props), options: result?.opts };
      }),
    );
  known.set(transform, reference);
  return reference;
}

/**
 * Properties as a transform sees them, and the way back. Properties that it returns untouched are exactly those that
 * came.
 */
class GivenProperties {
  readonly shown: Record<string, unknown> = {};
  readonly #kept = new Map<unknown, PropertyValue>();

  constructor(map: PropertyMap) {
    for (const key of Object.keys(map)) this.shown[key] = this.#show(map[key] as PropertyValue);
  }

  /** Returns the answer as properties, or undefined if there is none. */
  async taken(answer: object | undefined): Promise<PropertyMap | undefined> {
    if (answer === undefined) return undefined;
    const entries = Object.entries(answer);
    const own = Object.fromEntries(entries.filter(([, value]) => !this.#kept.has(value)));
    const options = { keepOutputs: true, dependencies: new Set<AnyResource>() };
    const sent: Record<string, PropertyValue | undefined> = {
      ...(await serializeMap(own, options, undefined)),
    };
    for (const [key, value] of entries) if (this.#kept.has(value)) sent[key] = this.#kept.get(value);
    return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as PropertyMap;
  }

  #show(value: PropertyValue): unknown {
    const { value: plain, secret } = deserialize(value);
    if (!some(value, isMarked)) return plain;
    const dependencies = new Set(outputDependencies(value).map(dependency));
    const output = makeOutput<unknown>(Promise.resolve({ value: plain, secret, dependencies }));
    this.#kept.set(output, value);
    return output;
  }
}

/** Tells whether a value would lose a mark or its kind as a plain value. */
function isMarked(value: PropertyValue): boolean {
  const kind = kindOf(value);
  return isUnknown(value) || ['secret', 'output', 'reference', 'bytes'].includes(kind);
}

/** Returns a resource of which only the URN is known, for the dependencies of a value. */
function dependency(urn: Urn): AnyResource {
  const done: Registered = {
    urn,
    id: undefined,
    outputs: {},
    outputDependencies: {},
    missingAreUnknown: false,
  };
  const state = {
    kind: 'custom',
    type: '',
    name: '',
    parent: undefined,
    providers: new Map(),
    children: new Set(),
    position: undefined,
    done,
    registered: () => Promise.resolve(done),
  };
  return { [STATE]: state } as unknown as AnyResource;
}

/** Makes later registrations and invokes wait until the engine knows. */
function announce(what: string, work: () => Promise<void>): void {
  const { pending, failures, callbacks } = deployment();
  const wait = { kind: 'call', what, declaredAt: undefined } as const;
  const settled = pending.track(wait, callbacks.announce(work()));
  settled.catch((error: unknown) => failures.report(error));
}
