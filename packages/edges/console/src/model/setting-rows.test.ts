import { SIGNATURES, SIGNATURE_KEY } from '@cairn/values';
import { isSettingPath, settingChange, settingPath, settingRows } from './setting-rows.js';

const secret = { [SIGNATURE_KEY]: SIGNATURES.secret };

test('settings are rows of paths, and a secret is one row', () => {
  const settings = {
    sourceContext: { git: { branch: 'main' } },
    operationContext: { environmentVariables: { KEY: secret }, preRunCommands: ['npm ci'], options: {} },
  };
  expect(settingRows(settings)).toEqual([
    { path: ['sourceContext', 'git', 'branch'], value: 'main' },
    { path: ['operationContext', 'environmentVariables', 'KEY'], value: secret },
    { path: ['operationContext', 'preRunCommands'], value: ['npm ci'] },
    { path: ['operationContext', 'options'], value: {} },
  ]);
});

test.each<[string, string | null, boolean, unknown]>([
  ['a text', 'main', false, 'main'],
  ['a number stays a text', '3', false, '3'],
  ['a list', '["npm ci"]', false, ['npm ci']],
  ['a truth', 'true', false, true],
  ['a damaged list stays a text', '[npm', false, '[npm'],
  ['a secret', '[1]', true, { secret: '[1]' }],
  ['a removal', null, false, null],
])('%s is a change of settings', (_title, text, isSecret, expected) => {
  expect(settingChange(['a', 'b'], text, isSecret)).toEqual({ a: { b: expected } });
});

test('a path has a name at each level', () => {
  expect(settingPath(' a.b ')).toEqual(['a', 'b']);
  expect(['a', 'a.b', '', 'a.', '.a', 'a..b'].filter(isSettingPath)).toEqual(['a', 'a.b']);
});
