import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base64Manager, openSecretsManager, secretsManagers } from '../open.js';
import { sameManager } from '../secrets-manager.js';
import { symmetricCrypter } from '../symmetric.js';
import { deriveKey } from './derive-key.js';
import { createPassphraseManager, passphraseManager } from './passphrase-manager.js';
import { isVerified, makeSaltState, parseSaltState, saltOfStateJson } from './salt-state.js';

const SALT = 'v1:fozI5u6B030=:v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ==';
const STATE = JSON.stringify({ salt: SALT });
const HUNTER2 = 'v1:AAECAwQFBgcICQoL:f7bPAZLBJje5vjnq4ZjgF4mAxD3wYtU=';
const right = { PULUMI_CONFIG_PASSPHRASE: 'password' };
const wrong = { PULUMI_CONFIG_PASSPHRASE: 'Password' };

describe('vectors of salts [SEC-3]', () => {
  test.each([
    ['password', SALT, '7e700703e28b164e816cb939612c938b8dcf8f8a5237d02824cea3fb656b3a8b'],
    [
      'abc123',
      'v1:4iF78gb0nF0=:v1:Co6IbTWYs/UdrjgY:FSrAWOFZnj9ealCUDdJL7LrUKXX9BA==',
      '5b8afe84bd5b93a6d9468e9d2d9659a4e4c08957bac6cdbdf8f058092956ed72',
    ],
    [
      '123abc',
      'v1:C7H2a7/Ietk=:v1:yfAd1zOi6iY9DRIB:dumdsr+H89VpHIQWdB01XEFqYaYjAg==',
      '1bb98674794b94f20ac757cf83a25bcaf1a9719b94b938e0269537812a2734d7',
    ],
    [
      'correct horse battery staple',
      'v1:3ZcVRCMzEbk=:v1:A4wYnaSVLIkK0AhS:2SrOnSDh9wVGmoyZt97KYJN3WfDDHA==',
      'b8bdae0632244ab0bd07a582d24c810606e8369f534f97567df93bd4c213dd57',
    ],
    [
      'TestConfigRoundtripComments',
      'v1:ThS5UPxP9qc=:v1:UZYAXF+ylaJ0rGhv:9OTvBnOEDFgxs7btjzSu+LZ470vLpg==',
      '2c87ab85989efcf30f69448a0162c1a8b4f82f2c153000ef3cfd7e497bec262a',
    ],
    [
      '',
      'v1:AAECAwQFBgc=:v1:AAECAwQFBgcICQoL:mXB69Ew4SgucIvU8kq1Y8Nvl3+XbOg==',
      '3e96a011abf89e6266ca5d4bcf4ed1cab925fb467f269adc35248b69397c10d1',
    ],
    [
      'pässwörd ✓',
      'v1:AAECAwQFBgc=:v1:AAECAwQFBgcICQoL:jQloURkB3U3QFulcSnyiI2LNrUlV7g==',
      'c49c3c71ce6945d15a2dd5cc761d35137c009b022e5fc93cf5065962720afb44',
    ],
  ])('passphrase %j', async (passphrase, saltState, key) => {
    const parsed = parseSaltState(saltState);
    const derived = await deriveKey(passphrase, parsed.salt);
    expect(derived.toString('hex')).toBe(key);
    expect(isVerified(parsed, symmetricCrypter(derived))).toBe(true);
    const nonce = Buffer.from(parsed.verifier.split(':')[1] ?? '', 'base64');
    expect(
      makeSaltState(
        parsed.salt,
        symmetricCrypter(derived, () => nonce),
      ),
    ).toBe(saltState);
  });

  test('a config value under TestConfigRoundtripComments', async () => {
    const manager = passphraseManager(
      'v1:ThS5UPxP9qc=:v1:UZYAXF+ylaJ0rGhv:9OTvBnOEDFgxs7btjzSu+LZ470vLpg==',
      { env: { PULUMI_CONFIG_PASSPHRASE: 'TestConfigRoundtripComments' } },
      'reject',
    );
    expect(
      (await manager.crypter()).decrypt('v1:T1ftqhY0hqr+EJK6:+jvd5PMecFx80tcavzuZY4tLatgIfoe/xR72GA=='),
    ).toBe('secret-value');
  });
});

