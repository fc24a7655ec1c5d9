import { PassThrough, Readable } from 'node:stream';
import type { World } from '../world.js';
import { passphraseIsAsked, unlockSources } from './user.js';

function world(env: Readonly<Record<string, string>>, typed = ''): World {
  const parts = {
    env: { HOME: '/no/such/home', ...env },
    stdin: Readable.from([typed]),
    stderr: new PassThrough(),
    terminal: { interactive: false },
    onInterrupt: () => () => undefined,
  };
  return parts as unknown as World;
}

test('without a terminal nobody is asked for a passphrase', () => {
  expect([passphraseIsAsked(world({})), unlockSources(world({})).prompt]).toEqual([false, undefined]);
});

test.each(['CAIRN_TEST_PASSPHRASE', 'PULUMI_TEST_PASSPHRASE'])(
  '%s has it asked for all the same [SEC-4]',
  async (name) => {
    const tested = world({ [name]: '1' }, 'from stdin\nand again\r\n');
    expect(passphraseIsAsked(tested)).toBe(true);
    await expect(unlockSources(tested).prompt?.('Passphrase')).resolves.toBe('from stdin');
    await expect(unlockSources(tested).prompt?.('Again')).resolves.toBe('and again');
    await expect(unlockSources(tested).prompt?.('Again')).rejects.toThrow('no passphrase given');
    expect(passphraseIsAsked(world({ [name]: '1', PULUMI_CONFIG_PASSPHRASE: '' }))).toBe(false);
  },
);
