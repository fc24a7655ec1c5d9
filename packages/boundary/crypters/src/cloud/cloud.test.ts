import { createCloudManager } from './cloud-manager.js';
import { cloudState, parseCloudState, wrappedBytes } from './cloud-state.js';
import { crc32c } from './crc32c.js';
import type { KeyFailureKind } from './key-service.js';
import { KeyFailure } from './key-service.js';
import { openKeyService } from './open-key-service.js';
import { parseKeyUrl } from './key-url.js';
import { retryKeyCall } from './retrying.js';
import { openSecretsManager } from '../open.js';

const ARN = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

describe('URLs of keys [SEC-5]', () => {
  test.each([
    ['awskms://alias/NAME?region=r', 'awskms', 'alias/NAME'],
    ['awskms://1234ABCD-12ab?region=r', 'awskms', '1234ABCD-12ab'],
    [`awskms:///${ARN}`, 'awskms', ARN],
    [`awskms://${ARN}`, 'awskms', ARN],
    [
      'gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K',
      'gcpkms',
      'projects/P/locations/L/keyRings/R/cryptoKeys/K',
    ],
    ['azurekeyvault://V.vault.azure.net/keys/N/1', 'azurekeyvault', 'V.vault.azure.net/keys/N/1'],
    ['hashivault://my%20key/', 'hashivault', 'my key'],
  ])('%s', (text, scheme, path) => {
    expect(parseKeyUrl(text)).toMatchObject({ scheme, path, text });
  });

  test.each([
    ['vault://x', 'CAIRN-SECRETS-UNKNOWN-TYPE', 'no known secrets provider "vault://"'],
    ['awskms', 'CAIRN-KEY-URL', 'form'],
    ['awskms://', 'CAIRN-KEY-URL', 'does not name a key'],
    ['awskms://?region=r', 'CAIRN-KEY-URL', 'does not name a key'],
    ['hashivault://%zz', 'CAIRN-KEY-URL', '%-escapes'],
    ['awskms://alias/x?region=a&region=b', 'CAIRN-KEY-URL', '"region" twice'],
    ['awskms://alias/x?regoin=a', 'CAIRN-KEY-URL', 'unknown parameter "regoin"'],
    ['awskms://alias/x?awssdk=v3', 'CAIRN-KEY-URL', '"awssdk" must be v1 or v2'],
    ['awskms://alias/x?fips=yes', 'CAIRN-KEY-URL', '"fips" must be'],
    ['gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K?x=1', 'CAIRN-KEY-URL', 'unknown parameter "x"'],
    ['gcpkms://projects/P/cryptoKeys/K', 'CAIRN-KEY-URL', 'projects/P/locations/L'],
    ['azurekeyvault://v.vault.azure.net/secrets/N', 'CAIRN-KEY-URL', 'keys/NAME'],
    ['azurekeyvault://v.vault.azure.net/keys/N?algorithm=A256KW', 'CAIRN-KEY-URL', '"algorithm" must be'],
    ['hashivault://k?mount=x', 'CAIRN-KEY-URL', 'unknown parameter "mount"'],
    ['hashivault://k', 'CAIRN-KEY-URL', 'VAULT_ADDR'],
  ])('%s is refused', async (text, code, words) => {
    await expect(openKeyService(text, { env: {} })).rejects.toMatchObject({
      diagnostics: [{ code, summary: expect.stringContaining(words) as unknown }],
    });
  });
});