describe('where the passphrase comes from', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-passphrase-'));
    await writeFile(join(folder, 'good'), '  password\n\n');
    await writeFile(join(folder, 'bad'), 'nonsense');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const opens = async (env: Record<string, string>, answers?: string[]): Promise<boolean> => {
    const prompt = answers && (async () => answers.shift() ?? 'no more answers');
    const crypter = await passphraseManager(SALT, { env, prompt }, 'lock').crypter();
    try {
      return crypter.decrypt(HUNTER2) === 'hunter2';
    } catch {
      return false;
    }
  };

  test.each([
    ['PULUMI variable', { PULUMI_CONFIG_PASSPHRASE: 'password' }, true],
    ['CAIRN variable', { CAIRN_CONFIG_PASSPHRASE: 'password' }, true],
    ['CAIRN wins', { CAIRN_CONFIG_PASSPHRASE: 'password', PULUMI_CONFIG_PASSPHRASE: 'x' }, true],
    [
      'CAIRN wins even when empty',
      { CAIRN_CONFIG_PASSPHRASE: '', PULUMI_CONFIG_PASSPHRASE: 'password' },
      false,
    ],
    ['the variable is not trimmed', { PULUMI_CONFIG_PASSPHRASE: 'password\n' }, false],
    ['the file is trimmed', { PULUMI_CONFIG_PASSPHRASE_FILE: 'good' }, true],
    [
      'the variable wins over the file, set to empty too',
      { PULUMI_CONFIG_PASSPHRASE: '', PULUMI_CONFIG_PASSPHRASE_FILE: 'good' },
      false,
    ],
    [
      'the CAIRN file wins',
      { CAIRN_CONFIG_PASSPHRASE_FILE: 'good', PULUMI_CONFIG_PASSPHRASE_FILE: 'bad' },
      true,
    ],
    [
      'an empty file name counts as none',
      { CAIRN_CONFIG_PASSPHRASE_FILE: '', PULUMI_CONFIG_PASSPHRASE_FILE: 'good' },
      true,
    ],
  ])('%s', async (_, env: Record<string, string>, expected) => {
    const placed = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        name.endsWith('_FILE') && value ? join(folder, value) : value,
      ]),
    );
    expect(await opens(placed)).toBe(expected);
  });

  test('the prompt is used when nothing is set, and asks again up to three times', async () => {
    expect(await opens({}, ['password'])).toBe(true);
    expect(await opens({}, ['one', 'two', 'password'])).toBe(true);
    expect(await opens({}, ['one', 'two', 'three', 'password'])).toBe(false);
  });

  test('nothing at all, or a file that is not there, is an error that says what to set', async () => {
    const missing = {
      diagnostics: [
        {
          code: 'CAIRN-PASSPHRASE-MISSING',
          hint: expect.stringContaining('CAIRN_CONFIG_PASSPHRASE') as unknown,
        },
      ],
    };
    await expect(passphraseManager(SALT, { env: {} }, 'lock').crypter()).rejects.toMatchObject(missing);
    await expect(
      passphraseManager(
        SALT,
        { env: { PULUMI_CONFIG_PASSPHRASE_FILE: join(folder, 'none') } },
        'lock',
      ).crypter(),
    ).rejects.toMatchObject(missing);
  });
});

describe('a wrong passphrase', () => {
  const refused = {
    diagnostics: [
      {
        code: 'CAIRN-PASSPHRASE-WRONG',
        summary: expect.stringContaining('incorrect passphrase') as unknown,
        hint: expect.stringContaining('Set PULUMI_CONFIG_PASSPHRASE') as unknown,
      },
    ],
  };

  test('locks a manager opened for state: it keeps its state bytes and fails at each use', async () => {
    const spaced = `{ "salt" : "${SALT}" }`;
    const manager = openSecretsManager('passphrase', spaced, { env: wrong });
    expect(manager.state).toBe(spaced);
    const crypter = await manager.crypter();
    for (const use of [async () => crypter.decrypt(HUNTER2), async () => crypter.encrypt('x')]) {
      await expect(use()).rejects.toMatchObject(refused);
    }
  });

  test('is an immediate error for config', async () => {
    await expect(passphraseManager(SALT, { env: wrong }, 'reject').crypter()).rejects.toMatchObject(refused);
  });

  test('the right one opens, once for all callers', async () => {
    let asked = 0;
    const prompt = async (): Promise<string> => (asked++, 'password');
    const manager = passphraseManager(SALT, { env: {}, prompt }, 'reject');
    const [first, second] = await Promise.all([manager.crypter(), manager.crypter()]);
    expect(first.decrypt(second.encrypt('x'))).toBe('x');
    expect(asked).toBe(1);
  });
});

