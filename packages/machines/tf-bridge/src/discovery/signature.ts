import { cairnError, messageOf } from '@cairn/diagnostics';
import type { Fetch, SignedSums } from './registry.js';

/** Maximum size of lists and signatures in bytes. They are small. */
const MOST_BYTES = 1 << 20;

/**
 * Fetches the checksums of a release and verifies their signature [TFD-9]. Returns SHA-256 by file. Fails with
 * CAIRN-PLUGIN-SIGNATURE unless one of the keys signed exactly this list.
 */
export async function signedSums(
  release: string,
  { sumsUrl, signatureUrl, keys }: SignedSums,
  fetch: Fetch,
): Promise<ReadonlyMap<string, string>> {
  const refused = (causes: readonly string[], cause?: unknown) =>
    cairnError(
      'CAIRN-PLUGIN-SIGNATURE',
      `the checksums of ${release} are not signed by a key of its registry`,
      { causes, hint: 'Try again. If it happens again, tell the publisher of the provider.' },
      cause,
    );
  const bytesOf = async (url: string): Promise<Uint8Array> => {
    const response = await fetch(url).catch((error: unknown) => {
      throw refused([`${url}: ${messageOf(error)}`], error);
    });
    if (!response.ok) throw refused([`${url}: HTTP status ${response.status}`]);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > MOST_BYTES) throw refused([`${url}: it has more than ${MOST_BYTES} bytes`]);
    return bytes;
  };
  const [sums, signature] = await Promise.all([bytesOf(sumsUrl), bytesOf(signatureUrl)]);
  await checkSignature(sums, signature, keys).catch((error: unknown) => {
    throw refused([messageOf(error)], error);
  });
  return sumsIn(Buffer.from(sums).toString('utf8'));
}

/**
 * Rejects unless one of the signatures is valid and belongs to one of the keys. Keys may have expired since they
 * signed.
 */
async function checkSignature(
  content: Uint8Array,
  binarySignature: Uint8Array,
  keys: readonly string[],
): Promise<void> {
  const { createMessage, readKeys, readSignature, verify } = await import('openpgp');
  const read = keys.map((armoredKeys) => readKeys({ armoredKeys }).catch(() => []));
  const verificationKeys = (await Promise.all(read)).flat();
  const signature = await readSignature({ binarySignature });
  const date = signature.packets[0]?.created ?? undefined;
  const message = await createMessage({ binary: content });
  const { signatures } = await verify({ message, signature, verificationKeys, date, format: 'binary' });
  if (signatures.length === 0) throw new Error('the file with the signature has none');
  await Promise.any(signatures.map(({ verified }) => verified)).catch((error: AggregateError) => {
    throw error.errors[0] as Error;
  });
}

function sumsIn(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').flatMap((line): [string, string][] => {
    const [, sum, file] = /^([0-9a-f]{64}) [ *](\S+)\r?$/i.exec(line) ?? [];
    return sum === undefined || file === undefined ? [] : [[file, sum.toLowerCase()]];
  });
  return new Map(rows);
}
