import type { Blob, BlobStore, PutResult } from '@cairn/blobs';
import { encodeRecords } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import { ChangesBody, MessagesBody, RecordsBody } from '@cairn/http-api';
import { localTime } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import type * as v from 'valibot';
import { digestOf } from '../bucket/checkpoint/checkpoint-file.js';
import { summedText, takeSummed } from '../bucket/journal/journal-files.js';
import { JOURNAL_FILES, changeName, changeNumber, layout } from '../bucket/layout.js';
import { stateTextOf } from '../bucket/state-texts.js';
import { withEntries } from '../model/sent-records.js';
import { servedCheckpoint } from '../model/served-checkpoint.js';
import type { StackId } from '../stack-id.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ServiceRefusal } from './service-refusal.js';
import { ofStack } from './service-stacks.js';

type BlobInfo = Awaited<ReturnType<BlobStore['list']>>[number];
type Changes = v.InferOutput<typeof ChangesBody>;
type Change = Changes['changes'][number];

/** Records of a change that were read, and their bytes. */
interface ReadRecords {
  count: number;
  bytes: Uint8Array;
}

/**
 * Files of the changes of one stack as a bucket has them, read from a state service: journals with their small files,
 * records and messages, the checkpoint, and the lock of the update that runs. Nothing but messages is written through
 * it. A look at the names of the journals or at the locks asks the service again; small files are those of the last
 * look.
 */
export class RecordFiles implements BlobStore {
  readonly remote = true;
  readonly checksBases = true;
  #changes: Promise<Changes> | undefined;
  readonly #records = new Map<string, ReadRecords>();
  readonly #messages = new Map<string, Uint8Array>();
  readonly #context: ServiceContext;
  readonly #id: StackId;

  constructor(context: ServiceContext, id: StackId) {
    this.#context = context;
    this.#id = id;
  }

  get url(): string {
    return this.#context.http.url;
  }

  async get(key: string): Promise<Blob | undefined> {
    const bytes = await this.#bytes(key);
    return bytes && { bytes, version: digestOf(bytes), modified: 0 };
  }

