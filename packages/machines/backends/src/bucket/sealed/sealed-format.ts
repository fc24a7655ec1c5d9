import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { cairnError } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { SecretsProviderRecord } from '@cairn/state';
import type { SealedScope } from './sealed-scope.js';

/** Key of a stack's sealed files, in the clear and wrapped by the stack's secrets manager. */
export interface DataKey {
  readonly manager: SecretsProviderRecord;
  /** Key as the manager's crypter sealed it. */
  readonly wrapped: string;
  readonly key: Uint8Array;
}

/**
 * `file`: written at once, in chunks of which the last is marked. `segment`: appended to, each append sealed on its
 * own.
 */
type SealedForm = 'file' | 'segment';

/** First line of a sealed file. */
export interface SealedHeader {
  readonly form: SealedForm;
  readonly manager: SecretsProviderRecord;
  readonly wrapped: string;
  /** Salt that derives the key of this file from the stack's data key. */
  readonly salt: Uint8Array;
  /** Line as it is in the file. The content is bound to it. */
  readonly line: Uint8Array;
}

const BEGINS = Buffer.from('{"cairnSealed":');
const VERSION = 1;
const CHUNK = 1 << 20;
const TAG = 16;
const SALT = 16;
const HEAD = 8;
const LONGEST_HEADER = 1 << 20;

/** Returns true if the bytes are those of a sealed file. */
export function isSealed(bytes: Uint8Array): boolean {
  return BEGINS.every((byte, index) => bytes[index] === byte);
}

/** Returns a new header for a file under a data key. `line` ends with its line break. */
export function newHeader({ manager, wrapped }: DataKey, form: SealedForm): SealedHeader {
  const salt = randomBytes(SALT);
  const { type, state } = manager;
  const fields = {
    cairnSealed: VERSION,
    form,
    manager: { type, ...(state === undefined ? {} : { state }) },
    key: wrapped,
    salt: salt.toString('base64'),
  };
  return { form, manager, wrapped, salt, line: Buffer.from(`${JSON.stringify(fields)}\n`) };
}

/**
 * Reads the first line. Returns undefined when it is not complete yet. Fails with `CAIRN-STATE-SEALED-DAMAGED`. `name`
 * is the file, for messages.
 */
export function takeHeader(
  bytes: Uint8Array,
  name: string,
): { readonly header: SealedHeader; readonly size: number } | undefined {
  const end = bytes.subarray(0, LONGEST_HEADER).indexOf(0x0a);
  if (end < 0) return undefined;
  const parsed = parseHeader(Buffer.from(bytes.subarray(0, end + 1)));
  if (parsed === 'newer') {
    throw cairnError('CAIRN-STATE-TOO-NEW', `cannot open ${name}: a newer version sealed it`, {
      hint: 'Install a newer version of cairn.',
    });
  }
  if (parsed === undefined) throw damaged(name, 'its first line cannot be read');
  return { header: parsed, size: end + 1 };
}

function parseHeader(line: Buffer): SealedHeader | 'newer' | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isJsonObject(fields)) return undefined;
  if (fields['cairnSealed'] !== VERSION)
    return typeof fields['cairnSealed'] === 'number' ? 'newer' : undefined;
  const { form, manager, key, salt } = fields;
  if (form !== 'file' && form !== 'segment') return undefined;
  if (!isJsonObject(manager) || typeof manager['type'] !== 'string') return undefined;
  if (typeof key !== 'string' || typeof salt !== 'string') return undefined;
  const state = typeof manager['state'] === 'string' ? manager['state'] : undefined;
  return {
    form,
    manager: { type: manager['type'], state },
    wrapped: key,
    salt: Buffer.from(salt, 'base64'),
    line,
  };
}

/** Seals the whole content of a file. */
export function sealFile(bytes: Uint8Array, key: DataKey, scope: SealedScope): Uint8Array {
  const header = newHeader(key, 'file');
  const line = Buffer.from(header.line);
  const box = new Box(header, key, scope);
  const chunks = Math.max(1, Math.ceil(bytes.length / CHUNK));
  const sealed = Buffer.allocUnsafeSlow(line.length + bytes.length + chunks * TAG);
  let at = line.copy(sealed);
  for (let index = 0; index < chunks; index++) {
    const chunk = bytes.subarray(index * CHUNK, (index + 1) * CHUNK);
    at += box.seal(chunk, index, index === chunks - 1).copy(sealed, at);
  }
  return sealed;
}

