import type { SecretService } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { ServiceAccess } from '../service-part.js';
import { callService, answerJson } from './call.js';

/** Means to reach any state service. `version` is that of the client. */
interface ServiceReach {
  readonly version: string;
  readonly access: (url: string) => Promise<ServiceAccess>;
}

/** Largest number of texts in one call. */
const MOST_TEXTS = 1000;

/**
 * Returns the keeper of the key that a state of type `service` names: the service at the address in it, whatever the
 * backend. Returns undefined if the state names no address. Texts go in batches. Calls fail as `callService` does.
 */
export function secretService(state: string, { version, access }: ServiceReach): SecretService | undefined {
  const named = addressIn(state);
  if (named === undefined) return undefined;
  const { url, stack } = named;
  const call = async (route: string, what: string, body: Json): Promise<Json> =>
    callService({ url, token: (await access(url)).token, version }, what, `${stack}/${route}`, body);
  return {
    encrypt: (plaintexts) =>
      inBatches(plaintexts, async (batch) => {
        const what = 'encrypt secrets';
        const answer = await call('batch-encrypt', what, { plaintexts: batch.map(toBase64) });
        const ciphertexts = isJsonObject(answer) ? answer['ciphertexts'] : undefined;
        if (!isTexts(ciphertexts, batch.length)) throw odd(what);
        return ciphertexts;
      }),
    decrypt: (ciphertexts) =>
      inBatches(ciphertexts, async (batch) => {
        const what = 'decrypt secrets';
        const answer = await call('batch-decrypt', what, { ciphertexts: [...batch] });
        const plaintexts = isJsonObject(answer) ? answer['plaintexts'] : undefined;
        const found = batch.map((each) => (isJsonObject(plaintexts) ? plaintexts[each] : undefined));
        if (!isTexts(found, batch.length)) throw odd(what);
        return found.map(fromBase64);
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

function addressIn(state: string): { readonly url: string; readonly stack: string } | undefined {
  const named = answerJson(state);
  if (!isJsonObject(named)) return undefined;
  const { url, owner, project, stack } = named;
  const names = [owner, project, stack];
  const whole = typeof url === 'string' && /^https?:/i.test(url) && isTexts(names, 3);
  return whole ? { url: url.replace(/\/+$/, ''), stack: `/api/stacks/${names.join('/')}` } : undefined;
}

function isTexts(value: unknown, length: number): value is readonly string[] {
  return Array.isArray(value) && value.length === length && value.every((each) => typeof each === 'string');
}

function odd(what: string): CairnError {
  return cairnError('CAIRN-STORE-FAILED', `cannot ${what}: the service gave no usable answer`, {
    hint: 'Check the version of the service.',
  });
}

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
