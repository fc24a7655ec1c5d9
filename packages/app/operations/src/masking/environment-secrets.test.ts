import { environmentSecrets } from './environment-secrets.js';

test.each<[string, Record<string, string>, readonly string[]]>([
  [
    'passphrases, tokens and keys',
    {
      CAIRN_CONFIG_PASSPHRASE: 'a',
      PULUMI_ACCESS_TOKEN: 'b',
      AWS_SECRET_ACCESS_KEY: 'c',
      AZURE_STORAGE_KEY: 'd',
    },
    ['a', 'b', 'c', 'd'],
  ],
  [
    'names of files, ids and switches are none',
    {
      CAIRN_CONFIG_PASSPHRASE_FILE: 'a',
      GOOGLE_APPLICATION_CREDENTIALS: 'b',
      AWS_ACCESS_KEY_ID: 'c',
      CAIRN_DISABLE_SECRET_CACHE: 'true',
      HOME: '/root',
      VAULT_TOKEN: '',
    },
    [],
  ],
])('%s', (_, env, secrets) => {
  expect(environmentSecrets(env)).toEqual(secrets);
});
