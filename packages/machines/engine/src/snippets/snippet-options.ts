import { evaluate, pathOf, pclError } from '@cairn/pcl';
import type { AttributeNode, Expression, Scope } from '@cairn/pcl';
import { isArray, isMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { noRequestOptions } from '@cairn/wire';
import type { AliasRequest, RegisterResourceRequest, RequestOption } from '@cairn/wire';
import type { KnownResource } from './known-resources.js';

/** Ways to read the value of an option, with the types that {@link SnippetResourceOptions} returns for them. */
interface Reads {
  flag: boolean | undefined;
  text: string;
  urn: string;
  urns: readonly string[];
  /** Properties of the resource itself. */
  paths: readonly string[];
  provider: string;
  providers: Readonly<Record<string, string>>;
  timeouts: RegisterResourceRequest['customTimeouts'];
  aliases: readonly AliasRequest[];
  value: PropertyValue | undefined;
}

type ReadAs<V> = {
  [R in keyof Reads]: [Reads[R]] extends [V] ? ([V] extends [Reads[R]] ? R : never) : never;
}[keyof Reads];

/** Form of an option in snippets: its name in their block `options`. `own rule`: see {@link registrationRequest}. */
type SnippetOption<K extends RequestOption> =
  { readonly name: string; readonly as: ReadAs<RegisterResourceRequest[K]> } | 'own rule' | 'not said';

const read = <const R extends keyof Reads>(name: string, as: R) => ({ name, as });

/**
 * Options of registrations as snippets write them, one per row [SNIP-1]. The names allowed in the block `options`
 * follow from it.
 */
const SNIPPET_OPTIONS = {
  protect: read('protect', 'flag'),
  retainOnDelete: read('retainOnDelete', 'flag'),
  /* Resources that `dependsOn` names, and those that the attributes refer to. */
  dependencies: 'own rule',
  propertyDependencies: 'own rule',
  provider: read('provider', 'provider'),
  providers: read('providers', 'providers'),
  /* Package of the snippet, with the version and the download URL of its options. */
  package: 'own rule',
  deleteBeforeReplace: read('deleteBeforeReplace', 'flag'),
  ignoreChanges: read('ignoreChanges', 'paths'),
  replaceOnChanges: read('replaceOnChanges', 'paths'),
  hideDiffs: read('hideDiffs', 'paths'),
  additionalSecretOutputs: read('additionalSecretOutputs', 'paths'),
  aliases: read('aliases', 'aliases'),
  importId: read('import', 'text'),
  customTimeouts: read('customTimeouts', 'timeouts'),
  deletedWith: read('deletedWith', 'urn'),
  replaceWith: read('replaceWith', 'urns'),
  replacementTrigger: read('replacementTrigger', 'value'),
  transforms: 'not said',
  hooks: 'not said',
  envVarMappings: 'not said',
  rollback: 'not said',
  idempotencyKey: 'not said',
  gate: 'not said',
  lateInputs: 'not said',
} as const satisfies { readonly [K in RequestOption]-?: SnippetOption<K> };

const SAID = Object.entries(SNIPPET_OPTIONS).flatMap(([option, row]) =>
  typeof row === 'string' ? [] : [[option, row] as const],
);

/** Names allowed in the block `options`, apart from `range`, which belongs to the language. */
export const SNIPPET_OPTION_NAMES: ReadonlySet<string> = new Set([
  ...SAID.map(([, { name }]) => name),
  ...['parent', 'dependsOn', 'version', 'pluginDownloadURL'],
]);

/** Options whose values name properties of the resource itself. */
export const OWN_PATHS: ReadonlySet<string> = new Set(
  SAID.flatMap(([, { name, as }]) => (as === 'paths' ? [name] : [])),
);

/** The block `options` of a snippet, read as options of a registration. */
export class SnippetResourceOptions {
  readonly #options: ReadonlyMap<string, AttributeNode>;
  readonly #scope: Scope;
  readonly #references: ReadonlyMap<string, KnownResource>;

  constructor(
    options: ReadonlyMap<string, AttributeNode>,
    scope: Scope,
    references: ReadonlyMap<string, KnownResource>,
  ) {
    this.#options = options;
    this.#scope = scope;
    this.#references = references;
  }

  /** Returns the options that have no rule of their own. */
  async all(): Promise<Partial<RegisterResourceRequest>> {
    const request: Record<string, unknown> = {};
    for (const [option, { name, as }] of SAID) request[option] = await this[as](name);
    return request as Partial<RegisterResourceRequest>;
  }

  async value(name: string): Promise<PropertyValue | undefined> {
    const option = this.#options.get(name);
    return option === undefined ? undefined : evaluate(option.value, this.#scope);
  }

  async flag(name: string): Promise<boolean | undefined> {
    const value = await this.value(name);
    if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
    throw this.#wrong(name, 'true or false');
  }

  /** Returns the text of an option; empty if it is not set. */
  async text(name: string): Promise<string> {
    return (await this.given(name)) ?? '';
  }

  async given(name: string): Promise<string | undefined> {
    const value = await this.value(name);
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
    throw this.#wrong(name, 'a string');
  }

  /** Returns the URN of the resource that an option names; empty if it names none. */
  urn(name: string): string {
    const option = this.#options.get(name);
    return option === undefined || isNull(option.value) ? '' : this.#resource(name, option.value).urn;
  }

  urns(name: string): readonly string[] {
    return this.#list(name).map((item) => this.#resource(name, item).urn);
  }

  paths(name: string): readonly string[] {
    return this.#list(name).map((item) => {
      const path = pathOf(item);
      if (path === undefined) throw this.#wrong(name, 'a list of properties');
      return path;
    });
  }

  provider(name: string): string {
    const option = this.#options.get(name);
    return option === undefined || isNull(option.value) ? '' : this.#providerOf(name, option.value);
  }

  /** Reads an object of providers such as `{ aws = my-aws }`. */
  providers(name: string): Readonly<Record<string, string>> {
    const option = this.#options.get(name);
    if (option === undefined) return {};
    if (option.value.t !== 'object') throw this.#wrong(name, 'an object of providers');
    return Object.fromEntries(
      option.value.items.map(({ key, value }) => {
        if (key.t !== 'literal') throw this.#wrong(name, 'an object of providers');
        return [String(key.value), this.#providerOf(name, value)];
      }),
    );
  }

  async timeouts(name: string): Promise<RegisterResourceRequest['customTimeouts']> {
    const value = await this.value(name);
    if (value === undefined || value === null) return noRequestOptions.customTimeouts;
    if (!isMap(value)) throw this.#wrong(name, 'an object with create, update, delete and read');
    const of = (key: string): string => {
      const text = value[key] ?? '';
      if (typeof text === 'string') return text;
      throw this.#wrong(name, 'an object of strings such as "5m"');
    };
    return { create: of('create'), update: of('update'), delete: of('delete'), read: of('read') };
  }

  async aliases(name: string): Promise<readonly AliasRequest[]> {
    const value = await this.value(name);
    if (value === undefined || value === null) return [];
    if (!isArray(value)) throw this.#wrong(name, 'a list');
    return value.map((alias) => this.#alias(name, alias));
  }

  #alias(name: string, alias: PropertyValue): AliasRequest {
    if (typeof alias === 'string') return { kind: 'urn', urn: alias };
    if (!isMap(alias)) throw this.#wrong(name, 'a list of URNs and objects');
    const of = (key: string): string => {
      const text = alias[key] ?? '';
      if (typeof text === 'string') return text;
      throw this.#wrong(name, 'objects of strings');
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

  #list(name: string): readonly Expression[] {
    const option = this.#options.get(name);
    if (option === undefined || isNull(option.value)) return [];
    if (option.value.t !== 'list') throw this.#wrong(name, 'a list');
    return option.value.items;
  }

  #providerOf(name: string, value: Expression): string {
    const { provider } = this.#resource(name, value);
    if (provider === undefined) throw this.#wrong(name, 'a provider');
    return provider;
  }

  #resource(name: string, value: Expression): KnownResource {
    const found = value.t === 'name' ? this.#references.get(value.name) : undefined;
    if (found === undefined) throw this.#wrong(name, 'the local name of a resource');
    return found;
  }

  #wrong(name: string, wanted: string): Error {
    return pclError(`the option ${name} must be ${wanted}`, this.#options.get(name)?.at);
  }
}

function isNull(value: Expression): boolean {
  return value.t === 'literal' && value.value === null;
}
