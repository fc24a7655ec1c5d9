import type {
  Blob,
  BlobStore,
  CopyCondition,
  CopyResult,
  OpenSegmentResult,
  PutCondition,
  PutResult,
  Segment,
} from '@cairn/blobs';
import { readCheckpoint } from '@cairn/state';
import { decompress } from '../checkpoint/compression.js';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import { Box, isSealed, newHeader, openSealed, sealFile, sealFrame, takeHeader } from './sealed-format.js';
import type { DataKey } from './sealed-format.js';
import { isCheckpoint, sealedScopeOf } from './sealed-scope.js';
import type { SealedScope } from './sealed-scope.js';
import { sameRecord } from './sealing.js';
import type { StateKeys } from './sealing.js';

/** Number of bytes that distinguish a sealed file from a plain one. */
const SHORTEST = 16;

/**
 * Blob store that opens sealed files and seals those that are to be sealed: states, histories and journals, each bound
 * to its stack. Everything else, and every condition and version, is the inner store's. It calls no secrets manager
 * before it meets or makes a sealed file.
 */
export class SealedStore implements BlobStore {
  /** Keys of files that are known to be plain and only grow. */
  readonly #plain = new Set<string>();
  readonly #inner: BlobStore;

  constructor(
    inner: BlobStore,
    readonly keys: StateKeys,
  ) {
    this.#inner = inner;
  }

  get url(): string {
    return this.#inner.url;
  }

  get names(): BlobStore['names'] {
    const inner = this.#inner;
    return inner.names && ((folder) => inner.names?.(folder) ?? Promise.resolve([]));
  }

  async sweep(folder: string): Promise<void> {
    await this.#inner.sweep?.(folder);
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#inner.removeFolder?.(folder);
  }

  get remote(): boolean {
    return this.#inner.remote === true;
  }

