import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { passphraseIsAsked, unlockSources } from './user.js';

const ask = async (): Promise<string> => 'typed';
const ports = (env: Readonly<Record<string, string>>, passphrase?: () => Promise<string | undefined>) => ({
  env: { HOME: '/no/such/home', ...env },
  interaction: { passphrase },
});

test('where nobody can be asked, nobody is', () => {
  expect([passphraseIsAsked(ports({})), unlockSources(ports({})).prompt]).toEqual([false, undefined]);
});

test('whoever can be asked is, unless the passphrase is given', async () => {
  expect(passphraseIsAsked(ports({}, ask))).toBe(true);
  await expect(unlockSources(ports({}, ask)).prompt?.('Passphrase')).resolves.toBe('typed');
  expect(passphraseIsAsked(ports({ PULUMI_CONFIG_PASSPHRASE: '' }, ask))).toBe(false);
});

test('no answer is no passphrase', async () => {
  const nothing = ports({}, async () => undefined);
  await expect(unlockSources(nothing).prompt?.('Passphrase')).rejects.toThrow('no passphrase given');
});

test('one that is kept in the home is used, unless another is given', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'cairn-user-'));
  try {
    const file = path.join(home, 'passphrase');
    writeFileSync(file, 'kept');
    const kept = ports({ CAIRN_HOME: home }, ask);
    expect([passphraseIsAsked(kept), unlockSources(kept).env['CAIRN_CONFIG_PASSPHRASE_FILE']]).toEqual([
      false,
      file,
    ]);
    const given = ports({ CAIRN_HOME: home, CAIRN_CONFIG_PASSPHRASE: 'p' }, ask);
    expect(unlockSources(given).env['CAIRN_CONFIG_PASSPHRASE_FILE']).toBeUndefined();
  } finally {
    rmSync(home, { recursive: true });
  }
});
