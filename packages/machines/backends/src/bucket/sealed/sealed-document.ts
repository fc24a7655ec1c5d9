import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord } from '@cairn/state';
import { damaged, isSealed, openSealed, sealFile, takeHeader } from './sealed-format.js';
import type { DataKey } from './sealed-format.js';
import { StateKeys } from './sealing.js';

/** An export is bound to being one, and not to a stack: it may be imported elsewhere. */
const SCOPE = { stack: '', kind: 'export' } as const;

/** Characters of one line. The end of base64 coincides with the end of the line. */
const LINE = 76 * 1024;

/** Returns true if a document is a sealed export. */
export { isSealed as isSealedDocument } from './sealed-format.js';

/** Yields a document as text: the first line of a sealed file, and its content in lines of base64. */
export function* sealedDocument(pieces: Iterable<string>, key: DataKey): Generator<string> {
  const sealed = Buffer.from(sealFile(joined(pieces), key, SCOPE));
  const start = sealed.indexOf(0x0a) + 1;
  yield sealed.toString('utf8', 0, start);
  const bytes = (LINE / 4) * 3;
  for (let at = start; at < sealed.length; at += bytes)
    yield `${sealed.toString('base64', at, Math.min(at + bytes, sealed.length))}\n`;
}

/**
 * Returns the content sealed by {@link sealedDocument}. Fails with `CAIRN-STATE-SEALED`, `CAIRN-STATE-SEALED-DAMAGED`.
 * `name` is the document, for messages.
 */
export async function openDocument(
  text: Uint8Array,
  name: string,
  open: (manager: SecretsProviderRecord) => Promise<Crypter>,
): Promise<Uint8Array> {
  const taken = isSealed(text) ? takeHeader(text, name) : undefined;
  if (taken === undefined) throw damaged(name, 'it is not a sealed export');
  const { header, size } = taken;
  const key = await new StateKeys({ mode: undefined, open }).unwrap('', header, name);
  const lines = Buffer.from(text.buffer, text.byteOffset + size, text.length - size);
  const body = Buffer.from(lines.toString('latin1'), 'base64');
  return openSealed(body, header, { size: 0, key, scope: SCOPE, name });
}

function joined(pieces: Iterable<string>): Uint8Array {
  const parts: Buffer[] = [];
  for (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}
