import { noteworthyVariables } from './noteworthy-variables.js';

test('variables that steer Cairn are noted by name, without secrets [STATE-4]', () => {
  const env = {
    HOME: '/home/ann',
    PULUMI_STACK: 'dev',
    CAIRN_JOURNAL_RETENTION: '3',
    PULUMI_CONFIG_PASSPHRASE: 'hunter2',
    PULUMI_CONFIG_PASSPHRASE_FILE: '/run/secret',
    PULUMI_ACCESS_TOKEN: 'pul-1',
    PULUMI_CONFIG: '{"a":"b"}',
    CAIRN_BACKEND_URL: 's3://user:pw@host/bucket',
    PULUMI_BACKEND_URL: 'azblob://c?sig=abc',
    PULUMI_EMPTY: '',
    CAIRN_UNSET: undefined,
  };
  expect(Object.entries(noteworthyVariables(env))).toEqual([
    ['CAIRN_BACKEND_URL', '[secret]'],
    ['CAIRN_JOURNAL_RETENTION', '3'],
    ['PULUMI_ACCESS_TOKEN', '[secret]'],
    ['PULUMI_BACKEND_URL', '[secret]'],
    ['PULUMI_CONFIG', '[secret]'],
    ['PULUMI_CONFIG_PASSPHRASE', '[secret]'],
    ['PULUMI_CONFIG_PASSPHRASE_FILE', '[secret]'],
    ['PULUMI_STACK', 'dev'],
  ]);
});
