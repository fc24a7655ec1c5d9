import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { filesContaining } from '../support/search.js';

/** No error that ends an operation contains secrets, whatever made its text. */

const SECRET = 'hunter2-planted-secret';

/** A plugin that prints its input, and ends before it prints where it listens. */
const PLUGIN = `#!/bin/sh
echo "configured with $PULUMI_CONFIG" >&2
exit 3
`;

test.each<[string, string, RegExp]>([
  ['a program that cannot be loaded', `const token = '${SECRET}' '${SECRET}';\n`, /CAIRN-PROGRAM/],
  ['a program that breaks while it loads', `throw new Error('token is ${SECRET}');\n`, /CAIRN-PROGRAM/],
  [
    'a plugin that does not start',
    `import { CustomResource } from '@cairn/sdk';\nnew CustomResource('bad:index:Thing', 'x', {});\n`,
    /CAIRN-PLUGIN-START/,
  ],
])('%s', async (_title, program, code) => {
  const box = sandbox({
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: bad\n      path: ./bad\n',
    'index.ts': program,
    'bad/pulumi-resource-bad': PLUGIN,
  });
  try {
    chmodSync(path.join(box.directory, 'bad/pulumi-resource-bad'), 0o755);
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', '--secret', 'bad:token'], { input: SECRET }));
    for (const words of [
      ['up', '--yes', '--skip-preview', '--event-log', 'events.json'],
      ['preview', '--debug'],
    ]) {
      const end = await box.cairn(words);
      expect(end.code).not.toBe(0);
      expect(end.text).toMatch(code);
      expect(end.text).toContain('[secret]');
      expect(end.text).not.toContain(SECRET);
    }
    expect(readFileSync(path.join(box.directory, 'events.json'), 'utf8')).not.toContain(SECRET);
    expect(filesContaining(box.state, SECRET)).toEqual([]);
  } finally {
    box.remove();
  }
});

const LOCK = `import { dynamicProvider, dynamicResource } from '@cairn/sdk';

export const lock = dynamicProvider({
  async create(inputs: { pin: number; words: string }) {
    throw new Error('pin=' + inputs.pin + ' words=' + JSON.stringify(inputs.words));
  },
});
export class Lock extends dynamicResource('Lock', lock) {}
`;
const DOOR = `import { secret } from '@cairn/sdk';
import { Lock } from './lock.js';
new Lock('door', { pin: secret(98765432), words: secret('open "sesame" please') });
`;

test('a provider that throws a secret number, and the line of the program that has it', async () => {
  const box = sandbox({ 'index.ts': DOOR, 'lock.ts': LOCK });
  try {
    expectOk(await box.cairn(['stack', 'init', 'dev']));
    const end = await box.cairn(['up', '--yes', '--skip-preview', '--event-log', 'events.json']);
    expect(end.code).not.toBe(0);
    expect(end.text).toContain('pin=[secret] words="[secret]"');
    expect(end.text).toContain("new Lock('door', { pin: secret([secret]), words: secret([secret]) });");
    const log = readFileSync(path.join(box.directory, 'events.json'), 'utf8');
    for (const text of [end.text, expectOk(await box.cairn(['change', '1', '--json'])).text, log])
      expect(text).not.toMatch(/98765432|sesame/);
    expect(filesContaining(box.state, '98765432')).toEqual([]);
    expect(filesContaining(box.state, 'sesame')).toEqual([]);
  } finally {
    box.remove();
  }
});

const KEY_SERVICE = `secretsprovider: gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/k
encryptedkey: AAAA
config:
  shop:token: { secure: v1:AAAA:AAAA }
`;

test.each<[string, string, string, RegExp]>([
  [
    'a key service that cannot use its credentials',
    'GOOGLE_CREDENTIALS',
    KEY_SERVICE,
    /CAIRN-KEY-CREDENTIALS/,
  ],
  [
    'a stack file that has a secret of the environment in the wrong place',
    'SHOP_API_KEY',
    `config:\n  shop:${SECRET}:x: text\n`,
    /CAIRN-[\s\S]*\[secret\]/,
  ],
])('before the configuration is open: %s', async (_title, variable, file, said) => {
  const box = sandbox({ 'index.ts': '' });
  try {
    giveStack(box);
    box.write('Cairn.dev.yaml', file);
    box.env[variable] = SECRET;
    for (const words of [
      ['up', '--yes', '--debug'],
      ['preview', '--debug'],
      ['destroy', '--yes'],
    ]) {
      const end = await box.cairn(words);
      expect(end.code).not.toBe(0);
      expect(end.text).toMatch(said);
      expect(end.text).not.toContain(SECRET.slice(0, 8));
    }
  } finally {
    box.remove();
  }
});
