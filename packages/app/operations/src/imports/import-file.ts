import {
  ROOT_STACK_TYPE,
  isDefaultProvider,
  isProviderType,
  parseProviderReference,
  providerTypePackage,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { noManagerCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { readPackage } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { ValueEncoder, goJson, goStruct, indentJson } from '@cairn/state';
import type { JsonObject, ResourceEntry } from '@cairn/state';
import { containsSecret, containsUnknown, emptyMap, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { PLACEHOLDER } from './import-list.js';

/** A list for an import, made of the creates of a preview. The user fills in the ids. */
export interface ImportFile {
  readonly nameTable: Readonly<Record<string, Urn>>;
  readonly resources: readonly FiledResource[];
  /** Settings of providers that are not known yet, and are left out. */
  readonly unknown: readonly { readonly urn: Urn; readonly keys: readonly string[] }[];
}

/** One resource of the list, with names for its references to others. */
interface FiledResource {
  readonly entry: ResourceEntry;
  readonly name: string;
  readonly parent: string | undefined;
  readonly provider: string | undefined;
  /** Inputs of the provider that serves it. */
  readonly served: PropertyMap;
  /** Known settings, if it is a provider. */
  readonly settings: PropertyMap | undefined;
}

/** Listens to the events of a preview and makes the list. */
export class ImportFileOfPreview {
  readonly #seen = new Map<Urn, ResourceEntry>();
  readonly #created = new Set<Urn>();

  /** Takes an event. Called once for each event, in their order. */
  take(event: EngineEvent): void {
    if (event.t !== 'step-started') return;
    const { kind, urn, new: entry, old, type } = event.step;
    const known = entry ?? old;
    if (known === undefined) return;
    this.#seen.set(urn, known);
    if (kind === 'create' && type !== ROOT_STACK_TYPE && !isDefaultProvider(urn)) this.#created.add(urn);
  }

  file(): ImportFile {
    const names = namesOf([...this.#seen.keys()]);
    const nameTable: Record<string, Urn> = {};
    const nameOf = (urn: Urn | undefined): string | undefined => {
      if (urn === undefined || urnType(urn) === ROOT_STACK_TYPE || isDefaultProvider(urn)) return undefined;
      const name = names.get(urn) ?? urnName(urn);
      if (!this.#created.has(urn)) nameTable[name] = urn;
      return name;
    };
    const unknown: { readonly urn: Urn; readonly keys: readonly string[] }[] = [];
    const resources = [...this.#created].map((urn): FiledResource => {
      const entry = this.#seen.get(urn) as ResourceEntry;
      const provider = providerUrn(entry.provider);
      const { known, keys } = isProviderType(entry.type) ? split(entry.inputs) : NOTHING;
      if (keys.length > 0) unknown.push({ urn, keys });
      return {
        entry,
        name: names.get(urn) as string,
        parent: nameOf(entry.parent),
        provider: nameOf(provider),
        served: (provider === undefined ? undefined : this.#seen.get(provider)?.inputs) ?? emptyMap,
        settings: known,
      };
    });
    return { nameTable, resources, unknown };
  }
}

const NOTHING = { known: undefined, keys: [] };

function providerUrn(provider: ProviderReference | undefined): Urn | undefined {
  return provider === undefined ? undefined : parseProviderReference(provider).urn;
}

/** Returns the known settings, and the names of the others. */
function split(inputs: PropertyMap): { readonly known: PropertyMap; readonly keys: readonly string[] } {
  const known = newMap();
  const keys: string[] = [];
  for (const [key, value] of Object.entries(inputs)) {
    if (containsUnknown(value)) keys.push(key);
    else known[key] = value;
  }
  return { known, keys: keys.toSorted() };
}

/**
 * Returns a name for each resource: its own if no earlier one has it, else its own followed by its type. If that is
 * taken too, a number follows.
 */
function namesOf(urns: readonly Urn[]): ReadonlyMap<Urn, string> {
  const taken = new Set(urns.map(urnName));
  const given = new Set<string>();
  const names = new Map<Urn, string>();
  for (const urn of urns) {
    const own = urnName(urn);
    let name = own;
    if (given.has(own)) {
      const longer = `${own}${capitalised(urnType(urn).split(':').at(-1) ?? '')}`;
      name = longer;
      for (let count = 2; taken.has(name); count++) name = `${longer}${count}`;
    }
    taken.add(name);
    given.add(name);
    names.set(urn, name);
  }
  return names;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Writes the list as text, with secrets sealed like those of the stack. */
export async function importFileText(
  { crypter }: { readonly crypter: Promise<Crypter> },
  { nameTable, resources }: ImportFile,
): Promise<string> {
  const sealed = resources.some(({ settings }) => settings !== undefined && containsSecret(settings));
  const values = new ValueEncoder(sealed ? await crypter : noManagerCrypter);
  const json = goStruct({
    ...(Object.keys(nameTable).length > 0 && { nameTable }),
    ...(resources.length > 0 && { resources: resources.map((each) => resourceJson(each, values)) }),
  });
  return `${indentJson(goJson(json, { structs: true }), 4)}\n`;
}

function resourceJson(resource: FiledResource, values: ValueEncoder): JsonObject {
  const { entry, name, parent, provider, served, settings } = resource;
  const { type, custom, urn } = entry;
  const pkg =
    entry.provider === undefined
      ? undefined
      : providerTypePackage(urnType(parseProviderReference(entry.provider).urn));
  const {
    version = '',
    downloadUrl = '',
    parameterization,
  } = pkg === undefined ? {} : readPackage(pkg, served).request;
  return goStruct({
    type,
    name,
    ...(custom && !isProviderType(type) && { id: PLACEHOLDER }),
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    ...(version !== '' && { version }),
    ...(downloadUrl !== '' && { pluginDownloadUrl: downloadUrl }),
    ...(!custom && { component: true }),
    ...(!custom && entry.provider !== undefined && { remote: true }),
    ...(settings !== undefined && Object.keys(settings).length > 0 && { inputs: values.map(settings) }),
    ...(name !== urnName(urn) && { logicalName: urnName(urn) }),
    ...(parameterization !== undefined && {
      parameterization: goStruct({
        pluginName: parameterization.pluginName,
        pluginVersion: parameterization.pluginVersion,
        value: Buffer.from(parameterization.value).toString('base64'),
      }),
    }),
  });
}
