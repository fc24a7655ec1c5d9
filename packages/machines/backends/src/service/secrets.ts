import type { SecretService } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { DecryptedBody, EncryptedBody, ServiceSecretsState } from '@cairn/http-api';
import { systemRetryPorts } from '@cairn/retries';
import * as v from 'valibot';
import type { ServiceAccess } from '../service-part.js';
import { ServiceHttp } from './service-http.js';

/** Means to reach any state service. `version` is that of the client. */
interface ServiceReach {
  readonly version: string;
  readonly access: (url: string) => Promise<ServiceAccess>;
}

/** Largest number of texts in one call. */
const MOST_TEXTS = 1000;

/**
 * Returns the keeper of the key that a state of type `service` names: the service at the address in it, whatever the
 * backend. Returns undefined if the state names no address. Texts go in batches. Calls fail as those of a backend do.
 */
export function secretService(state: string, { version, access }: ServiceReach): SecretService | undefined {
  const named = addressIn(state);
  if (named === undefined) return undefined;
  const { url, names } = named;
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

function addressIn(
  text: string,
): { readonly url: string; readonly names: Readonly<Record<string, string>> } | undefined {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    return undefined;
  }
  const named = v.safeParse(ServiceSecretsState, state);
  if (!named.success) return undefined;
  const { url, owner: org, project, stack } = named.output;
  return { url: url.replace(/\/+$/, ''), names: { org, project, stack } };
}

function missing(verb: string, url: string): Error {
  return cairnError('CAIRN-STORE-FAILED', `cannot ${verb} secrets: ${url} answered fewer than it was sent`, {
    hint: 'Check the version of the service.',
  });
}

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
