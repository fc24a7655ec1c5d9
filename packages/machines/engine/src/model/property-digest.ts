import { hash } from 'node:crypto';
import { kindOf } from '@cairn/values';
import type {
  Archive,
  Asset,
  ByteString,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';

/** Characters of a digest, of which each has the value of a byte. */
export const DIGEST_LENGTH = 16;
/** Characters of a digest in base64: not more than half of the hash. */
const TEXT_LENGTH = 21;

/** Bytes of the buffer of a writer, and the most that it keeps for the next digest. */
const SIZE = 65_536;
const MOST_KEPT = 1_048_576;
/** Longest string that is written without a call of native code. */
const SHORT = 32;
/** Keys up to this number are sorted in place, which allocates nothing. */
const FEW = 24;

/** Marks before values, one for each kind. */
const MARKS = {
  ...{
    null: 1,
    false: 2,
    true: 3,
    number: 4,
    string: 5,
    array: 6,
    object: 7,
    secret: 8,
    asset: 9,
    archive: 10,
  },
  ...{ reference: 11, bytes: 12, absent: 13, equal: 14 },
} as const;

/**
 * Makes keyed digests of property values and texts, which are written one after the other. Different values never give
 * the same bytes, whatever the order of their keys. One buffer serves all digests, so that a digest allocates little.
 */
export class PropertyDigest {
  readonly #key: Uint8Array;
  #bytes = Buffer.allocUnsafe(SIZE);
  #at = 0;
  #isOpen = false;
  /** Range of the first map. */
  #from = 0;
  #to = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Begins another digest. */
  begin(): void {
    if (this.#bytes.length > MOST_KEPT) this.#bytes = Buffer.allocUnsafe(SIZE);
    this.#bytes.set(this.#key);
    this.#at = this.#key.length;
    this.#isOpen = false;
  }

  /**
   * Returns the digest of everything written since {@link begin}. Undefined if a value is not known, or cannot be
   * written exactly. It is half of a SHA-256 of key and bytes, so that nothing can be appended to them.
   */
  end(): string | undefined {
    return this.#hash('binary')?.slice(0, DIGEST_LENGTH);
  }

  /** Returns the same in base64, of characters for URLs. */
  endText(): string | undefined {
    return this.#hash('base64url')?.slice(0, TEXT_LENGTH);
  }

  string(text: string): void {
    const { length } = text;
    this.#reserve(3 * length + 4);
    this.#number32(length);
    const bytes = this.#bytes;
    if (length <= SHORT) {
      let at = this.#at;
      for (let index = 0; ; index += 1) {
        if (index === length) {
          this.#at = at;
          return;
        }
        const code = text.charCodeAt(index);
        if (code > 127) break;
        bytes[at] = code;
        at += 1;
      }
    }
    const written = bytes.write(text, this.#at);
    // UTF-8 cannot tell lone surrogates apart.
    if (written !== length && !isWellFormed(text)) this.#isOpen = true;
    this.#at += written;
  }

  optional(text: string | undefined): void {
    if (text === undefined) this.#mark('absent');
    else {
      this.#mark('string');
      this.string(text);
    }
  }

  strings(texts: readonly string[]): void {
    this.#reserve(4);
    this.#number32(texts.length);
    for (let at = 0; at < texts.length; at += 1) this.string(texts[at] as string);
  }

  /** Writes texts whose order does not count. */
  set(texts: readonly string[]): void {
    this.strings(inOrder([...texts]));
  }

  /** Writes lists by name, without the empty ones. */
  lists(lists: Readonly<Record<string, readonly string[]>>): void {
    const names = inOrder(Object.keys(lists));
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] as string;
      const texts = lists[name] as readonly string[];
      if (texts.length === 0) continue;
      this.optional(name);
      this.strings(texts);
    }
    this.optional(undefined);
  }

  /** Writes a map, with which {@link mapLike} compares others. */
  firstMap(map: PropertyMap): void {
    this.#from = this.#at;
    this.#map(map);
    this.#to = this.#at;
  }

  /** Writes a map, or only that it equals the first one. */
  mapLike(map: PropertyMap, isSame: boolean): void {
    const from = this.#at;
    if (!isSame) {
      this.#map(map);
      const bytes = this.#bytes;
      if (bytes.compare(bytes, this.#from, this.#to, from, this.#at) !== 0) return;
      this.#at = from;
    }
    this.#mark('equal');
  }

  value(value: PropertyValue): void {
    const kind = kindOf(value);
    switch (kind) {
      case 'null':
        return this.#mark(kind);
      case 'boolean':
        return this.#mark(value === true ? 'true' : 'false');
      case 'number':
        return this.#number(value as number);
      case 'string':
        this.#mark(kind);
        return this.string(value as string);
      case 'array':
        return this.#array(value as PropertyArray);
      case 'object':
        return this.#map(value as PropertyMap);
      case 'secret':
        this.#mark(kind);
        return this.value((value as Secret).value);
      case 'asset':
        this.#mark(kind);
        return this.#asset(value as Asset);
      case 'archive':
        return this.#archive(value as Archive);
      case 'reference':
        return this.#reference(value as ResourceReference);
      case 'bytes':
        this.#mark(kind);
        return this.string(Buffer.from((value as ByteString).bytes).toString('hex'));
      case 'unknown':
      case 'output':
        this.#isOpen = true;
        return;
    }
  }

  #map(map: PropertyMap): void {
    this.#mark('object');
    const keys = inOrder(Object.keys(map));
    this.#reserve(4);
    this.#number32(keys.length);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string;
      this.string(key);
      this.value(map[key] as PropertyValue);
    }
  }

  #hash(form: 'binary' | 'base64url'): string | undefined {
    return this.#isOpen ? undefined : hash('sha256', this.#bytes.subarray(0, this.#at), form);
  }

  #number(value: number): void {
    this.#mark('number');
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value === 0 ? 0 : value, this.#at);
    this.#at += 8;
  }

  #array(items: PropertyArray): void {
    this.#mark('array');
    this.#reserve(4);
    this.#number32(items.length);
    for (let at = 0; at < items.length; at += 1) this.value(items[at] as PropertyValue);
  }

  #asset({ hash: sum, text, path, uri }: Asset): void {
    for (const part of [sum, text, path, uri]) this.optional(part);
  }

  #archive({ hash: sum, path, uri, assets }: Archive): void {
    this.#mark('archive');
    for (const part of [sum, path, uri]) this.optional(part);
    if (assets === undefined) this.#mark('absent');
    else this.#map(assets);
  }

  #reference({ urn, id, packageVersion, name, type }: ResourceReference): void {
    this.#mark('reference');
    if (typeof id === 'object') this.#isOpen = true;
    else for (const part of [urn, id, packageVersion, name, type]) this.optional(part);
  }

  #mark(kind: keyof typeof MARKS): void {
    this.#reserve(1);
    this.#bytes[this.#at] = MARKS[kind];
    this.#at += 1;
  }

  /** Writes a number in four bytes. The caller has reserved them. */
  #number32(value: number): void {
    this.#bytes.writeUInt32LE(value, this.#at);
    this.#at += 4;
  }

  #reserve(more: number): void {
    const needed = this.#at + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Sorts keys in place. Those of entries from state are in order already. */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > FEW) return keys.sort();
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] as string;
    let to = at;
    for (; to > 0 && (keys[to - 1] as string) > key; to -= 1) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