/**
 * Returns the content of a sealed file, or of all appends to a sealed segment so far. Fails with
 * `CAIRN-STATE-SEALED-DAMAGED`.
 */
export function openSealed(
  bytes: Uint8Array,
  header: SealedHeader,
  from: { readonly size: number; readonly key: DataKey; readonly scope: SealedScope; readonly name: string },
): Uint8Array {
  const box = new Box(header, from.key, from.scope);
  const body = bytes.subarray(from.size);
  if (header.form === 'segment') return openFrames(body, box, { index: 0, name: from.name }).content;
  const chunks = Math.max(1, Math.ceil(body.length / (CHUNK + TAG)));
  if (body.length < chunks * TAG) throw damaged(from.name, CUT);
  const content = Buffer.allocUnsafeSlow(body.length - chunks * TAG);
  let at = 0;
  for (let index = 0; index < chunks; index++) {
    const chunk = body.subarray(index * (CHUNK + TAG), (index + 1) * (CHUNK + TAG));
    const opened = box.open(chunk, index, index === chunks - 1);
    if (opened === undefined) throw damaged(from.name, CUT);
    at += opened.copy(content, at);
  }
  return content;
}

/** Returns the sealed bytes of one append to a segment. */
export function sealFrame(bytes: Uint8Array, box: Box, index: number): Buffer {
  const sealed = box.seal(bytes, index, false);
  return Buffer.concat([frameHead(sealed.length, index), sealed]);
}

/**
 * Returns length, and a checksum over length and position. A length that was altered must not swallow the following
 * appends as a torn end.
 */
function frameHead(length: number, index: number): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(length);
  head.writeUInt32BE(crc32(`${length} ${index}`), 4);
  return head;
}

/**
 * Content of whole appends, beginning with the one of that index. `size` is their number of bytes; the rest is the torn
 * end.
 */
interface OpenedFrames {
  readonly content: Uint8Array;
  readonly size: number;
  readonly index: number;
}

/**
 * Opens appends. The end may be torn: an append that is incomplete, or whose bytes never all reached the medium, counts
 * as not made when nothing follows it. Fails with `CAIRN-STATE-SEALED-DAMAGED` for damage before that.
 */
function openFrames(
  body: Uint8Array,
  box: Box,
  from: { readonly index: number; readonly name: string },
): OpenedFrames {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const parts: Buffer[] = [];
  let at = 0;
  let { index } = from;
  while (at + HEAD <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (!frameHead(length, index).equals(bytes.subarray(at, at + HEAD))) {
      if (bytes.subarray(at).some((byte) => byte !== 0)) throw damaged(from.name, CUT);
      break;
    }
    const end = at + HEAD + length;
    if (end > bytes.length) break;
    const opened = box.open(bytes.subarray(at + HEAD, end), index, false);
    if (opened === undefined) {
      if (end < bytes.length) throw damaged(from.name, CUT);
      break;
    }
    parts.push(opened);
    at = end;
    index += 1;
  }
  return { content: Buffer.concat(parts), size: at, index };
}

const CUT = 'it was cut off, altered, or moved from another file';

/** Key of one file, with the data that it is bound to. */
export class Box {
  readonly #key: Buffer;
  readonly #bound: Buffer;

  constructor({ salt, line }: SealedHeader, { key }: DataKey, { stack, kind }: SealedScope) {
    this.#key = Buffer.from(hkdfSync('sha256', key, salt, `cairn sealed ${VERSION}`, 32));
    const place = Buffer.from(`${stack}\n${kind}\n`);
    this.#bound = createHash('sha256').update(place).update(line).digest();
  }

  seal(bytes: Uint8Array, index: number, last: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce(index, last));
    cipher.setAAD(this.#bound);
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Returns undefined if the bytes are not those that were sealed here. */
  open(sealed: Uint8Array, index: number, last: boolean): Buffer | undefined {
    if (sealed.length < TAG) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce(index, last), { authTagLength: TAG });
    decipher.setAAD(this.#bound);
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - TAG)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** Returns the position, and the mark of the end. A nonce is never the same twice under the key of one file. */
function nonce(index: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes[0] = last ? 1 : 0;
  bytes.writeBigUInt64BE(BigInt(index), 4);
  return bytes;
}

/** Returns the error for a sealed file whose content is not what was sealed there. */
export function damaged(name: string, why: string): Error {
  return cairnError('CAIRN-STATE-SEALED-DAMAGED', `cannot open the sealed file ${name}: ${why}`, {
    hint: 'Nothing was changed. Restore the file from its .bak copy or from a backup of this same stack.',
  });
}
