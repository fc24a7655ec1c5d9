import { createPassphraseManager, openSecretsManager, base64Manager, saltOfStateJson } from '@cairn/crypters';
import { checkSecretsProvider, chooseSecretsManager } from './secrets-choice.js';
import type { SecretsSettings } from './stack-file.js';

const env = { PULUMI_CONFIG_PASSPHRASE: 'password' };
const SALT = 'v1:fozI5u6B030=:v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ==';
const none: SecretsSettings = {
  secretsProvider: undefined,
  encryptedKey: undefined,
  encryptionSalt: undefined,
};

describe('choosing the secrets manager (state.md 6.6)', () => {
  test('the salt of the file is taken, and nothing is saved', async () => {
    const settings = { ...none, secretsProvider: 'passphrase', encryptionSalt: SALT };
    const choice = await chooseSecretsManager(settings, { env });
    expect(choice).toMatchObject({
      settings,
      changed: false,
      manager: { type: 'passphrase', state: JSON.stringify({ salt: SALT }) },
    });
    const crypter = await choice.manager.crypter();
    expect(crypter.decrypt('v1:AAECAwQFBgcICQoL:f7bPAZLBJje5vjnq4ZjgF4mAxD3wYtU=')).toBe('hunter2');
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

  test("the state's manager is taken only when asked for, and its salt goes into the file", async () => {
    const stateManager = openSecretsManager('passphrase', (await createPassphraseManager({ env })).state, {
      env,
    });
    const asked = await chooseSecretsManager(none, {
      env: { ...env, PULUMI_FALLBACK_TO_STATE_SECRETS_MANAGER: 'true' },
      stateManager,
    });
    expect(asked.manager).toBe(stateManager);
    expect(asked).toMatchObject({
      changed: true,
      settings: { encryptionSalt: saltOfStateJson(stateManager.state) },
    });
    expect((await chooseSecretsManager(none, { env, stateManager })).manager).not.toBe(stateManager);
    const other = await chooseSecretsManager(none, {
      env: { CAIRN_FALLBACK_TO_STATE_SECRETS_MANAGER: '1' },
      stateManager: base64Manager(),
    });
    expect(other).toMatchObject({ changed: false, settings: none });
  });

  test.each(['awskms://alias/x?region=y', 'hashivault://k', 'service'])(
    '%s is refused, with what there is',
    async (secretsProvider) => {
      await expect(
        chooseSecretsManager({ ...none, secretsProvider, encryptedKey: 'k' }, { env }),
      ).rejects.toMatchObject({
        diagnostics: [
          { code: 'CAIRN-SECRETS-UNKNOWN-TYPE', hint: expect.stringContaining('passphrase') as unknown },
        ],
      });
    },
  );

  test.each(['', 'default', 'passphrase'])('%j is the passphrase', (provider) => {
    expect(() => checkSecretsProvider(provider)).not.toThrow();
  });
});
