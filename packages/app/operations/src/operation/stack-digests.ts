import { randomBytes } from 'node:crypto';
import { isProviderType } from '@cairn/addresses';
import type { BucketBackend, StackId } from '@cairn/backends';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import type { DigestsRequest, SettledDigests } from '@cairn/engine';
import type { Snapshot } from '@cairn/state';

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
  #loaded: Promise<DigestsRequest | undefined> | undefined;
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
    const loaded = await (this.#loaded ??= this.#load(isEmpty).catch(() => undefined));
    return loaded && { ...loaded, known: this.#learned ?? loaded.known };
  }

  /** Takes the digests of a pass, for the next pass. Undefined changes nothing. */
  learn(digests: SettledDigests | undefined): void {
    this.#learned = digests ?? this.#learned;
  }

  /** Stores what the passes have learned. Never rejects. */
  async keep(): Promise<void> {
    if (this.#learned === undefined || this.#sealedKey === undefined) return;
    const { bucket, id } = this.#source;
    const digests = Buffer.from([...this.#learned].join(''), 'latin1').toString('base64');
    const file: DigestsFile = { version: 1, key: this.#sealedKey, digests };
    await bucket.keepDigests(id, Buffer.from(JSON.stringify(file))).catch(() => undefined);
  }

  async #load(isEmpty: boolean): Promise<DigestsRequest> {
    const { bucket, id } = this.#source;
    const stored = isEmpty ? undefined : await bucket.digests(id).catch(() => undefined);
    return (
      (stored && (await this.#opened(stored).catch(() => undefined))) ?? {
        key: await this.#newKey(),
        known: new Set(),
      }
    );
  }

  async #opened(stored: Uint8Array): Promise<DigestsRequest | undefined> {
    const { version, key, digests } = JSON.parse(Buffer.from(stored).toString()) as Partial<DigestsFile>;
    if (version !== 1 || typeof key !== 'string' || typeof digests !== 'string') return undefined;
    const { manager, documents } = this.#source;
    const crypter = await documents;
    await manager.fetch?.([key]);
    const opened = Buffer.from(crypter.decrypt(key), 'base64');
    if (opened.length !== KEY_BYTES) return undefined;
    this.#sealedKey = key;
    return { key: opened, known: new Set(pieces(Buffer.from(digests, 'base64').toString('latin1'))) };
  }

  async #newKey(): Promise<Uint8Array> {
    const key = randomBytes(KEY_BYTES);
    this.#sealedKey = (await this.#source.documents).encrypt(key.toString('base64'));
    return key;
  }
}

function* pieces(text: string): Generator<string> {
  for (let at = 0; at + LENGTH <= text.length; at += LENGTH) yield text.slice(at, at + LENGTH);
}
