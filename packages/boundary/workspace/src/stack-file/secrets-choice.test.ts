import { createPassphraseManager, openSecretsManager, base64Manager, saltOfStateJson } from '@cairn/crypters';
import { startHashiVault } from '@cairn/testkit/servers';
import type { HashiVaultServer } from '@cairn/testkit/servers';
import {
  checkSecretsProvider,
  chooseSecretsManager,
  newSecretsChoice,
  requestedSecretsManager,
} from './secrets-choice.js';
import type { SecretsSettings } from './secrets-settings.js';
import type { StackSettings } from './stack-file.js';

const env = { PULUMI_CONFIG_PASSPHRASE: 'password' };
const SALT = 'v1:fozI5u6B030=:v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ==';
const none: SecretsSettings = {
  secretsProvider: undefined,
  encryptedKey: undefined,
  encryptionSalt: undefined,
};

describe('choosing the secrets manager [SEC-7]', () => {
  test('the salt of the file is taken, and nothing is saved', async () => {
    const settings = { ...none, encryptionSalt: SALT };
    const choice = await chooseSecretsManager(settings, { env });
    expect(choice).toMatchObject({
      settings,
      changed: false,
      manager: { type: 'passphrase', state: JSON.stringify({ salt: SALT }) },
    });
    const crypter = await choice.manager.crypter();
    expect(crypter.decrypt('v1:AAECAwQFBgcICQoL:f7bPAZLBJje5vjnq4ZjgF4mAxD3wYtU=')).toBe('hunter2');
  });

  test.each([
    { secretsProvider: 'passphrase' },
    { secretsProvider: 'default' },
    { encryptedKey: 'left over' },
  ])('beside the salt %j is cleared [SEC-5]', async (other) => {
    const settings = { ...none, encryptionSalt: SALT };
    expect(await chooseSecretsManager({ ...settings, ...other }, { env })).toMatchObject({
      settings,
      changed: true,
    });
  });

  test('a wrong passphrase is an immediate error when it is needed', async () => {
    const { manager } = await chooseSecretsManager(
      { ...none, encryptionSalt: SALT },
      { env: { CAIRN_CONFIG_PASSPHRASE: 'nope' } },
    );
    await expect(manager.crypter()).rejects.toMatchObject({
      diagnostics: [{ code: 'CAIRN-PASSPHRASE-WRONG' }],
    });
  });

  test('without one a new salt is made, to be saved; the other settings are cleared', async () => {
    const choice = await chooseSecretsManager(
      { ...none, secretsProvider: 'default', encryptedKey: 'left over' },
      { env },
    );
    expect(choice.changed).toBe(true);
    expect(choice.settings).toEqual({ ...none, encryptionSalt: saltOfStateJson(choice.manager.state) });
    const again = await chooseSecretsManager(choice.settings, { env });
    expect((await again.manager.crypter()).decrypt((await choice.manager.crypter()).encrypt('x'))).toBe('x');
  });

  test("a salt that the file has lost is the state's", async () => {
    const stateManager = openSecretsManager('passphrase', (await createPassphraseManager({ env })).state, {
      env,
    });
    const asked = await chooseSecretsManager(none, {
      env,
      stateManager: async () => stateManager,
    });
    expect(asked.manager).toBe(stateManager);
    expect(asked).toMatchObject({
      changed: true,
      settings: { encryptionSalt: saltOfStateJson(stateManager.state) },
    });
    const unnamed = { env, stateManager: async () => base64Manager() };
    expect((await chooseSecretsManager(none, unnamed)).manager.type).toBe('passphrase');
    const other = await chooseSecretsManager(none, {
      env: { CAIRN_FALLBACK_TO_STATE_SECRETS_MANAGER: '1' },
      stateManager: async () => base64Manager(),
    });
    expect(other).toMatchObject({ changed: false, settings: none });
  });

  test.each(['vault://k', 'service'])('%s is refused, with what there is', async (secretsProvider) => {
    await expect(
      chooseSecretsManager({ ...none, secretsProvider, encryptedKey: 'k' }, { env }),
    ).rejects.toMatchObject({
      diagnostics: [
        { code: 'CAIRN-SECRETS-UNKNOWN-TYPE', hint: expect.stringContaining('passphrase') as unknown },
      ],
    });
  });

  test.each(['', 'default', 'passphrase'])('%j is the passphrase', (provider) => {
    expect(() => checkSecretsProvider(provider)).not.toThrow();
  });
});

