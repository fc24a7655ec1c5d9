import { isUrn, parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { Crypter } from '@cairn/crypters';
import { BugError, messageOf } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import { emptyMap, isEmptyMap } from '@cairn/values';
import { corruptState } from '../document/corrupt-state.js';
import { ValueFault, decodePropertyMap, decodeStateValue } from '../values/decode-value.js';
import { ValueEncoder } from '../values/encode-value.js';
import type { SecretEncodeOptions } from '../values/encode-value.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { readPath, writtenPaths } from '../values/path-texts.js';
import { NULL_LIST, noTimeouts, resourceEntry } from './resource-entry.js';
import type { CustomTimeouts, ResourceEntry } from './resource-entry.js';
import type { SerializedOperation, SerializedResource } from '../document/serialized.js';
import type { PendingOperation } from './snapshot.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Encodes an entry in the form of the file, with secrets sealed [STATE-6]. Empty fields are left out. `aliases` is
 * kept, because replay needs and removes it. Afterwards the encoder tells whether it met byte strings.
 */
export function encodeResource(entry: ResourceEntry, encoder: ValueEncoder): SerializedResource {
  const resource: Mutable<SerializedResource> = { urn: entry.urn, custom: entry.custom, type: entry.type };
  if (entry.delete) resource.delete = true;
  if (entry.id !== '') resource.id = entry.id;
  if (!isEmptyMap(entry.inputs)) resource.inputs = encoder.map(entry.inputs);
  if (!isEmptyMap(entry.outputs)) resource.outputs = encoder.map(entry.outputs);
  if (entry.parent !== undefined) resource.parent = entry.parent;
  if (entry.protect) resource.protect = true;
  if (entry.taint) resource.taint = true;
  if (entry.external) resource.external = true;
  if (entry.dependencies.length > 0) resource.dependencies = entry.dependencies;
  if (entry.initErrors.length > 0) resource.initErrors = entry.initErrors;
  if (entry.provider !== undefined) resource.provider = entry.provider;
  if (hasKeys(entry.propertyDependencies))
    resource.propertyDependencies = encodeLists(entry.propertyDependencies);
  if (entry.pendingReplacement) resource.pendingReplacement = true;
  if (entry.additionalSecretOutputs.length > 0)
    resource.additionalSecretOutputs = entry.additionalSecretOutputs;
  if (entry.aliases.length > 0) resource.aliases = entry.aliases;
  const timeouts = encodeTimeouts(entry.customTimeouts);
  if (timeouts !== undefined) resource.customTimeouts = timeouts;
  encodeRareFields(entry, resource, encoder);
  return resource;
}

function encodeRareFields(
  entry: ResourceEntry,
  resource: Mutable<SerializedResource>,
  encoder: ValueEncoder,
): void {
  if (entry.importId !== '') resource.importID = entry.importId;
  if (entry.retainOnDelete) resource.retainOnDelete = true;
  if (entry.deletedWith !== undefined) resource.deletedWith = entry.deletedWith;
  if (entry.replaceWith.length > 0) resource.replaceWith = entry.replaceWith;
  if (entry.created !== undefined) resource.created = entry.created;
  if (entry.modified !== undefined) resource.modified = entry.modified;
  if (entry.sourcePosition !== undefined) resource.sourcePosition = entry.sourcePosition;
  if (entry.stackTrace.length > 0) {
    resource.stackTrace = entry.stackTrace.map((frame) =>
      frame.sourcePosition === undefined ? {} : { sourcePosition: frame.sourcePosition },
    );
  }
  if (entry.ignoreChanges.length > 0) resource.ignoreChanges = entry.ignoreChanges;
  if (entry.hideDiffs.length > 0) resource.hideDiff = writtenPaths(entry.hideDiffs);
  if (entry.replaceOnChanges.length > 0) resource.replaceOnChanges = entry.replaceOnChanges;
  const trigger = entry.replacementTrigger;
  if (trigger !== undefined && trigger !== null) resource.replacementTrigger = encoder.value(trigger);
  if (entry.refreshBeforeUpdate) resource.refreshBeforeUpdate = true;
  if (entry.viewOf !== undefined) resource.viewOf = entry.viewOf;
  if (hasKeys(entry.resourceHooks)) resource.resourceHooks = entry.resourceHooks;
  if (entry.extensionRef !== undefined) resource.extensionRef = entry.extensionRef;
  if (entry.snippetId !== undefined) resource.snippetID = entry.snippetId;
}

/** Encodes one entry in the form of the file, for callers that need not know about byte strings. */
export function encodeEntry(
  entry: ResourceEntry,
  crypter: Crypter,
  options?: SecretEncodeOptions,
): SerializedResource {
  return encodeResource(entry, new ValueEncoder(crypter, options));
}

/**
 * Returns the entry that a resource of a file represents, with secrets opened by the crypter. `source` is the file, for
 * messages.
 *
 * Fails with `CAIRN-STATE-CORRUPT` naming the resource and the key: no URN or type, an id on a component, addresses or
 * values that do not follow their grammar.
 */
export function decodeResource(
  resource: SerializedResource,
  crypter: Crypter,
  source: string,
): ResourceEntry {
  const read = new ResourceReader(resource, crypter, source);
  if (resource.type === '') throw read.fault('type', 'is missing');
  if (!resource.custom && (resource.id ?? '') !== '')
    throw read.fault('id', 'is set, but the resource is not custom');
  return resourceEntry({
    urn: read.requiredUrn(),
    type: resource.type,
    custom: resource.custom,
    id: resource.id ?? '',
    inputs: read.map('inputs'),
    outputs: read.map('outputs'),
    parent: read.urn('parent'),
    provider: read.provider(),
    delete: resource.delete ?? false,
    pendingReplacement: resource.pendingReplacement ?? false,
    protect: resource.protect ?? false,
    taint: resource.taint ?? false,
    external: resource.external ?? false,
    retainOnDelete: resource.retainOnDelete ?? false,
    refreshBeforeUpdate: resource.refreshBeforeUpdate ?? false,
    dependencies: read.urns('dependencies'),
    propertyDependencies: read.propertyDependencies(),
    deletedWith: read.urn('deletedWith'),
    replaceWith: read.urns('replaceWith'),
    viewOf: read.urn('viewOf'),
    initErrors: resource.initErrors ?? [],
    additionalSecretOutputs: resource.additionalSecretOutputs ?? [],
    aliases: read.urns('aliases'),
    customTimeouts:
      resource.customTimeouts === undefined ? noTimeouts : { ...noTimeouts, ...resource.customTimeouts },
    importId: resource.importID ?? '',
    created: filled(resource.created),
    modified: filled(resource.modified),
    sourcePosition: filled(resource.sourcePosition),
    stackTrace: (resource.stackTrace ?? []).map((frame) => ({
      sourcePosition: filled(frame.sourcePosition),
    })),
    ignoreChanges: resource.ignoreChanges ?? [],
    replaceOnChanges: resource.replaceOnChanges ?? [],
    hideDiffs: (resource.hideDiff ?? []).map(readPath),
    replacementTrigger: read.value('replacementTrigger'),
    resourceHooks: resource.resourceHooks ?? {},
    extensionRef: filled(resource.extensionRef),
    snippetId: filled(resource.snippetID),
  });
}

/** Applies {@link encodeResource} to a step that was begun and not ended. */
export function encodeOperation(operation: PendingOperation, encoder: ValueEncoder): SerializedOperation {
  return { resource: encodeResource(operation.resource, encoder), type: operation.type };
}

/** Applies {@link decodeResource} to a step that was begun and not ended. */
export function decodeOperation(
  operation: SerializedOperation,
  crypter: Crypter,
  source: string,
): PendingOperation {
  return { resource: decodeResource(operation.resource, crypter, source), type: operation.type };
}

class ResourceReader {
  readonly #resource: SerializedResource;
  readonly #crypter: Crypter;
  readonly #source: string;

  constructor(resource: SerializedResource, crypter: Crypter, source: string) {
    this.#resource = resource;
    this.#crypter = crypter;
    this.#source = source;
  }

  fault(key: string, why: string): Error {
    const { urn } = this.#resource;
    const place = urn === '' ? 'a resource without "urn":' : `resource ${urn}:`;
    return corruptState(this.#source, place, `"${key}" ${why}`, isUrn(urn) ? { urn } : {});
  }

  requiredUrn(): Urn {
    const { urn } = this.#resource;
    if (!isUrn(urn))
      throw this.fault('urn', urn === '' ? 'is missing' : `${JSON.stringify(urn)} is not a URN`);
    return urn;
  }

  urn(key: 'parent' | 'deletedWith' | 'viewOf'): Urn | undefined {
    const text = this.#resource[key] ?? '';
    return text === '' ? undefined : this.#checkUrn(key, text);
  }

  urns(key: 'dependencies' | 'replaceWith' | 'aliases'): readonly Urn[] {
    const texts = this.#resource[key];
    return texts === undefined ? [] : this.#checkUrns(key, texts);
  }

  propertyDependencies(): Readonly<Record<string, readonly Urn[]>> {
    const map = this.#resource.propertyDependencies;
    if (map === undefined) return {};
    const checked = Object.create(null) as Record<string, readonly Urn[]>;
    for (const key of Object.keys(map)) {
      const urns = map[key] ?? null;
      checked[key] = urns === null ? NULL_LIST : this.#checkUrns('propertyDependencies', urns);
    }
    return checked;
  }

  provider(): ProviderReference | undefined {
    const text = this.#resource.provider ?? '';
    if (text === '') return undefined;
    try {
      parseProviderReference(text);
    } catch (thrown) {
      throw this.fault('provider', `is wrong: ${messageOf(thrown)}`);
    }
    return text as ProviderReference;
  }

  map(key: 'inputs' | 'outputs'): PropertyMap {
    const object = this.#resource[key];
    if (object === undefined) return emptyMap;
    return this.#decode(key, () => decodePropertyMap(object as JsonObject, this.#crypter));
  }

  value(key: 'replacementTrigger') {
    const json = this.#resource[key];
    return json === undefined
      ? undefined
      : this.#decode(key, () => decodeStateValue(json as Json, this.#crypter));
  }

  #decode<T>(key: string, run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      if (thrown instanceof BugError) throw thrown;
      if (thrown instanceof ValueFault) throw this.fault(key, `contains a value that ${thrown.message}`);
      if (thrown instanceof RangeError) throw this.fault(key, 'is nested too deeply');
      throw thrown;
    }
  }

  #checkUrns(key: string, texts: readonly string[]): readonly Urn[] {
    return texts.filter((text) => text !== '').map((text) => this.#checkUrn(key, text));
  }

  #checkUrn(key: string, text: string): Urn {
    if (!isUrn(text)) throw this.fault(key, `has ${JSON.stringify(text)}, which is not a URN`);
    return text;
  }
}

/** Encodes lists of dependencies. Returns the same map unless a list is `null` in the file. */
function encodeLists(
  lists: ResourceEntry['propertyDependencies'],
): NonNullable<SerializedResource['propertyDependencies']> {
  if (!Object.values(lists).includes(NULL_LIST)) return lists;
  const encoded = Object.create(null) as Record<string, readonly string[] | null>;
  for (const key of Object.keys(lists))
    encoded[key] = lists[key] === NULL_LIST ? null : (lists[key] as readonly string[]);
  return encoded;
}

function encodeTimeouts(timeouts: CustomTimeouts): SerializedResource['customTimeouts'] {
  const { create, update, delete: remove, read } = timeouts;
  if (create === 0 && update === 0 && remove === 0 && read === 0) return undefined;
  return {
    ...(create === 0 ? {} : { create }),
    ...(update === 0 ? {} : { update }),
    ...(remove === 0 ? {} : { delete: remove }),
    ...(read === 0 ? {} : { read }),
  };
}

function hasKeys(map: object): boolean {
  for (const _key in map) return true;
  return false;
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
