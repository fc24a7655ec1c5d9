import { evaluate, inputsOf, namesIn, pathOf, pclError } from '@cairn/pcl';
import type { Attribute, Expression, OptionName, Scope } from '@cairn/pcl';
import { isArray, isMap, isSecret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { noRequestOptions } from '@cairn/wire';
import type { AliasRequest, PackageSelector, RegisterResourceRequest } from '@cairn/wire';
import type { BoundSnippet } from './bind-snippets.js';
import type { KnownResource } from './known-resources.js';

/** What a snippet's code is turned into a request with. */
export interface RequestParts {
  readonly bound: BoundSnippet;
  readonly name: string;
  readonly scope: Scope;
  /** Resources by local name. */
  readonly references: ReadonlyMap<string, KnownResource>;
  readonly package: PackageSelector;
}

/** The registration that a snippet stands for, as an SDK would send it [SNIP-1]. */
export async function registrationRequest(parts: RequestParts): Promise<RegisterResourceRequest> {
  const { bound, name, scope, references } = parts;
  const { snippet, code, remote } = bound;
  const option = new Options(code.options, scope, references);
  const used = new Map(
    [...code.attributes.values()].map(({ name: key, value }) => [key, urnsIn(value, references)] as const),
  );
  const dependencies = new Set([...option.urns('dependsOn'), ...[...used.values()].flat()]);
  return {
    ...noRequestOptions,
    type: snippet.type,
    name,
    parent: option.urn('parent'),
    custom: !remote,
    remote,
    inputs: await inputsOf(code, scope),
    protect: await option.boolean('protect'),
    retainOnDelete: await option.boolean('retainOnDelete'),
    dependencies: [...dependencies],
    propertyDependencies: Object.fromEntries(used),
    provider: option.provider(),
    providers: option.providers(),
    package: {
      ...parts.package,
      version: (await option.text('version')) ?? parts.package.version,
      pluginDownloadUrl: (await option.text('pluginDownloadURL')) ?? parts.package.pluginDownloadUrl,
    },
    deleteBeforeReplace: await option.boolean('deleteBeforeReplace'),
    ignoreChanges: option.paths('ignoreChanges'),
    replaceOnChanges: option.paths('replaceOnChanges'),
    hideDiffs: option.paths('hideDiffs'),
    additionalSecretOutputs: option.paths('additionalSecretOutputs'),
    aliases: await option.aliases(),
    importId: (await option.text('import')) ?? '',
    customTimeouts: await option.timeouts(),
    deletedWith: option.urn('deletedWith'),
    replaceWith: option.urns('replaceWith'),
    replacementTrigger: await option.value('replacementTrigger'),
    sourcePosition: undefined,
    stackTrace: [],
    accepts: {
      secrets: true,
      resources: true,
      partialValues: true,
      resultReporting: true,
      byteStrings: true,
    },
    aliasSpecs: true,
    snippetId: snippet.uuid,
  };
}

function urnsIn(value: Expression, references: ReadonlyMap<string, KnownResource>): readonly string[] {
  const urns = namesIn(value).flatMap(({ name }) => references.get(name)?.urn ?? []);
  return [...new Set(urns)];
}

/** The block `options`, option by option. */
class Options {
  constructor(
    private readonly options: ReadonlyMap<OptionName, Attribute>,
    private readonly scope: Scope,
    private readonly references: ReadonlyMap<string, KnownResource>,
  ) {}

  async value(name: OptionName): Promise<PropertyValue | undefined> {
    const option = this.options.get(name);
    return option === undefined ? undefined : evaluate(option.value, this.scope);
  }

  async boolean(name: OptionName): Promise<boolean | undefined> {
    const value = await this.value(name);
    if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
    throw this.#wrong(name, 'true or false');
  }

  async text(name: OptionName): Promise<string | undefined> {
    const value = await this.value(name);
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
    throw this.#wrong(name, 'a text');
  }

  /** URN of the resource an option names; empty: it names none. */
  urn(name: OptionName): string {
    const option = this.options.get(name);
    return option === undefined || isNull(option.value) ? '' : this.#resource(name, option.value).urn;
  }

  urns(name: OptionName): readonly string[] {
    return this.#list(name).map((item) => this.#resource(name, item).urn);
  }

  paths(name: OptionName): readonly string[] {
    return this.#list(name).map((item) => {
      const path = pathOf(item);
      if (path === undefined) throw this.#wrong(name, 'a list of properties');
      return path;
    });
  }

  provider(): string {
    const option = this.options.get('provider');
    return option === undefined || isNull(option.value) ? '' : this.#providerOf('provider', option.value);
  }

  /** `{ aws = my-aws }` */
  providers(): Readonly<Record<string, string>> {
    const option = this.options.get('providers');
    if (option === undefined) return {};
    if (option.value.t !== 'object') throw this.#wrong('providers', 'an object of providers');
    return Object.fromEntries(
      option.value.items.map(({ key, value }) => {
        if (key.t !== 'literal') throw this.#wrong('providers', 'an object of providers');
        return [String(key.value), this.#providerOf('providers', value)];
      }),
    );
  }

  async timeouts(): Promise<RegisterResourceRequest['customTimeouts']> {
    const value = await this.value('customTimeouts');
    if (value === undefined || value === null) return noRequestOptions.customTimeouts;
    if (!isMap(value)) throw this.#wrong('customTimeouts', 'an object with create, update and delete');
    const of = (key: string): string => {
      const text = value[key] ?? '';
      if (typeof text === 'string') return text;
      throw this.#wrong('customTimeouts', 'an object of texts such as "5m"');
    };
    return { create: of('create'), update: of('update'), delete: of('delete') };
  }

  async aliases(): Promise<readonly AliasRequest[]> {
    const value = await this.value('aliases');
    if (value === undefined || value === null) return [];
    if (!isArray(value)) throw this.#wrong('aliases', 'a list');
    return value.map((alias) => this.#alias(alias));
  }

  #alias(alias: PropertyValue): AliasRequest {
    if (typeof alias === 'string') return { kind: 'urn', urn: alias };
    if (!isMap(alias)) throw this.#wrong('aliases', 'a list of URNs and objects');
    const of = (key: string): string => {
      const text = alias[key] ?? '';
      if (typeof text === 'string') return text;
      throw this.#wrong('aliases', 'objects of texts');
    };
    const parent = of('parentUrn');
    return {
      kind: 'spec',
      name: of('name'),
      type: of('type'),
      stack: of('stack'),
      project: of('project'),
      parent:
        alias['noParent'] === true
          ? { kind: 'none' }
          : parent === ''
            ? { kind: 'same' }
            : { kind: 'urn', urn: parent },
    };
  }

  #list(name: OptionName): readonly Expression[] {
    const option = this.options.get(name);
    if (option === undefined || isNull(option.value)) return [];
    if (option.value.t !== 'list') throw this.#wrong(name, 'a list');
    return option.value.items;
  }

  #providerOf(name: OptionName, value: Expression): string {
    const { provider } = this.#resource(name, value);
    if (provider === undefined) throw this.#wrong(name, 'a provider');
    return provider;
  }

  #resource(name: OptionName, value: Expression): KnownResource {
    const found = value.t === 'name' ? this.references.get(value.name) : undefined;
    if (found === undefined) throw this.#wrong(name, 'the local name of a resource');
    return found;
  }

  #wrong(name: OptionName, wanted: string): Error {
    return pclError(`the option ${name} must be ${wanted}`, this.options.get(name)?.at);
  }
}

function isNull(value: Expression): boolean {
  return value.t === 'literal' && value.value === null;
}

/** A text argument of a function. */
export function plainText(value: PropertyValue | undefined): string | undefined {
  const bare = isSecret(value) ? value.value : value;
  return typeof bare === 'string' ? bare : undefined;
}
