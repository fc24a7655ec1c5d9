import { randomBytes } from 'node:crypto';
import { isProviderType } from '@cairn/addresses';
import type { BucketBackend, StackId } from '@cairn/backends';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import type { DigestsRequest, SettledDigests } from '@cairn/engine';
import type { Snapshot } from '@cairn/state';
import type { KeptAnswers } from '@cairn/wire';
import { ProviderAnswers } from './provider-answers.js';

/** Dependencies of {@link StackDigests}. */
interface DigestsSource {
  readonly bucket: Pick<BucketBackend['bucket'], 'digests' | 'keepDigests'>;
  readonly id: StackId;
  readonly manager: Pick<SecretsManager, 'fetch'>;
  /** Crypter that seals their key. */
  readonly documents: Promise<Crypter>;
}

/** Digests as stored: in base64, one after the other, with the sealed key under which they were made. */
interface DigestsFile {
  readonly version: 1;
  readonly key: string;
  readonly digests: string;
  /** Digests that providers keep. Absent if there are none. */
  readonly answers?: string;
}

interface LoadedDigests {
  readonly known: SettledDigests;
  readonly answers: ProviderAnswers;
}

const KEY_BYTES = 32;
/** Bytes of a digest. */
const LENGTH = 16;

/**
 * Digests of a stack, with which the engine answers checks and diffs from the state [DIFF-14]. They are read once and
 * written at the end of an operation that found other ones. A file that is absent, damaged or sealed for others counts
 * as empty, because its loss costs time only.
 */
export class StackDigests {
  readonly #source: DigestsSource;
  #loaded: Promise<LoadedDigests | undefined> | undefined;
  #sealedKey: string | undefined;
  #learned: SettledDigests | undefined;

  constructor(source: DigestsSource) {
    this.#source = source;
  }

  /**
   * Returns what the engine starts from. Undefined if secrets cannot be sealed here. A state without resources of
   * providers needs no digests, so that none are read. Never rejects.
   */
  async request({ resources }: Snapshot): Promise<DigestsRequest | undefined> {
    const isEmpty = !resources.some(({ custom, type }) => custom && !isProviderType(type));
    const loaded = await this.#load(isEmpty);
    return loaded && { key: loaded.answers.key, known: this.#learned ?? loaded.known };
  }

  /** Returns what providers in this process may keep. Undefined if secrets cannot be sealed here. Never rejects. */
  async answers(): Promise<KeptAnswers | undefined> {
    return (await this.#load())?.answers;
  }

  /** Takes the digests of a pass, for the next pass. Undefined changes nothing. */
  learn(digests: SettledDigests | undefined): void {
    this.#learned = digests ?? this.#learned;
  }

  /** Stores what the passes have learned. `isWhole`: the program registered all that the stack has. Never rejects. */
  async keep(isWhole: boolean): Promise<void> {
    const loaded = await this.#loaded;
    if (loaded === undefined || this.#sealedKey === undefined) return;
    const answers = loaded.answers.result(isWhole);
    if (this.#learned === undefined && answers === undefined) return;
    const { bucket, id } = this.#source;
    const kept = answers ?? loaded.answers.known;
    const file: DigestsFile = {
      version: 1,
      key: this.#sealedKey,
      digests: joined(this.#learned ?? loaded.known),
      ...(kept.size > 0 && { answers: joined(kept) }),
    };
    await bucket.keepDigests(id, Buffer.from(JSON.stringify(file))).catch(() => undefined);
  }

  #load(isEmpty = false): Promise<LoadedDigests | undefined> {
    return (this.#loaded ??= this.#read(isEmpty).catch(() => undefined));
  }

  async #read(isEmpty: boolean): Promise<LoadedDigests> {
    const { bucket, id } = this.#source;
    const stored = isEmpty ? undefined : await bucket.digests(id).catch(() => undefined);
    const opened = stored && (await this.#opened(stored).catch(() => undefined));
    return opened ?? { known: new Set(), answers: new ProviderAnswers(await this.#newKey(), new Set()) };
  }

  async #opened(stored: Uint8Array): Promise<LoadedDigests | undefined> {
    const read = JSON.parse(Buffer.from(stored).toString()) as Partial<DigestsFile>;
    const { version, key, digests, answers = '' } = read;
    if (version !== 1 || typeof key !== 'string' || typeof digests !== 'string') return undefined;
    if (typeof answers !== 'string') return undefined;
    const { manager, documents } = this.#source;
    const crypter = await documents;
    await manager.fetch?.([key]);
    const opened = Buffer.from(crypter.decrypt(key), 'base64');
    if (opened.length !== KEY_BYTES) return undefined;
    this.#sealedKey = key;
    return { known: separated(digests), answers: new ProviderAnswers(opened, separated(answers)) };
  }

  async #newKey(): Promise<Uint8Array> {
    const key = randomBytes(KEY_BYTES);
    this.#sealedKey = (await this.#source.documents).encrypt(key.toString('base64'));
    return key;
  }
}

function joined(digests: ReadonlySet<string>): string {
  return Buffer.from([...digests].join(''), 'latin1').toString('base64');
}

function separated(stored: string): ReadonlySet<string> {
  return new Set(pieces(Buffer.from(stored, 'base64').toString('latin1')));
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at + LENGTH <= text.length; at += LENGTH) yield text.slice(at, at + LENGTH);
}