describe('a key in the stack file [SEC-5] [SEC-7]', () => {
  const url = 'hashivault://stacks';
  let vault: HashiVaultServer;
  beforeAll(async () => {
    vault = await startHashiVault(['stacks', 'other']);
  });
  afterAll(() => vault.close());

  test('without a wrapped key a new data key is made; the salt is cleared; the same file opens it again', async () => {
    const settings = { ...none, secretsProvider: url, encryptionSalt: SALT };
    const choice = await chooseSecretsManager(settings, { env: vault.env });
    expect(choice).toMatchObject({ changed: true, manager: { type: 'cloud' } });
    expect(choice.settings).toEqual({
      secretsProvider: url,
      encryptedKey: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) as unknown,
      encryptionSalt: undefined,
    });
    const sealed = (await choice.manager.crypter()).encrypt('x');
    const again = await chooseSecretsManager(choice.settings, { env: vault.env });
    expect(again).toMatchObject({ changed: false, settings: choice.settings });
    expect((await again.manager.crypter()).decrypt(sealed)).toBe('x');
    expect(again.manager.state).toBe(choice.manager.state);
    const salted = await chooseSecretsManager(
      { ...choice.settings, encryptionSalt: SALT },
      { env: vault.env },
    );
    expect(salted).toMatchObject({ changed: true, settings: choice.settings });
  });

  test('the override reaches the key, and neither file nor state get to know it', async () => {
    const away = { ...none, secretsProvider: 'hashivault://stacks?engine=moved' };
    for (const name of ['CAIRN_CLOUD_SECRET_OVERRIDE', 'PULUMI_CLOUD_SECRET_OVERRIDE']) {
      const sources = { env: { ...vault.env, [name]: url } };
      const choice = await chooseSecretsManager(away, sources);
      expect(choice.settings.secretsProvider).toBe(away.secretsProvider);
      expect(choice.manager.state).toContain('engine=moved');
      const again = await chooseSecretsManager(choice.settings, sources);
      const sealed = (await choice.manager.crypter()).encrypt('x');
      expect((await again.manager.crypter()).decrypt(sealed)).toBe('x');
      const opened = openSecretsManager('cloud', choice.manager.state, sources);
      expect((await opened.crypter()).decrypt(sealed)).toBe('x');
    }
  });

  test("a key that the file has lost is the state's, unless the file asks for a passphrase", async () => {
    const made = await newSecretsChoice(url, { env: vault.env });
    const asked = await chooseSecretsManager(none, {
      env: vault.env,
      stateManager: async () => made.manager,
    });
    const passphrase = { ...none, secretsProvider: 'passphrase' };
    const sources = { env: { ...env, ...vault.env }, stateManager: async () => made.manager };
    expect((await chooseSecretsManager(passphrase, sources)).manager.type).toBe('passphrase');
    expect(asked).toMatchObject({ changed: true, manager: made.manager, settings: made.settings });
  });

  test('what is asked for: the same keeps its key, another gets a new one, secrets of another are not given up', async () => {
    const made = await newSecretsChoice(url, { env: vault.env });
    const plain: StackSettings = { ...made.settings, config: new Map(), environment: undefined };
    const sources = { env: { ...env, ...vault.env } };
    expect(await requestedSecretsManager(url, plain, sources)).toMatchObject({ changed: false });
    expect(await requestedSecretsManager('', plain, sources)).toMatchObject({ changed: false });
    const other = await requestedSecretsManager('hashivault://other', plain, sources);
    expect(other).toMatchObject({ changed: true, settings: { secretsProvider: 'hashivault://other' } });
    expect(other.settings.encryptedKey).not.toBe(plain.encryptedKey);
    const phrase = await requestedSecretsManager('passphrase', plain, sources);
    expect(phrase).toMatchObject({ changed: true, manager: { type: 'passphrase' } });
    const secure = { ...plain, config: new Map([['shop:db', { secure: 'v1:x:y' }]]) };
    await expect(requestedSecretsManager('passphrase', secure, sources)).rejects.toMatchObject({
      diagnostics: [{ code: 'CAIRN-USAGE' }],
    });
    expect(await requestedSecretsManager(url, secure, sources)).toMatchObject({ changed: false });
  });
});
