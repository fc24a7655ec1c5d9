import { createRequire } from 'node:module';
import { call, invoke, invokePlain, plainAnswer } from '../invoke.js';
import { Config } from '../config/config.js';
import type { InvokeOptions } from '../invoke.js';
import { log } from '../log.js';
import type { Output } from '../output/brand.js';
import { secret } from '../output/combine.js';
import { mergeOptions } from '../resource/options.js';
import { addClassSource } from '../resource/classes.js';
import type { ClassSource, ResourceClass } from '../resource/classes.js';
import type { AnyResourceOptions } from '../resource/options.js';
import { ResourceError, RunError } from '../resource/resource-error.js';
import { ComponentResource, CustomResource, ProviderResource } from '../resource/resource.js';
import { callerOf, positionText, sourcePosition } from '../resource/source-position.js';
import { label } from '../resource/state.js';
import type { AnyResource } from '../resource/state.js';
import { defaultValue, missingProperty, preparedInputs } from './inputs.js';
import type { NestedShapes } from './inputs.js';
import { lazyClass, lazyFunction, lazyObject } from './lazy.js';
import { PACKAGE } from './package-reference.js';
import type { DefaultSpec, PackageInfo, ShapeDescription } from './shape.js';

/** Format of a configuration value. */
interface ConfiguredSpec {
  /** True if the value is the text itself rather than JSON. */
  readonly text: boolean;
  readonly secret?: boolean;
  readonly standard?: DefaultSpec;
}

type Values = Readonly<Record<string, unknown>>;
/** Creates the exports of a file of a package, by name. */
type Factory = (pkg: GeneratedPackage) => Readonly<Record<string, unknown>>;

/**
 * Exports of a module by name. The value is the file that has them, or a path that ends in `/` for a module of its own.
 */
export type Members = Readonly<Record<string, string>>;

/** Classes of a package's types: module and export of each. */
export type ClassTable = Readonly<Record<string, readonly [path: string, name: string]>>;

/**
 * A generated package in this process. Loads its files when they are used, and prepares the requests of its classes.
 */
export class GeneratedPackage implements ClassSource {
  readonly CustomResource = CustomResource;
  readonly ComponentResource = ComponentResource;
  readonly ProviderResource = ProviderResource;
  readonly #require: NodeJS.Require;
  readonly #files = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #modules = new Map<string, object>();
  readonly #info: PackageInfo;

  constructor(url: string, info: PackageInfo) {
    this.#info = info;
    this.#require = createRequire(url);
  }

  /** Returns a class of a module that is loaded on first use. */
  class(path: string, name: string): object {
    return lazyClass(() => this.#exported(path, name) as object);
  }

