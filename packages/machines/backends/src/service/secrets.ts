import { inFlight } from '@cairn/blobs';
import type { SecretService } from '@cairn/crypters';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import { DecryptedBody, DecryptedTextBody, EncryptedBody, EncryptedTextBody } from '@cairn/http-api';
import { systemRetryPorts } from '@cairn/retries';
import type { SecretsAddress, ServiceReach } from './reach.js';
import { ServiceHttp } from './service-http.js';

/** Largest number of texts in one call. */
const MOST_TEXTS = 1000;

/** Number of calls at once at a service that takes one text in a call. */
const MOST_SINGLE = 8;

/**
 * Returns the keeper of the key of a stack's secrets. The present service may have had the address in the state
 * before, so it is asked first: it opens only what it has sealed itself. New secrets go to the service that opened
 * others, else to the address in the state, else to the present service [SEC-9].
 */
export function secretsOf(address: SecretsAddress, reach: ServiceReach): SecretService {
  const named = secretsAt(address, reach);
  const present = reach.present?.()?.replace(/\/+$/, '');
  if (present === undefined || present === address.url) return named;
  const here = secretsAt({ ...address, url: present }, reach);
  let hasMoved = false;
  return {
    encrypt: async (plaintexts) => {
      if (hasMoved) return here.encrypt(plaintexts);
      return named.encrypt(plaintexts).catch((thrown: unknown) => {
        if (!isOutOfReach(thrown)) throw thrown;
        return here.encrypt(plaintexts);
      });
    },
    decrypt: async (ciphertexts) => {
      try {
        const plaintexts = await here.decrypt(ciphertexts);
        if (ciphertexts.length > 0) hasMoved = true;
        return plaintexts;
      } catch {
        return named.decrypt(ciphertexts);
      }
    },
  };
}

/** True if a service could not be reached, or if there is no login to it. */
function isOutOfReach(thrown: unknown): boolean {
  const code = isCairnError(thrown) ? thrown.diagnostics[0]?.code : undefined;
  return code === 'CAIRN-STORE-UNAVAILABLE' || code === 'CAIRN-STORE-CREDENTIALS';
}

/** Returns the keeper at one address. Texts go in batches, or one by one if the service does not know batches. */
function secretsAt({ url, names }: SecretsAddress, { version, access }: ServiceReach): SecretService {
  const open = async (): Promise<ServiceHttp> =>
    new ServiceHttp({ url, token: (await access(url)).token, version, retries: systemRetryPorts });
  return {
    encrypt: (plaintexts) =>
      inBatches(plaintexts, async (batch) => {
        const http = await open();
        const body = { plaintexts: batch.map(toBase64) };
        const answer = await http.find('batchEncrypt', EncryptedBody, { names, body });
        if (answer === undefined)
          return inFlight(batch, MOST_SINGLE, async (text) => {
            const single = { names, body: { plaintext: toBase64(text) } };
            return (await http.json('encrypt', EncryptedTextBody, single)).ciphertext;
          });
        const { ciphertexts } = answer;
        if (ciphertexts.length !== batch.length) throw missing('encrypt', url);
        return ciphertexts;
      }),
    decrypt: (ciphertexts) =>
      inBatches(ciphertexts, async (batch) => {
        const http = await open();
        const answer = await http.find('batchDecrypt', DecryptedBody, {
          names,
          body: { ciphertexts: batch },
        });
        if (answer === undefined)
          return inFlight(batch, MOST_SINGLE, async (ciphertext) => {
            const single = { names, body: { ciphertext } };
            return fromBase64((await http.json('decrypt', DecryptedTextBody, single)).plaintext);
          });
        const { plaintexts } = answer;
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
