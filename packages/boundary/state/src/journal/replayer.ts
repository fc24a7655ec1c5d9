import { unreachable } from '@cairn/diagnostics';
import type { Json } from '../values/go-json.js';
import { corruptJournal } from './journal-codec.js';
import type { SerializedJournalEntry } from './journal-codec.js';
import { normalizeUrns } from './normalize-urns.js';
import { rebuildDependencies } from './rebuild-dependencies.js';
import type {
  Manifest,
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from '../document/serialized.js';

/**
 * Folds journal entries into a deployment [JRN-3] [JRN-4] [JRN-5]. Works on sealed state, so it needs no passphrase.
 * `add` costs the same whatever the size of the stack; `generate` is one pass. Entries are applied in the order given.
 *
 * Stricter than the format's reference [JRN-6]. A reference to an operation that added nothing, or to a base index that
 * does not exist, is `CAIRN-JOURNAL-CORRUPT`. Pending operations are ordered by sequence id. A create that is pending
 * in the base and was begun again is pending once. A rebuilt base restarts the index of new resources.
 */
export class Replayer {
  #base: SerializedDeployment;
  #newResources: SerializedResource[] = [];
  #indexOf = new Map<number, number>();
  readonly #removedNew = new Set<number>();
  readonly #removedBase = new Set<number>();
  readonly #replacedBase = new Map<number, SerializedResource>();
  readonly #deletedBase = new Set<number>();
  readonly #pendingBase = new Set<number>();
  readonly #incomplete = new Map<number, SerializedJournalEntry>();
  #extensions: Record<string, Json> = noExtensions();
  #refreshed = false;
  #byteStrings: boolean;
  #entries = 0;
  readonly #source: string;

  /** `source` names the journal in errors. */
  constructor(base: SerializedDeployment, source: string) {
    this.#source = source;
    this.#base = base;
    this.#byteStrings = base.byteStrings;
  }

  /** Number of entries that were added. */
  get entryCount(): number {
    return this.#entries;
  }

  /** Returns the steps that were begun and not ended, in order of their beginning. */
  inDoubt(): readonly SerializedOperation[] {
    return [...this.#incomplete.values()]
      .sort((a, b) => a.sequenceId - b.sequenceId)
      .flatMap(({ operation }) =>
        operation === undefined ? [] : [{ resource: operation.resource, type: operation.type }],
      );
  }

  /** Applies one entry [JRN-3]. After an error the replayer must not be used. */
  add(entry: SerializedJournalEntry): void {
    this.#entries += 1;
    if (entry.requiresByteString === true) this.#byteStrings = true;
    const { kind } = entry;
    switch (kind) {
      case 'begin':
        this.#incomplete.set(entry.operationId, entry);
        return;
      case 'success':
        return this.#succeed(entry);
      case 'failure':
        this.#incomplete.delete(entry.operationId);
        return;
      case 'refresh-success':
        return this.#refresh(entry);
      case 'outputs':
        if (entry.state !== undefined) this.#replaceState(entry, entry.state);
        return;
      case 'write':
        this.#base = entry.newSnapshot ?? this.#missing(entry, 'newSnapshot');
        return;
      case 'secrets-manager':
        return this.#useSecretsManager(entry.secretsProvider ?? this.#missing(entry, 'secretsProvider'));
      case 'rebuilt-base-state':
        return this.#rebuildBase();
      case 'extension-parameterize':
        this.#extensions[entry.extensionRef ?? this.#missing(entry, 'extensionRef')] =
          entry.extension ?? null;
        return;
      case 'snippets':
        this.#base = { ...this.#base, snippets: entry.snippets ?? [] };
        return;
      default:
        return unreachable(kind);
    }
  }

  /**
   * Returns the deployment that results from base and entries [JRN-4]. Fails with `CAIRN-STATE-INTEGRITY` when aliases
   * collide.
   */
  generate(manifest: Manifest): SerializedDeployment {
    return normalizeUrns(this.#fold(manifest));
  }

  #fold(manifest: Manifest): SerializedDeployment {
    const resources = this.#resources();
    const inDoubt = this.inDoubt();
    const begunAgain = new Set(inDoubt.filter(isCreating).map(({ resource }) => resource.urn));
    const creating = this.#base.pendingOperations.filter(
      (operation) => isCreating(operation) && !begunAgain.has(operation.resource.urn),
    );
    return {
      manifest,
      secretsProvider: this.#base.secretsProvider,
      resources: this.#refreshed ? rebuildDependencies(resources) : resources,
      pendingOperations: [...inDoubt, ...creating],
      integrityError: this.#base.integrityError,
      snippets: this.#base.snippets,
      extensions: { ...this.#extensions, ...this.#base.extensions },
      byteStrings: this.#byteStrings,
    };
  }

  /** Returns the new resources and what is left of the base: its own list as long as nothing has changed. */
  #resources(): readonly SerializedResource[] {
    const base = this.#base.resources;
    const marks = [this.#removedBase, this.#replacedBase, this.#deletedBase, this.#pendingBase];
    if (this.#newResources.length === 0 && marks.every(({ size }) => size === 0)) return base;
    const resources = this.#newResources.filter((_resource, index) => !this.#removedNew.has(index));
    for (let index = 0; index < base.length; index++) {
      if (this.#removedBase.has(index)) continue;
      const resource = base[index] as SerializedResource;
      resources.push(this.#replacedBase.get(index) ?? this.#marked(index, resource));
    }
    return resources;
  }

  #succeed(entry: SerializedJournalEntry): void {
    this.#incomplete.delete(entry.operationId);
    if (entry.state !== undefined)
      this.#indexOf.set(entry.operationId, this.#newResources.push(entry.state) - 1);
    if (entry.removeOld !== undefined) this.#removedBase.add(this.#baseIndex(entry.removeOld));
    if (entry.removeNew !== undefined) this.#removedNew.add(this.#newIndex(entry.removeNew));
    if (entry.deleteOld !== undefined) this.#deletedBase.add(this.#baseIndex(entry.deleteOld));
    if (entry.deleteNew !== undefined) this.#alterNew(entry.deleteNew, { delete: true });
    if (entry.pendingReplacementOld !== undefined)
      this.#pendingBase.add(this.#baseIndex(entry.pendingReplacementOld));
    if (entry.pendingReplacementNew !== undefined)
      this.#alterNew(entry.pendingReplacementNew, { pendingReplacement: true });
    if (entry.isRefresh === true) this.#refreshed = true;
  }

  #refresh(entry: SerializedJournalEntry): void {
    this.#incomplete.delete(entry.operationId);
    this.#refreshed = true;
    if (entry.state !== undefined) return this.#replaceState(entry, entry.state);
    if (entry.removeOld !== undefined) this.#removedBase.add(this.#baseIndex(entry.removeOld));
    if (entry.removeNew !== undefined) this.#removedNew.add(this.#newIndex(entry.removeNew));
  }

  /** Replaces a state in its position. */
  #replaceState(entry: SerializedJournalEntry, state: SerializedResource): void {
    if (entry.removeOld !== undefined) this.#replacedBase.set(this.#baseIndex(entry.removeOld), state);
    if (entry.removeNew !== undefined) this.#newResources[this.#newIndex(entry.removeNew)] = state;
  }

  #alterNew(operationId: number, marks: Partial<SerializedResource>): void {
    const index = this.#newIndex(operationId);
    this.#newResources[index] = { ...(this.#newResources[index] as SerializedResource), ...marks };
  }

  #marked(index: number, resource: SerializedResource): SerializedResource {
    const pending = this.#pendingBase.has(index);
    const deleted = this.#deletedBase.has(index);
    if (!pending && !deleted) return resource;
    return {
      ...resource,
      ...(pending ? { pendingReplacement: true } : {}),
      ...(deleted ? { delete: true } : {}),
    };
  }

  /** Sets the secrets manager. The same manager changes nothing, so that the exact text of its settings remains. */
  #useSecretsManager(manager: SecretsProviderRecord): void {
    const current = this.#base.secretsProvider;
    const same = current?.type === manager.type && sameJson(current.state, manager.state);
    if (!same) this.#base = { ...this.#base, secretsProvider: manager };
  }

  #rebuildBase(): void {
    this.#base = this.generate(this.#base.manifest);
    // References of the new base are in order. Resources that the program registers from here on are stored as
    // registered.
    this.#refreshed = false;
    this.#newResources = [];
    this.#extensions = noExtensions();
    for (const marks of [
      this.#indexOf,
      this.#removedNew,
      this.#removedBase,
      this.#replacedBase,
      this.#deletedBase,
      this.#pendingBase,
      this.#incomplete,
    ]) {
      marks.clear();
    }
  }

  #baseIndex(index: number): number {
    if (index < this.#base.resources.length) return index;
    throw corruptJournal(
      this.#source,
      `it refers to resource ${index} of a state that has ${this.#base.resources.length}`,
    );
  }

  #newIndex(operationId: number): number {
    const index = this.#indexOf.get(operationId);
    if (index !== undefined) return index;
    throw corruptJournal(this.#source, `it refers to operation ${operationId}, which did not add a resource`);
  }

  #missing(entry: SerializedJournalEntry, key: string): never {
    throw corruptJournal(this.#source, `entry ${entry.sequenceId} of kind ${entry.kind} has no "${key}"`);
  }
}

/** Returns an empty map. Its references come from a file: any text may be one. */
function noExtensions(): Record<string, Json> {
  return Object.create(null) as Record<string, Json>;
}

function isCreating({ type }: SerializedOperation): boolean {
  return type === 'creating';
}

function sameJson(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  return (
    a !== undefined && b !== undefined && JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  );
}
