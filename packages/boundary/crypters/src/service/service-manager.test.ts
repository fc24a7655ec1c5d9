import { openSecretsManager } from '../open.js';
import { cachingSecretsManager } from '../caching-crypter.js';
import { hasPlaceholders, settled, settledText } from './placeholders.js';
import type { SecretService } from './secret-service.js';

/** Secrets of a service are encrypted in batches, and placeholders stand for them until then. */

interface Keeper extends SecretService {
  readonly calls: string[];
}

function keeper(fail?: Error): Keeper {
  const calls: string[] = [];
  const run = async (what: string, texts: readonly string[], change: (text: string) => string) => {
    calls.push(`${what} ${texts.join(' ')}`);
    if (fail !== undefined) throw fail;
    return texts.map(change);
  };
  return {
    calls,
    encrypt: (texts) => run('encrypt', texts, (text) => `<${text}>`),
    decrypt: (texts) => run('decrypt', texts, (text) => text.slice(1, -1)),
  };
}

const managerOf = (service: SecretService) =>
  openSecretsManager('service', '{"url":"https://x"}', { env: {}, service: () => service });

test('texts of one turn are encrypted in one call, and replaced where they are stored', async () => {
  const service = keeper();
  const crypter = await cachingSecretsManager(managerOf(service), {}).crypter();
  const secret = {};
  const [a, b] = [crypter.encrypt('a', secret), crypter.encrypt('b')];
  expect([crypter.encrypt('a', secret) === a, a === b, crypter.decrypt(a)]).toEqual([true, false, 'a']);
  const kept = { plain: ['x'] };
  const data = { kept, list: [{ ciphertext: a }, 1, null], text: `two of ${a} and ${b}` };
  expect([hasPlaceholders(data), hasPlaceholders(kept)]).toEqual([true, false]);
  const stored = await settled(data);
  expect(stored).toEqual({ kept, list: [{ ciphertext: '<a>' }, 1, null], text: 'two of <a> and <b>' });
  expect(stored.kept).toBe(kept);
  expect(await settled(kept)).toBe(kept);
  expect(await settledText(`- ${b}\n- ${b}`)).toBe('- <b>\n- <b>');
  expect(service.calls).toEqual(['encrypt a b']);
  expect(crypter.decrypt('<b>')).toBe('b');
});

test('ciphertexts are fetched in one call, each once', async () => {
  const service = keeper();
  const manager = cachingSecretsManager(managerOf(service), {});
  await manager.fetch?.(['<a>', '<b>', '<a>']);
  await manager.fetch?.(['<b>']);
  const crypter = await manager.crypter();
  expect([crypter.decrypt('<a>'), crypter.decrypt('<b>')]).toEqual(['a', 'b']);
  expect(service.calls).toEqual(['decrypt <a> <b>']);
  expect(() => crypter.decrypt('<c>')).toThrow('not fetched');
});

test('a service that fails makes storing fail, and fetching', async () => {
  const gone = new Error('gone');
  const manager = managerOf(keeper(gone));
  const crypter = await manager.crypter();
  await expect(settledText(crypter.encrypt('a'))).rejects.toBe(gone);
  await expect(manager.fetch?.(['<a>'])).rejects.toBe(gone);
});

test('a text that only looks like a placeholder stays', async () => {
  const crypter = await managerOf(keeper()).crypter();
  const placeholder = crypter.encrypt('a');
  const other = placeholder.replace(/\d+$/, '999999');
  expect(await settledText(`${other} ${placeholder}`)).toBe(`${other} <a>`);
});
