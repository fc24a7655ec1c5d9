import { Config } from './config.js';
import { sourceOf } from '../output/brand.js';
import { run } from '../testdata/fake-engine.js';
import { getOrganization, getProject, getStack, isDryRun } from '../stack/metadata.js';

const config = {
  'shop:text': 'hello',
  'shop:on': 'true',
  'shop:size': '7',
  'shop:list': '[1,2]',
  'shop:odd': 'maybe',
  'shop:pin': 'hello',
  'aws:region': 'eu',
};
const inProgram = async (check: () => unknown): Promise<void> => {
  const { code, engine } = await run(check, { settings: { config, configSecretKeys: ['shop:pin'] } });
  expect(engine.logs).toEqual([]);
  expect(code).toBe(0);
};

test.each<[string, () => unknown, unknown]>([
  ['get', () => new Config().get('text'), 'hello'],
  ['get of what is not set', () => new Config().get('none'), undefined],
  ['get of a name every object has', () => new Config().get('constructor'), undefined],
  ['another namespace', () => new Config('aws').require('region'), 'eu'],
  ['getBoolean', () => new Config().getBoolean('on'), true],
  ['getNumber', () => new Config().getNumber('size', { min: 1, max: 7 }), 7],
  ['requireObject', () => new Config().requireObject('list'), [1, 2]],
  [
    'allowed values',
    () => new Config().get('text', { allowedValues: ['hello'], minLength: 5, maxLength: 5, pattern: /^h/g }),
    'hello',
  ],
])('%s', async (_what, read, expected) => {
  await inProgram(() => expect(read()).toEqual(expected));
});

test.each<[string, () => unknown, RegExp]>([
  [
    'require',
    () => new Config().require('none'),
    /"shop:none" is not set; set it with: cairn config set shop:none <value>/,
  ],
  ['requireSecret', () => new Config().requireSecret('none'), /cairn config set --secret shop:none/],
  ['a boolean', () => new Config().getBoolean('odd'), /"shop:odd" is not true or false/],
  ['a number', () => new Config().getNumber('text'), /is not a number/],
  ['a number too small', () => new Config().getNumber('size', { min: 8 }), /is less than 8/],
  ['a number too large', () => new Config().getNumber('size', { max: 6 }), /is greater than 6/],
  ['an object', () => new Config().getObject('text'), /is not JSON/],
  [
    'a value that is not allowed',
    () => new Config().get('text', { allowedValues: ['a', 'b'] }),
    /is not one of a, b/,
  ],
  ['a text too short', () => new Config().get('text', { minLength: 6 }), /shorter than 6/],
  ['a text too long', () => new Config().get('text', { maxLength: 4 }), /longer than 4/],
  [
    'a secret, of the configuration',
    () => new Config().getNumber('pin'),
    /^secret configuration value "shop:pin" is/,
  ],
  [
    'a secret, of the program',
    () => new Config().getSecretObject('text'),
    /^secret configuration value "shop:text" is/,
  ],
  ['a text of another form', () => new Config().get('text', { pattern: /^\d+$/ }), /does not match/],
])('refuses %s, without the value', async (_what, read, message) => {
  await inProgram(() => {
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hello|maybe/);
  });
});

test('secret forms give outputs that are secret', async () => {
  await inProgram(async () => {
    const all = new Config();
    for (const [out, value] of [
      [all.requireSecret('text'), 'hello'],
      [all.getSecretNumber('size'), 7],
      [all.requireSecretBoolean('on'), true],
      [all.getSecretObject('list'), [1, 2]],
    ] as const) {
      expect(await sourceOf(out as never)).toMatchObject({ value, secret: true });
    }
    expect(all.getSecret('none')).toBeUndefined();
  });
});

test('the program knows what it is run for', async () => {
  await inProgram(() =>
    expect([getProject(), getStack(), getOrganization(), isDryRun()]).toEqual([
      'shop',
      'dev',
      'organization',
      false,
    ]),
  );
});

test('outside of a deployment the error says what to do', () => {
  expect(() => new Config()).toThrow(/cairn up/);
});