describe('a new manager', () => {
  test('has a salt of its own, and opens again from its state', async () => {
    const one = await createPassphraseManager({ env: right });
    const two = await createPassphraseManager({ env: right });
    expect(sameManager(one, two)).toBe(false);
    const again = openSecretsManager('passphrase', one.state, { env: right });
    expect(sameManager(one, again)).toBe(true);
    expect((await again.crypter()).decrypt((await one.crypter()).encrypt('kept'))).toBe('kept');
    expect(saltOfStateJson(one.state)).toMatch(
      /^v1:[A-Za-z0-9+/]{11}=:v1:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]{30}==$/,
    );
  });

  test('asks until both answers agree', async () => {
    const messages: string[] = [];
    const answers = ['a', 'b', 'password', 'password'];
    const prompt = async (message: string): Promise<string> => (
      messages.push(message),
      answers.shift() ?? ''
    );
    const manager = await createPassphraseManager({ env: {}, prompt }, (size) => new Uint8Array(size));
    expect(messages.map((message) => /differ|Re-enter/.exec(message)?.[0])).toEqual([
      undefined,
      'Re-enter',
      'differ',
      'Re-enter',
    ]);
    const crypter = await openSecretsManager('passphrase', manager.state, { env: right }).crypter();
    expect(crypter.decrypt(crypter.encrypt('x'))).toBe('x');
  });

  test.each([
    ['confirmed', ['', '', 'empty'], ''],
    ['not confirmed: asks again', ['', '', 'no', 'word', 'word'], 'word'],
  ])('an empty passphrase that is typed must be confirmed: %s', async (_title, answers, chosen) => {
    const left = [...answers];
    const prompt = async (): Promise<string> => left.shift() ?? 'asked too often';
    const manager = await createPassphraseManager({ env: {}, prompt }, (size) => new Uint8Array(size));
    expect(left).toEqual([]);
    const env = { CAIRN_CONFIG_PASSPHRASE: chosen };
    const crypter = await openSecretsManager('passphrase', manager.state, { env }).crypter();
    expect(crypter.decrypt(crypter.encrypt('x'))).toBe('x');
  });

  test('gives up when they never agree', async () => {
    let n = 0;
    await expect(createPassphraseManager({ env: {}, prompt: async () => `${n++}` })).rejects.toThrow(
      'two passphrases differ',
    );
    expect(n).toBe(6);
  });

  test('gives up when an empty one is never confirmed, and says so', async () => {
    await expect(createPassphraseManager({ env: {}, prompt: async () => '' })).rejects.toThrow(
      'cannot protect secrets: the passphrase is empty',
    );
  });
});

describe('opening by type', () => {
  test.each([
    ['vault', undefined],
    ['b64', undefined],
    ['constructor', undefined],
  ])('type %s is not known, and the error says which are', (type, state) => {
    expect(() => openSecretsManager(type, state, { env: {} })).toThrow(
      expect.objectContaining({
        diagnostics: [
          expect.objectContaining({
            code: 'CAIRN-SECRETS-UNKNOWN-TYPE',
            summary: expect.stringContaining(`"${type}"`) as unknown,
            hint: expect.stringContaining('passphrase') as unknown,
          }),
        ],
      }) as Error,
    );
  });

  test('tests may add b64', async () => {
    const manager = openSecretsManager(
      'b64',
      undefined,
      { env: {} },
      { ...secretsManagers, b64: base64Manager },
    );
    expect((await manager.crypter()).encrypt('x')).toBe('eA==');
  });

  test.each([
    [undefined, 'not JSON'],
    ['{', 'not JSON'],
    ['{}', 'no "salt"'],
    ['{"salt":1}', 'no "salt"'],
    ['{"salt":"x"}', 'form v1:salt:verifier'],
    ['{"salt":"v1:AAAA"}', 'form v1:salt:verifier'],
    ['{"salt":"v2:AAAA:x"}', 'version is not v1'],
    ['{"salt":"v1:****:x"}', 'salt is not base64'],
  ])('settings %j fail at once: %s', (state, reason) => {
    expect(() => openSecretsManager('passphrase', state, { env: right })).toThrow(reason);
  });

  test('sound settings of the usual spelling keep their bytes', () => {
    expect(openSecretsManager('passphrase', STATE, { env: {} }).state).toBe(STATE);
  });
});