  /** Returns a function of a module that is loaded on the first call. */
  function(path: string, name: string): (...args: unknown[]) => unknown {
    return lazyFunction(() => this.#exported(path, name) as (...args: unknown[]) => unknown);
  }

  /** Returns a module, or another object of one, that is loaded on first access. */
  object(path: string, name: string): object {
    return lazyObject(() => this.#exported(path, name) as object);
  }

  get version(): string {
    return this.#info.version;
  }

  classOf(type: string): ResourceClass | undefined {
    // A package that was generated without class tables has none.
    const found = this.#hasFile('./classes.cjs')
      ? (this.#require('./classes.cjs') as ClassTable)[type]
      : undefined;
    return found && (this.#exported(...found) as ResourceClass);
  }

  openReferenced(pkg: string): void {
    const name = this.#info.references?.[pkg];
    if (name === undefined) return;
    try {
      this.#require(name);
    } catch {
      // The package is not installed or cannot be loaded here. Its resources get the general class.
    }
  }

  /** Returns the inputs of a resource. Throws {@link ResourceError} if a required input is missing. */
  inputs(
    token: string,
    name: string,
    shape: ShapeDescription,
    given: Values | undefined,
    options: AnyResourceOptions | undefined,
    made: object,
  ): object {
    if (options?.id !== undefined) return given ?? {};
    const missing = missingProperty(shape, given ?? {});
    if (missing !== undefined) {
      const resource = label({ name: String(name), type: token });
      throw new ResourceError(
        `cannot declare ${resource}: "${missing}" is required and was not given`,
        resource,
        positionText(sourcePosition(callerOf(made))),
      );
    }
    if (shape.deprecated !== undefined) void log.warn(`${name} is deprecated: ${shape.deprecated}`);
    return preparedInputs(shape, given ?? {}, this.#shapes());
  }

  /** Returns the options of a resource: those of this package, with the schema's secrets and former types. */
  options(shape: ShapeDescription, options: AnyResourceOptions = {}): AnyResourceOptions {
    const { secretOutputs, aliases, replaceOnChanges } = shape;
    return mergeOptions(this.#selected(options), {
      ...(secretOutputs && { additionalSecretOutputs: secretOutputs }),
      ...(aliases && { aliases: aliases.map((type) => ({ type })) }),
      ...(replaceOnChanges && { replaceOnChanges }),
    });
  }

  /**
   * Calls a function in its plain form and returns a promise of the answer. With `single`, the result is the answer's
   * only property.
   */
  ask(
    token: string,
    shape: ShapeDescription,
    args: Values | undefined,
    options?: InvokeOptions,
    single = false,
  ) {
    const answer = invokePlain(token, this.#arguments(token, shape, args), this.#selected(options ?? {}));
    return single ? answer.then(only) : answer;
  }

  /** Calls a function in the form with outputs. */
  askOutput(
    token: string,
    shape: ShapeDescription,
    args: Values | undefined,
    options?: InvokeOptions,
    single = false,
  ) {
    const answer = invoke(token, this.#arguments(token, shape, args), this.#selected(options ?? {}));
    return single ? answer.apply(only) : answer;
  }

  /** Calls a method of a resource. With `single`, the result is the answer's only property. */
  call(
    token: string,
    shape: ShapeDescription,
    self: AnyResource,
    args: Values | undefined,
    single = false,
  ): Output<unknown> {
    const answer = call(token, this.#arguments(token, shape, args), self, this.#selected({}));
    return (single ? answer.apply(only) : answer) as Output<unknown>;
  }

  /** Calls a method like `call`, but returns a promise of the plain result. */
  callPlain(
    token: string,
    shape: ShapeDescription,
    self: AnyResource,
    args: Values | undefined,
    single = false,
  ) {
    return plainAnswer(token, this.call(token, shape, self, args, single));
  }

  /** Returns one value of the package's configuration. Secret ones are outputs. */
  configured(key: string, { text, secret: hidden, standard }: ConfiguredSpec): unknown {
    const config = new Config(this.#info.name);
    const given: unknown = text ? config.get(key) : config.getObject(key);
    const value = given ?? (standard === undefined ? undefined : defaultValue(standard));
    return hidden === true && value !== undefined ? secret(value as never) : value;
  }

  #arguments(token: string, shape: ShapeDescription, args: Values = {}): object {
    const missing = missingProperty(shape, args);
    if (missing !== undefined)
      throw new RunError(`cannot ask ${token}: "${missing}" is required and was not given`);
    if (shape.deprecated !== undefined) void log.warn(`${token} is deprecated: ${shape.deprecated}`);
    return preparedInputs(shape, args, this.#shapes());
  }

  #selected<
    T extends { readonly version?: string | undefined; readonly pluginDownloadURL?: string | undefined },
  >(options: T): T {
    const { base, version, pluginDownloadURL } = this.#info;
    if (base !== undefined) return { ...options, [PACKAGE]: this.#info };
    return {
      ...options,
      version: options.version ?? (version || undefined),
      pluginDownloadURL: options.pluginDownloadURL ?? pluginDownloadURL,
    };
  }

  #hasFile(file: string): boolean {
    try {
      return this.#require.resolve(file) !== '';
    } catch {
      return false;
    }
  }

  #shapes(): NestedShapes {
    return this.#info.hasDefaults === true ? (this.#load('./defaults.cjs') as NestedShapes) : {};
  }

  #exported(path: string, name: string): unknown {
    return (this.module(path) as Record<string, unknown>)[name];
  }

  /**
   * Returns the exports of a module as an object. Each export is loaded on first access. `path` is empty or ends in
   * `/`.
   */
  module(path: string): object {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const members = this.#require(`./${path}members.cjs`) as Members;
    const properties = Object.entries(members).map(([name, file]) => [
      name,
      {
        enumerable: true,
        get: () => (file.endsWith('/') ? this.module(path + file) : this.#load(`./${path}${file}`)[name]),
      },
    ]);
    const module = Object.defineProperties(
      {},
      Object.fromEntries(properties) as PropertyDescriptorMap,
    ) as object;
    this.#modules.set(path, module);
    return module;
  }

  #load(file: string): Readonly<Record<string, unknown>> {
    let exports = this.#files.get(file);
    if (exports === undefined) {
      exports = (this.#require(file) as Factory)(this);
      this.#files.set(file, exports);
    }
    return exports;
  }
}

/** Opens the package whose files are beside `url`, a URL of one of them. */
export function openPackage(url: string, info: PackageInfo): GeneratedPackage {
  const made = new GeneratedPackage(url, info);
  addClassSource(info.name, made);
  return made;
}

function only(answer: Values): unknown {
  return Object.values(answer)[0];
}