  async getFrom(key: string, offset: number): Promise<Uint8Array | undefined> {
    return (await this.#bytes(key))?.subarray(offset);
  }

  async names(folder: string): Promise<readonly string[]> {
    if (folder === layout.journalsOf(this.#id)) {
      const { changes } = await this.#look();
      return changes.map(({ number }) => changeName(number));
    }
    const checkpoint = this.#checkpointKey();
    if (checkpoint.startsWith(folder)) return [checkpoint.slice(folder.length)];
    const place = this.#placeOf(folder);
    const change = place && (await this.#change(place.change));
    return change === undefined ? [] : filesOf(change);
  }

  async list(prefix: string): Promise<readonly BlobInfo[]> {
    if (prefix === layout.locksOf(this.#id)) {
      const { running } = await this.#look();
      return running ? [rowOf(layout.lock(this.#id, running))] : [];
    }
    const place = this.#placeOf(prefix);
    return place === undefined || !isMessage(place.file) ? [] : this.#listMessages(place.change);
  }

  /** Sends a message. The service chooses its number. */
  async put(key: string, bytes: Uint8Array): Promise<PutResult> {
    const place = this.#placeOf(key);
    if (place === undefined || !isMessage(place.file)) throw new BugError(`a service writes ${key} itself`);
    const { version: _version, sum: _sum, ...message } = takeSummed(bytes, key);
    const names = { ...pathNames(this.#context, this.#id), number: numberOf(place.change) };
    await this.#context.http.text('sendMessage', { names, body: message });
    return { ok: true, version: digestOf(bytes) };
  }

  delete(key: string): Promise<never> {
    throw new BugError(`a service removes ${key} itself`);
  }

  copy(from: string): Promise<never> {
    throw new BugError(`a service copies ${from} itself`);
  }

  openSegment(key: string): Promise<never> {
    throw new BugError(`a service writes ${key} itself`);
  }

  async close(): Promise<void> {}

  /** Asks the service for the changes. */
  #look(): Promise<Changes> {
    const names = pathNames(this.#context, this.#id);
    const looking = ofStack(this.#id, () => this.#context.http.json('listChanges', ChangesBody, { names }));
    this.#changes = looking;
    return looking;
  }

  /** Returns a change of the last look. */
  async #change(name: string): Promise<Change | undefined> {
    const { changes } = await (this.#changes ??= this.#look());
    const number = changeNumber(name);
    return changes.find((change) => change.number === number);
  }

  async #bytes(key: string): Promise<Uint8Array | undefined> {
    if (key === this.#checkpointKey()) return this.#state();
    if (key.startsWith(layout.locksOf(this.#id))) return this.#lock(key);
    const message = this.#messages.get(key);
    if (message !== undefined) return message;
    const place = this.#placeOf(key);
    const change = place && (await this.#change(place.change));
    if (place === undefined || change === undefined) return undefined;
    const { operation, sealed } = change;
    switch (place.file) {
      case JOURNAL_FILES.operation:
        return summedText({ version: 1, ...(operation as JsonObject) });
      case JOURNAL_FILES.sealed:
        return sealed ? summedText({ version: 1, ...(sealed as JsonObject) }) : undefined;
      case JOURNAL_FILES.base:
        return this.#base(numberOf(place.change));
      case JOURNAL_FILES.segment:
        return this.#segment(place.change);
      default:
        return undefined;
    }
  }

  /** Reads the state of the stack as a checkpoint. */
  async #state(): Promise<Uint8Array> {
    const names = pathNames(this.#context, this.#id);
    const text = await ofStack(this.#id, () => this.#context.http.text('exportState', { names }));
    return servedCheckpoint(stateTextOf(Buffer.from(text), this.url));
  }

  /** Returns the state that a change started from, or undefined if the service does not keep it. */
  async #base(number: string): Promise<Uint8Array | undefined> {
    const names = { ...pathNames(this.#context, this.#id), number };
    try {
      const text = await this.#context.http.text('changeBase', { names });
      return servedCheckpoint(stateTextOf(Buffer.from(text), this.url));
    } catch (thrown) {
      if (thrown instanceof ServiceRefusal && thrown.status === 404) return undefined;
      throw thrown;
    }
  }

  /** Returns the lock of the update that runs, as its process would hold it in a bucket. */
  async #lock(key: string): Promise<Uint8Array | undefined> {
    const { running, changes } = await (this.#changes ??= this.#look());
    if (!running || key !== layout.lock(this.#id, running)) return undefined;
    const change = changes.find(({ operation }) => operation['lock'] === running);
    const { pid = 0, hostname = '', machine, started, username = '', startTime } = change?.operation ?? {};
    const timestamp = localTime(new Date(Number(startTime ?? 0) * 1000));
    return Buffer.from(JSON.stringify({ pid, username, hostname, machine, started, timestamp, cairn: true }));
  }

  /** Reads the records that came since the last look. */
  async #segment(name: string): Promise<Uint8Array> {
    const read = this.#records.get(name) ?? { count: 0, bytes: new Uint8Array() };
    const names = { ...pathNames(this.#context, this.#id), number: numberOf(name) };
    const query = { after: String(read.count) };
    const answer = await this.#context.http.json('changeRecords', RecordsBody, { names, query });
    const entries = new Map(answer.entries.map((entry) => [entry['sequenceID'], entry]));
    const records = answer.records.map((record) =>
      withEntries(record as unknown as ChangeRecord, (entry) =>
        typeof entry === 'number' ? entries.get(entry) : entry,
      ),
    );
    const bytes = Buffer.concat([read.bytes, encodeRecords(records)]);
    this.#records.set(name, { count: read.count + records.length, bytes });
    return bytes;
  }

  async #listMessages(name: string): Promise<readonly BlobInfo[]> {
    const names = { ...pathNames(this.#context, this.#id), number: numberOf(name) };
    const { messages } = await this.#context.http.json('changeMessages', MessagesBody, { names });
    return messages.map((message, index) => {
      const key = `${layout.journalOf(this.#id, name)}control-${String(index + 1).padStart(6, '0')}.json`;
      this.#messages.set(key, summedText({ version: 1, ...(message as JsonObject) }));
      return rowOf(key);
    });
  }

  #checkpointKey(): string {
    return `${layout.checkpoint(this.#id)}.json`;
  }

  /** Returns the change and the file that a key names. */
  #placeOf(key: string): { readonly change: string; readonly file: string } | undefined {
    const folder = layout.journalsOf(this.#id);
    const [change = '', file = ''] = key.startsWith(folder) ? key.slice(folder.length).split('/') : [];
    return changeNumber(change) === undefined ? undefined : { change, file };
  }
}

function filesOf({ sealed }: Change): readonly string[] {
  const { operation, segment, base } = JOURNAL_FILES;
  return [operation, segment, base, ...(sealed ? [JOURNAL_FILES.sealed] : [])];
}

function rowOf(key: string): BlobInfo {
  return { key, size: 0, modified: 0 };
}

function numberOf(name: string): string {
  return String(changeNumber(name) ?? 0);
}

function isMessage(file: string): boolean {
  return file.startsWith('control-');
}