describe('state of the cloud manager [SEC-1]', () => {
  test('compact, in order, as Go writes it; read back as it is', () => {
    const { json } = cloudState('awskms://alias/x?region=r&context_a=<b>', 'AAEC');
    expect(json).toBe(
      '{"url":"awskms://alias/x?region=r\\u0026context_a=\\u003cb\\u003e","encryptedkey":"AAEC"}',
    );
    const spaced = '{ "encryptedkey": "AAEC", "url": "hashivault://k" }';
    expect(parseCloudState(spaced)).toEqual({ url: 'hashivault://k', wrapped: 'AAEC', json: spaced });
    expect(openSecretsManager('cloud', spaced, { env: {} })).toMatchObject({ type: 'cloud', state: spaced });
  });

  test.each([
    [undefined],
    [''],
    ['null'],
    ['{}'],
    ['{"url":1,"encryptedkey":"AAEC"}'],
    ['{"url":"x://y"}'],
    ['{"url":"x://y","encryptedkey":""}'],
  ])('%s is malformed', (text) => {
    expect(() => openSecretsManager('cloud', text, { env: {} })).toThrow(
      /wrapped key of the cloud secrets manager/,
    );
  });

  test('a wrapped key that is not base64', () => {
    expect(() => wrappedBytes(cloudState('hashivault://k', 'not base64!'))).toThrow(/not base64/);
  });

  test('what the key opens must be a data key', async () => {
    const open = async () => ({
      wrap: async (bytes: Uint8Array) => bytes,
      unwrap: async () => Buffer.from('short'),
    });
    const { cloudManager } = await import('./cloud-manager.js');
    await expect(
      cloudManager(cloudState('hashivault://k', 'AAEC'), { env: {} }, { open }).crypter(),
    ).rejects.toThrow(/not a data key: it has 5 bytes, not 32/);
  });

  test('a vector: the data key of a key service seals as any other [SEC-2]', async () => {
    const key = Buffer.from('7e700703e28b164e816cb939612c938b8dcf8f8a5237d02824cea3fb656b3a8b', 'hex');
    const open = async () => ({
      wrap: async (bytes: Uint8Array) => bytes,
      unwrap: async (bytes: Uint8Array) => bytes,
    });
    const random = (size: number): Uint8Array =>
      size === 32 ? key : Uint8Array.from({ length: size }, (_, i) => i);
    const made = await createCloudManager('hashivault://k', { env: {} }, { open, random });
    expect(made.state).toBe(`{"url":"hashivault://k","encryptedkey":"${key.toString('base64')}"}`);
    expect((await made.crypter()).encrypt('hunter2')).toBe(
      'v1:AAECAwQFBgcICQoL:f7bPAZLBJje5vjnq4ZjgF4mAxD3wYtU=',
    );
  });
});

test('a state of type service can be carried, and its secrets opened by nobody here', async () => {
  const state = '{"owner":"o","project":"p","stack":"s"}';
  const manager = openSecretsManager('service', state, { env: {} });
  expect(manager).toMatchObject({ type: 'service', state });
  const crypter = await manager.crypter();
  expect(() => crypter.decrypt('x')).toThrow(/"service"/);
});

test.each([
  ['123456789', 0xe3069283],
  ['', 0],
  ['\0'.repeat(32), 0x8a9136aa],
])('CRC-32C of %j (RFC 3720 B.4)', (text, sum) => {
  expect(crc32c(Buffer.from(text))).toBe(sum);
});

describe('trying again', () => {
  const failure = (kind: KeyFailureKind, after?: number): KeyFailure =>
    new KeyFailure(kind, 'said', after, undefined);

  test.each([
    [
      [failure('throttled'), failure('unavailable'), failure('timeout'), failure('throttled')],
      'answer',
      [100, 200, 400, 800],
    ],
    [Array.from({ length: 5 }, () => failure('throttled')), 'said', [100, 200, 400, 800]],
    [[failure('throttled', 3000), failure('throttled', 600_000)], 'answer', [3000, 5000]],
    [[failure('denied')], 'said', []],
    [[failure('credentials')], 'said', []],
    [[failure('missing')], 'said', []],
    [[failure('wrong-key')], 'said', []],
    [[failure('protocol')], 'said', []],
  ] as const)(
    'failures that pass are waited out, others go through: row %#',
    async (failures, expected, waits) => {
      const slept: number[] = [];
      const ports = { random: () => 0.5, now: () => 0, sleep: async (ms: number) => void slept.push(ms) };
      let calls = 0;
      const call = async (): Promise<string> => {
        const failed = failures[calls++];
        if (failed !== undefined) throw failed;
        return 'answer';
      };
      expect(await retryKeyCall(call, ports).catch((thrown: Error) => thrown.message)).toBe(expected);
      expect(slept).toEqual(waits);
    },
  );

  test('what is no failure of a service comes through at once', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls++;
      throw new TypeError('a mistake');
    };
    await expect(retryKeyCall(call)).rejects.toThrow('a mistake');
    expect(calls).toBe(1);
  });
});
