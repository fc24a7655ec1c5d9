import { asUrn, isUrn, makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { noManagerCrypter } from '@cairn/crypters';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ImportItem } from '@cairn/engine';
import { decodeMap, isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { StackId } from '@cairn/backends';

/** What a user wants to import, as written down; parents and providers are names or URNs. */
export interface ImportWish {
  readonly resources: readonly WishedResource[];
  /** URNs of resources of the stack by the names that the list, and the program, use for them. */
  readonly nameTable: Readonly<Record<string, string>>;
}

/** One resource of the list. `name`: what the list and the program call it; `logicalName`: its name in the stack. */
export interface WishedResource extends Omit<ImportItem, 'name' | 'parent' | 'provider'> {
  readonly name: string;
  readonly logicalName: string;
  /** A name of the table or of the list, or a URN; empty: the stack. */
  readonly parent: string;
  /** A name of the table, or a URN; empty: the default provider. */
  readonly provider: string;
}

/** The list with every place in the stack known. */
export interface PlacedImport {
  readonly items: readonly ImportItem[];
  readonly urns: readonly Urn[];
  /** What the program calls resources that it declares elsewhere. */
  readonly names: ReadonlyMap<Urn, string>;
  /** What the program shall call the imported ones. */
  readonly variables: ReadonlyMap<Urn, string>;
}

/** Puts a list into a stack. Throws CAIRN-USAGE for a parent or provider that nothing names. */
export function placeImport({ resources, nameTable }: ImportWish, { project, stack }: StackId): PlacedImport {
  const byName = new Map(resources.map((each) => [each.name, each]));
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
    const listed = byName.get(parent);
    if (listed !== undefined) return urnOf(listed, below);
    throw usage(`resource "${wished.name}" has the parent "${parent}", which nothing names`, NAME_HINT);
  };
  const providerOf = ({ name, provider }: WishedResource): Urn | undefined => {
    if (provider === '') return undefined;
    const named = tableUrn(nameTable, provider);
    if (named !== undefined) return named;
    throw usage(`resource "${name}" has the provider "${provider}", which nothing names`, NAME_HINT);
  };
  const items = resources.map((wished): ImportItem => {
    const { logicalName, parent: _parent, provider: _provider, ...rest } = wished;
    return { ...rest, name: logicalName, parent: parentOf(wished, [wished]), provider: providerOf(wished) };
  });
  const urns = resources.map((wished) => urnOf(wished, []));
  return {
    items,
    urns,
    names: new Map(Object.entries(nameTable).map(([name, urn]) => [asUrn(urn), name])),
    variables: new Map(resources.map((each, index) => [urns[index] as Urn, each.name])),
  };
}

const NAME_HINT = 'Add it to the nameTable with its URN, or write the URN itself.';

function tableUrn(nameTable: ImportWish['nameTable'], name: string): Urn | undefined {
  if (Object.hasOwn(nameTable, name)) return asUrn(nameTable[name] as string);
  return isUrn(name) ? name : undefined;
}

/**
 * Reads an import list: a JSON object with `resources` and a `nameTable`. `inputs` and `outputs` are written as in
 * states. Throws CAIRN-USAGE naming what is wrong and where.
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
  reader.only(list, ['nameTable', 'resources'], 'it');
  const nameTable = reader.texts(list['nameTable'], 'nameTable');
  for (const [name, urn] of Object.entries(nameTable))
    if (!isUrn(urn)) reader.refuse(`nameTable.${name}`, 'is not a URN');
  const resources = reader.list(list['resources'], 'resources');
  return { nameTable, resources: resources.map((each, index) => reader.resource(each, index, protect)) };
}

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
  constructor(private readonly source: string) {}

  resource(json: unknown, index: number, protect: boolean): WishedResource {
    const at = `resources[${index}]`;
    const object = this.object(json, at);
    this.only(object, KEYS, at);
    const name = this.text(object, 'name', at);
    const type = this.text(object, 'type', at);
    if (name === '') this.refuse(at, 'has no name');
    if (type === '') this.refuse(at, 'has no type');
    const remote = this.flag(object, 'remote', at) ?? false;
    return {
      type,
      name,
      logicalName: this.text(object, 'logicalName', at) || name,
      id: this.text(object, 'id', at),
      component: this.flag(object, 'component', at) ?? remote,
      remote,
      parent: this.text(object, 'parent', at),
      provider: this.text(object, 'provider', at),
      protect: this.flag(object, 'protect', at) ?? protect,
      package: this.package(object, at),
      properties: this.list(object['properties'], `${at}.properties`).map((each) =>
        typeof each === 'string' ? each : this.refuse(`${at}.properties`, 'holds something other than texts'),
      ),
      inputs: this.properties(object['inputs'], `${at}.inputs`),
      outputs: this.properties(object['outputs'], `${at}.outputs`),
    };
  }

  private package(object: JsonObject, at: string): ImportItem['package'] {
    const version = this.text(object, 'version', at).replace(/^v/, '');
    const downloadUrl = this.text(object, 'pluginDownloadUrl', at);
    const parameterization = this.parameters(object['parameterization'], `${at}.parameterization`);
    const extension = this.parameters(object['extension'], `${at}.extension`);
    if (parameterization !== undefined && parameterization.base === '')
      this.refuse(`${at}.parameterization`, 'has no base, the name of the plugin');
    return { version, downloadUrl, checksums: {}, parameterization, extension };
  }

  private parameters(json: Json | undefined, at: string) {
    if (json === undefined || json === null) return undefined;
    const object = this.object(json, at);
    this.only(object, ['base', 'name', 'version', 'value'], at);
    const name = this.text(object, 'name', at);
    if (name === '') this.refuse(at, 'has no name');
    return {
      base: this.text(object, 'base', at),
      name,
      version: this.text(object, 'version', at),
      value: Buffer.from(this.text(object, 'value', at), 'base64'),
    };
  }

  private properties(json: Json | undefined, at: string): PropertyMap | undefined {
    if (json === undefined || json === null) return undefined;
    const object = this.object(json, at);
    try {
      return decodeMap(object, noManagerCrypter);
    } catch (error) {
      return this.refuse(at, messageOf(error));
    }
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
    return typeof value === 'string' ? value : this.refuse(`${at}.${key}`, 'is not a text');
  }

  private flag(object: JsonObject, key: string, at: string): boolean | undefined {
    const value = object[key] ?? undefined;
    return value === undefined || typeof value === 'boolean'
      ? value
      : this.refuse(`${at}.${key}`, 'is neither true nor false');
  }

  refuse(at: string, what: string): never {
    throw usage(`${this.source}: ${at} ${what}`);
  }
}

/** The wish of a command line: one resource. `parent` and `provider`: a URN, or `name=URN`. */
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
    ...words,
    logicalName: words.name,
    component: false,
    remote: false,
    parent: named('parent', options.parent),
    provider: named('provider', options.provider),
    protect: options.protect,
    package: { version: '', downloadUrl: '', checksums: {} },
    properties: options.properties,
    inputs: undefined,
    outputs: undefined,
  };
  return { resources: [resource], nameTable };
}

function usage(summary: string, hint?: string): Error {
  return cairnError('CAIRN-USAGE', summary, hint === undefined ? {} : { hint });
}
