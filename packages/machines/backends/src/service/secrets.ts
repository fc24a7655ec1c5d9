import type { SecretService } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { DecryptedBody, EncryptedBody } from '@cairn/http-api';
import { systemRetryPorts } from '@cairn/retries';
import type { SecretsAddress, ServiceReach } from './reach.js';
import { ServiceHttp } from './service-http.js';

/** Largest number of texts in one call. */
const MOST_TEXTS = 1000;

/** Returns the keeper of the key of a stack's secrets; see `secretService`. Texts go in batches. */
export function secretsAt({ url, names }: SecretsAddress, { version, access }: ServiceReach): SecretService {
  const open = async (): Promise<ServiceHttp> =>
    new ServiceHttp({ url, token: (await access(url)).token, version, retries: systemRetryPorts });
  return {
    encrypt: (plaintexts) =>
      inBatches(plaintexts, async (batch) => {
        const body = { plaintexts: batch.map(toBase64) };
        const { ciphertexts } = await (await open()).json('batchEncrypt', EncryptedBody, { names, body });
        if (ciphertexts.length !== batch.length) throw missing('encrypt', url);
        return ciphertexts;
      }),
    decrypt: (ciphertexts) =>
      inBatches(ciphertexts, async (batch) => {
        const body = { ciphertexts: batch };
        const { plaintexts } = await (await open()).json('batchDecrypt', DecryptedBody, { names, body });
        return batch.map((ciphertext) => {
          const plaintext = Object.hasOwn(plaintexts, ciphertext) ? plaintexts[ciphertext] : undefined;
          if (plaintext === undefined) throw missing('decrypt', url);
          return fromBase64(plaintext);
        });
      }),
  };
}

/** Calls a function with batches of texts, one after the other, and joins the results. */
async function inBatches(
  texts: readonly string[],
  run: (batch: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const results: string[] = [];
  for (let at = 0; at < texts.length; at += MOST_TEXTS)
    results.push(...(await run(texts.slice(at, at + MOST_TEXTS))));
  return results;
}

function missing(verb: string, url: string): Error {
  return cairnError('CAIRN-STORE-FAILED', `cannot ${verb} secrets: ${url} answered fewer than it was sent`, {
    hint: 'Check the version of the service.',
  });
}

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
