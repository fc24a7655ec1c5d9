import {
  asUrn,
  isProviderType,
  isUrn,
  makeUrn,
  providerTypePackage,
  tokenPackage,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { noManagerCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { RequestedImport } from '@cairn/engine';
import { decodePropertyMap, isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { StackId } from '@cairn/backends';

/** An import as the user wrote it; parents and providers are names or URNs. */
export interface ImportWish {
  readonly resources: readonly WishedResource[];
  /** URNs of resources of the stack, by the names that the list and the program use for them. */
  readonly nameTable: Readonly<Record<string, string>>;
}

/**
 * One resource of the list. `name` is its name in the list and the program, `logicalName` its name in the stack.
 * `inputs` and `outputs` have the form of states.
 */
interface WishedResource extends Omit<
  RequestedImport,
  'name' | 'parent' | 'provider' | 'inputs' | 'outputs'
> {
  readonly name: string;
  readonly logicalName: string;
  /** A name of the table or of the list, or a URN; empty for the stack. */
  readonly parent: string;
  /** A name of the table or of the list, or a URN; empty for the default provider. */
  readonly provider: string;
  readonly inputs: JsonObject | undefined;
  readonly outputs: JsonObject | undefined;
}

/** The list, with the place of each resource in the stack. */
export interface PlacedImport {
  readonly items: readonly RequestedImport[];
  readonly urns: readonly Urn[];
  /** Names in the program of resources that it declares elsewhere. */
  readonly names: ReadonlyMap<Urn, string>;
  /** Names in the program of the imported resources. */
  readonly variables: ReadonlyMap<Urn, string>;
}

/**
 * Places a list in a stack. `crypter` opens its sealed values. Throws CAIRN-USAGE for a parent or provider that has no
 * name or two names, and for values that cannot be read.
 */
export function placeImport(
  { resources, nameTable }: ImportWish,
  { project, stack }: StackId,
  crypter: Crypter = noManagerCrypter,
): PlacedImport {
  const byName = new Map(resources.map((each) => [each.name, each]));
  const listedAs = (name: string, what: string, by: string): WishedResource | undefined => {
    const found = byName.get(name);
    if (found !== undefined && resources.some((each) => each !== found && each.name === name))
      throw usage(
        `resource "${by}" has the ${what} "${name}", and several entries of the list have that name`,
        'Give each a unique name, and set logicalName to its name in the stack.',
      );
    return found;
  };
  const placed = new Map<WishedResource, Urn>();
  const urnOf = (wished: WishedResource, below: readonly WishedResource[]): Urn => {
    const known = placed.get(wished);
    if (known !== undefined) return known;
    if (below.includes(wished)) throw usage(`resource "${wished.name}" is its own parent`);
    const { type, logicalName } = wished;
    const parent = parentOf(wished, [...below, wished]);
    const urn = makeUrn({ project, stack, type, name: logicalName, parent });
    placed.set(wished, urn);
    return urn;
  };
  const parentOf = (wished: WishedResource, below: readonly WishedResource[]): Urn | undefined => {
    const { parent } = wished;
    if (parent === '') return undefined;
    const named = tableUrn(nameTable, parent);
    if (named !== undefined) return named;
    const listed = listedAs(parent, 'parent', wished.name);
    if (listed !== undefined) return urnOf(listed, below);
    throw usage(`resource "${wished.name}" has the parent "${parent}", which is not defined`, NAME_HINT);
  };
  const providerOf = ({ name, provider }: WishedResource): Urn | undefined => {
    if (provider === '') return undefined;
    const named = tableUrn(nameTable, provider);
    if (named !== undefined) return named;
    const listed = listedAs(provider, 'provider', name);
    if (listed !== undefined && isProviderType(listed.type)) return urnOf(listed, []);
    if (listed !== undefined)
      throw usage(`resource "${name}" has the provider "${provider}", which is not a provider`);
    throw usage(`resource "${name}" has the provider "${provider}", which is not defined`, NAME_HINT);
  };
  const items = resources.map((wished): RequestedImport => {
    const { logicalName, parent: _parent, provider: _provider, ...rest } = wished;
    return {
      ...rest,
      name: logicalName,
      parent: parentOf(wished, [wished]),
      provider: providerOf(wished),
      inputs: opened(wished, 'inputs', crypter),
      outputs: opened(wished, 'outputs', crypter),
    };
  });
  const urns = resources.map((wished) => urnOf(wished, []));
  return {
    items,
    urns,
    names: new Map(Object.entries(nameTable).map(([name, urn]) => [asUrn(urn), name])),
    variables: new Map(resources.map((each, index) => [urns[index] as Urn, each.name])),
  };
}

/** Returns values with sealed parts opened. */
function opened(
  wished: WishedResource,
  key: 'inputs' | 'outputs',
  crypter: Crypter,
): PropertyMap | undefined {
  const json = wished[key];
  try {
    return json === undefined ? undefined : decodePropertyMap(json, crypter);
  } catch (error) {
    throw usage(`the ${key} of resource "${wished.name}": ${messageOf(error)}`);
  }
}

/** Tells whether reading the list needs the crypter of the stack's secrets. */
export function hasSealedValues({ resources }: ImportWish): boolean {
  return resources.some(({ inputs, outputs }) => JSON.stringify([inputs, outputs]).includes('"ciphertext"'));
}

const NAME_HINT = 'Add it to the nameTable with its URN, or write the URN itself.';

function tableUrn(nameTable: ImportWish['nameTable'], name: string): Urn | undefined {
  if (Object.hasOwn(nameTable, name)) return asUrn(nameTable[name] as string);
  return isUrn(name) ? name : undefined;
}

/**
 * Reads an import list: a JSON object with `resources` and a `nameTable`. `providerInputs` are settings of providers of
 * the table. `inputs` and `outputs` have the form of states. Throws CAIRN-USAGE naming the error and its place.
 */
export function readImportList(text: string, source: string, protect: boolean): ImportWish {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `${source} is not JSON`, { causes: [messageOf(error)] }, error);
  }
  const reader = new ListReader(source);
  const list = reader.object(json, 'it');
  reader.only(list, ['nameTable', 'resources', 'providerInputs'], 'it');
  const nameTable = reader.texts(list['nameTable'], 'nameTable');
  for (const [name, urn] of Object.entries(nameTable))
    if (!isUrn(urn)) reader.refuse(`nameTable.${name}`, 'is not a URN');
  const resources = reader
    .list(list['resources'], 'resources')
    .map((each, index) => reader.resource(each, index, protect));
  const settings = reader.settings(list['providerInputs']);
  return { nameTable, resources: withSettings({ nameTable, resources }, settings, reader) };
}

/** Moves settings that the list has beside its resources into the resources. */
function withSettings(
  { nameTable, resources }: ImportWish,
  settings: ReadonlyMap<string, JsonObject>,
  reader: ListReader,
): readonly WishedResource[] {
  const made: WishedResource[] = [];
  for (const [name, inputs] of settings) {
    if (resources.some((each) => each.name === name)) continue;
    const urn = Object.hasOwn(nameTable, name) ? asUrn(nameTable[name] as string) : undefined;
    if (urn === undefined || !isProviderType(urnType(urn)))
      reader.refuse(`providerInputs.${name}`, 'does not belong to a provider of the list');
    made.push({ ...bareWish(urnType(urn), urnName(urn), ''), inputs });
  }
  return [...made, ...resources.map((each) => ({ ...each, inputs: each.inputs ?? settings.get(each.name) }))];
}

function bareWish(type: string, name: string, id: string): WishedResource {
  return {
    ...{ type, name, id, logicalName: name, parent: '', provider: '', protect: false },
    ...{ component: false, remote: false, properties: [], inputs: undefined, outputs: undefined },
    package: { version: '', downloadUrl: '', checksums: {} },
  };
}

/** Placeholder of an id in a list that a preview has written. */
export const PLACEHOLDER = '<PLACEHOLDER>';

const KEYS = [
  ...[
    'type',
    'name',
    'id',
    'logicalName',
    'parent',
    'provider',
    'version',
    'pluginDownloadUrl',
    'properties',
  ],
  ...['component', 'remote', 'parameterization', 'extension', 'inputs', 'outputs', 'protect'],
];

class ListReader {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  resource(json: unknown, index: number, protect: boolean): WishedResource {
    const at = `resources[${index}]`;
    const object = this.object(json, at);
    this.only(object, KEYS, at);
    const logicalName = this.text(object, 'logicalName', at) || this.text(object, 'name', at);
    const name = this.text(object, 'name', at) || logicalName;
    const type = this.text(object, 'type', at);
    const id = this.text(object, 'id', at);
    if (id === PLACEHOLDER) this.refuse(`${at}.id`, `of "${name}" must be filled in`);
    if (name === '') this.refuse(at, 'has no name');
    if (type === '') this.refuse(at, 'has no type');
    const remote = this.#flag(object, 'remote', at) ?? false;
    return {
      type,
      name,
      logicalName,
      id,
      component: this.#flag(object, 'component', at) ?? remote,
      remote,
      parent: this.text(object, 'parent', at),
      provider: this.text(object, 'provider', at),
      protect: this.#flag(object, 'protect', at) ?? protect,
      package: this.#package(object, type, at),
      properties: this.list(object['properties'], `${at}.properties`).map((each) =>
        typeof each === 'string'
          ? each
          : this.refuse(`${at}.properties`, 'contains a value that is not a string'),
      ),
      inputs: this.#optional(object['inputs'], `${at}.inputs`),
      outputs: this.#optional(object['outputs'], `${at}.outputs`),
    };
  }

  /** Reads settings by name of a provider. */
  settings(json: Json | undefined): ReadonlyMap<string, JsonObject> {
    const object = this.#optional(json, 'providerInputs') ?? {};
    return new Map(
      Object.entries(object).map(([name, inputs]) => [name, this.object(inputs, `providerInputs.${name}`)]),
    );
  }

  /** Reads a package. If another plugin serves it, the version at the resource is that of the package. */
  #package(object: JsonObject, type: string, at: string): RequestedImport['package'] {
    const version = this.text(object, 'version', at).replace(/^v/, '');
    const downloadUrl = this.text(object, 'pluginDownloadUrl', at);
    const parameters = this.#optional(object['parameterization'], `${at}.parameterization`);
    const extension = this.#extension(object['extension'], `${at}.extension`);
    if (parameters === undefined) return { version, downloadUrl, checksums: {}, extension };
    if (extension !== undefined) this.refuse(at, 'has both a parameterization and an extension');
    const where = `${at}.parameterization`;
    this.only(parameters, ['pluginName', 'pluginVersion', 'value'], where);
    const base = this.text(parameters, 'pluginName', where);
    if (base === '') this.refuse(where, 'has no pluginName');
    const name = providerTypePackage(type) ?? tokenPackage(type);
    const value = this.#bytes(parameters, where);
    return {
      version: this.text(parameters, 'pluginVersion', where).replace(/^v/, ''),
      downloadUrl,
      checksums: {},
      parameterization: { base, name, version, value },
    };
  }

  #extension(json: Json | undefined, at: string): RequestedImport['package']['extension'] {
    const object = this.#optional(json, at);
    if (object === undefined) return undefined;
    this.only(object, ['name', 'version', 'value'], at);
    const name = this.text(object, 'name', at);
    if (name === '') this.refuse(at, 'has no name');
    return { name, version: this.text(object, 'version', at), value: this.#bytes(object, at) };
  }

  #bytes(object: JsonObject, at: string): Uint8Array {
    return Buffer.from(this.text(object, 'value', at), 'base64');
  }

  #optional(json: Json | undefined, at: string): JsonObject | undefined {
    return json === undefined || json === null ? undefined : this.object(json, at);
  }

  only(object: JsonObject, keys: readonly string[], at: string): void {
    const unknown = Object.keys(object).find((key) => !keys.includes(key));
    if (unknown !== undefined) this.refuse(at, `has the unknown key "${unknown}"`);
  }

  object(json: unknown, at: string): JsonObject {
    return isJsonObject(json as Json) ? (json as JsonObject) : this.refuse(at, 'is not an object');
  }

  list(json: Json | undefined, at: string): readonly Json[] {
    if (json === undefined || json === null) return [];
    return Array.isArray(json) ? (json as readonly Json[]) : this.refuse(at, 'is not a list');
  }

  texts(json: Json | undefined, at: string): Readonly<Record<string, string>> {
    if (json === undefined || json === null) return {};
    const object = this.object(json, at);
    return Object.fromEntries(Object.keys(object).map((key) => [key, this.text(object, key, at)]));
  }

  text(object: JsonObject, key: string, at: string): string {
    const value = object[key] ?? '';
    return typeof value === 'string' ? value : this.refuse(`${at}.${key}`, 'is not a string');
  }

  #flag(object: JsonObject, key: string, at: string): boolean | undefined {
    const value = object[key] ?? undefined;
    return value === undefined || typeof value === 'boolean'
      ? value
      : this.refuse(`${at}.${key}`, 'is not true or false');
  }

  refuse(at: string, what: string): never {
    throw usage(`${this.#source}: ${at} ${what}`);
  }
}

/** Returns the import of a command line: one resource. `parent` and `provider` are a URN, or `name=URN`. */
export function wishOfWords(
  words: { readonly type: string; readonly name: string; readonly id: string },
  options: {
    readonly parent: string | undefined;
    readonly provider: string | undefined;
    readonly properties: readonly string[];
    readonly protect: boolean;
  },
): ImportWish {
  const nameTable: Record<string, string> = {};
  const named = (flag: string, text: string | undefined): string => {
    if (text === undefined || isUrn(text)) return text ?? '';
    const at = text.indexOf('=');
    const urn = text.slice(at + 1);
    if (at <= 0 || !isUrn(urn))
      throw usage(`--${flag} takes a URN, or name=URN, not ${JSON.stringify(text)}`);
    nameTable[text.slice(0, at)] = urn;
    return text.slice(0, at);
  };
  const resource: WishedResource = {
    ...bareWish(words.type, words.name, words.id),
    parent: named('parent', options.parent),
    provider: named('provider', options.provider),
    protect: options.protect,
    properties: options.properties,
  };
  return { resources: [resource], nameTable };
}

function usage(summary: string, hint?: string): Error {
  return cairnError('CAIRN-USAGE', summary, hint === undefined ? {} : { hint });
}