  async get(key: string): Promise<Blob | undefined> {
    const scope = sealedScopeOf(key);
    const blob = await this.#inner.get(key);
    if (scope === undefined || blob === undefined) return blob;
    if (isSealed(blob.bytes)) return { ...blob, bytes: await this.#opened(key, scope, blob.bytes) };
    if (isCheckpoint(key)) this.keys.noteCheckpoint(scope.stack, false);
    return blob;
  }

  async getFrom(key: string, offset: number): Promise<Uint8Array | undefined> {
    const scope = sealedScopeOf(key);
    if (scope === undefined || this.#plain.has(key)) return this.#from(key, offset);
    const bytes = await this.#from(key, 0);
    if (bytes === undefined) return undefined;
    if (isSealed(bytes)) return (await this.#opened(key, scope, bytes)).subarray(offset);
    if (bytes.length >= SHORTEST) this.#plain.add(key);
    return bytes.subarray(offset);
  }

  /** Returns the ends of a file as it is stored, sealed or not. */
  get getEnds(): BlobStore['getEnds'] {
    const inner = this.#inner;
    return inner.getEnds && ((key, most) => inner.getEnds?.(key, most) ?? Promise.resolve(undefined));
  }

  /** Returns the start of a file as it is stored, sealed or not. */
  get getStart(): BlobStore['getStart'] {
    const inner = this.#inner;
    return inner.getStart && ((key, most) => inner.getStart?.(key, most) ?? Promise.resolve(undefined));
  }

  async put(key: string, bytes: Uint8Array, condition: PutCondition = {}): Promise<PutResult> {
    const scope = sealedScopeOf(key);
    if (scope === undefined) return this.#inner.put(key, bytes, condition);
    const seals = await this.#seals(scope);
    const stored = seals ? sealFile(bytes, await this.keys.keyFor(scope.stack), scope) : bytes;
    const result = await this.#inner.put(key, stored, condition);
    if (result.ok && isCheckpoint(key)) this.keys.noteWritten(scope.stack, seals);
    return result;
  }

  list(prefix: string): ReturnType<BlobStore['list']> {
    return this.#inner.list(prefix);
  }

  delete(key: string, condition?: Parameters<BlobStore['delete']>[1]): ReturnType<BlobStore['delete']> {
    return this.#inner.delete(key, condition);
  }

  /** Copies a file. A copy within one stack and of one kind needs no key, unless a plain file is to be sealed. */
  async copy(from: string, to: string, condition: CopyCondition = {}): Promise<CopyResult> {
    const asItIs = (): Promise<CopyResult> => this.#inner.copy(from, to, condition);
    const [source, target] = [sealedScopeOf(from), sealedScopeOf(to)];
    const bound = source?.stack === target?.stack && source?.kind === target?.kind;
    if (source === undefined || target === undefined) return asItIs();
    if (bound && !(await this.#seals(target))) return asItIs();
    const plain = isCheckpoint(from) && this.keys.isPlain(source.stack);
    if (plain && !(await this.#seals(target))) return asItIs();
    const raw = await this.#inner.get(from);
    if (raw === undefined) return { ok: false, reason: 'missing' };
    if (raw.version !== (condition.ifVersion ?? raw.version)) return { ok: false, reason: 'changed' };
    const sealed = isSealed(raw.bytes);
    if (bound && sealed) return asItIs();
    if (!sealed && !(await this.#seals(target))) return asItIs();
    if (sealed) await this.#sealAs(source, target);
    await this.put(to, sealed ? await this.#opened(from, source, raw.bytes) : raw.bytes);
    return { ok: true };
  }

  async openSegment(
    key: string,
    options: Parameters<BlobStore['openSegment']>[1],
  ): Promise<OpenSegmentResult> {
    const scope = sealedScopeOf(key);
    const sealing = scope !== undefined && (await this.#seals(scope));
    const dataKey = sealing ? await this.keys.keyFor(scope.stack) : undefined;
    const opened = await this.#inner.openSegment(key, options);
    if (!opened.ok || scope === undefined || dataKey === undefined) return opened;
    return { ok: true, segment: new SealedSegment(opened.segment, dataKey, scope) };
  }

  async fenceSegment(key: string): Promise<void> {
    await this.#inner.fenceSegment?.(key);
  }

  async checkWrites(scratch: string): ReturnType<NonNullable<BlobStore['checkWrites']>> {
    return (await this.#inner.checkWrites?.(scratch)) ?? [];
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Returns the same store for a caller that may not ask for keys: a sealed file fails with `CAIRN-STATE-SEALED`. */
  withKeys(keys: StateKeys): SealedStore {
    return new SealedStore(this.#inner, keys);
  }

  /**
   * Rewrites a file the way files of its stack are written now: sealed or plain, under the current key. A file that is
   * so already, or that changes meanwhile, remains as it is.
   */
  async reseal(key: string): Promise<void> {
    const scope = sealedScopeOf(key);
    const raw = scope === undefined ? undefined : await this.#inner.get(key);
    if (scope === undefined || raw === undefined) return;
    const header = isSealed(raw.bytes) ? takeHeader(raw.bytes, key)?.header : undefined;
    const seals = await this.#seals(scope);
    const asItIs = seals
      ? sameRecord(header?.manager, this.keys.managerOf(scope.stack))
      : !isSealed(raw.bytes);
    if (asItIs) return;
    const content = isSealed(raw.bytes) ? await this.#opened(key, scope, raw.bytes) : raw.bytes;
    this.#plain.delete(key);
    await this.put(key, content, { ifVersion: raw.version });
  }

  async #from(key: string, offset: number): Promise<Uint8Array | undefined> {
    if (this.#inner.getFrom !== undefined) return this.#inner.getFrom(key, offset);
    return (await this.#inner.get(key))?.bytes.subarray(offset);
  }

  async #opened(key: string, scope: SealedScope, bytes: Uint8Array): Promise<Uint8Array> {
    const taken = takeHeader(bytes, key);
    // The first append did not completely reach the medium.
    if (taken === undefined) return new Uint8Array();
    const { header, size } = taken;
    if (isCheckpoint(key)) this.keys.noteCheckpoint(scope.stack, true, header.manager);
    const dataKey = await this.keys.unwrap(scope.stack, header, key);
    return openSealed(bytes, header, { size, key: dataKey, scope, name: key });
  }

  /** Returns true if files of the stack are to be sealed, which may depend on its stored checkpoint. */
  async #seals({ stack }: SealedScope): Promise<boolean> {
    if (this.keys.mode === 'off') return false;
    if (!this.keys.knows(stack) || (this.keys.mode === 'on' && !this.keys.hasManager(stack)))
      await this.#look(stack);
    return this.keys.seals(stack);
  }

  /** Finds out if the stack's checkpoint is sealed, and under which manager. */
  async #look(stack: string): Promise<void> {
    const base = `${layout.stacks}${stack}`;
    const names = new Set(CHECKPOINT_ENDS.map((end) => base + end));
    const rows = (await this.#inner.list(`${base}.json`)).filter((row) => names.has(row.key));
    const key = rows.sort((a, b) => a.modified - b.modified).at(-1)?.key;
    const blob = key === undefined ? undefined : await this.#inner.get(key);
    if (key === undefined || blob === undefined) return this.keys.noteCheckpoint(stack, undefined);
    const sealed = isSealed(blob.bytes) ? takeHeader(blob.bytes, key) : undefined;
    if (sealed !== undefined) {
      return this.keys.noteCheckpoint(stack, true, sealed.header.manager);
    }
    this.keys.noteCheckpoint(stack, false);
    if (this.keys.mode !== 'on') return;
    const { deployment } = readCheckpoint(await decompress(blob.bytes, key), key);
    this.keys.useManager(stack, deployment?.secretsProvider);
  }

  /** Seals files that are moved to another stack's name under the same manager, if they were sealed. */
  async #sealAs(source: SealedScope, target: SealedScope): Promise<void> {
    await this.#seals(source);
    if (this.keys.knows(target.stack)) return;
    this.keys.noteCheckpoint(target.stack, true, this.keys.managerOf(source.stack));
  }
}

/** Segment whose appends are sealed, each on its own. The first one carries the header with it. */
class SealedSegment implements Segment {
  readonly #box: Box;
  #line: Buffer | undefined;
  #index = 0;
  readonly #inner: Segment;

  constructor(inner: Segment, key: DataKey, scope: SealedScope) {
    this.#inner = inner;
    const header = newHeader(key, 'segment');
    this.#line = Buffer.from(header.line);
    this.#box = new Box(header, key, scope);
  }

  get key(): string {
    return this.#inner.key;
  }

  get durableSize(): number {
    return this.#inner.durableSize;
  }

  append(bytes: Uint8Array): Promise<void> {
    const frame = sealFrame(bytes, this.#box, this.#index);
    this.#index += 1;
    const line = this.#line;
    this.#line = undefined;
    return this.#inner.append(line === undefined ? frame : Buffer.concat([line, frame]));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
