import { cachedPlugins, selectPlugin } from './plugin-cache.js';

const cache = (...names: string[]) => cachedPlugins('/c', names);

test.each([
  ['resource-aws-v6.0.0', { kind: 'resource', name: 'aws', version: '6.0.0' }],
  [
    'resource-aws-native-v1.0.0-alpha.1+x',
    { kind: 'resource', name: 'aws-native', version: '1.0.0-alpha.1' },
  ],
  ['language-nodejs-v3.1.0', { kind: 'language', name: 'nodejs', version: '3.1.0' }],
  ['resource-aws-v', { kind: 'resource', name: 'aws', version: undefined }],
  ['resource-github.com_x_y-v1.0.0', { kind: 'resource', name: 'github.com_x_y', version: '1.0.0' }],
])('%s is a plugin', (entry, expected) => {
  expect(cache(entry)).toEqual([{ directory: `/c/${entry}`, ...expected }]);
});

test.each([
  [['resource-aws-v6.0.0.lock']],
  [['resource-aws-v6.0.0.lastused']],
  [['resource-aws-v6.0.0.partial', 'resource-aws-v6.0.0']],
  [['resource-aws-v6.0.0.tmp12345']],
  [['aws-v6.0.0']],
  [['README']],
  [['resource-x-v1.0.0']],
])('%j holds no plugin', (names) => expect(cache(...names)).toEqual([]));

const installed = cache(
  'resource-aa-v1.0.0',
  'resource-aa-v1.2.0',
  'resource-aa-v1.10.0',
  'resource-aa-v2.0.0-beta.1',
  'resource-bb-v0.1.0-rc.1',
  'resource-bb-v0.1.0-rc.2',
  'resource-cc-v',
  'resource-cc-v1.0.0',
  'resource-dd-vnext',
  'language-aa-v9.0.0',
);

test.each([
  ['the newest stable', 'aa', undefined, false, 'resource-aa-v1.10.0'],
  ['the newest pre-release when there is nothing else', 'bb', undefined, false, 'resource-bb-v0.1.0-rc.2'],
  ['exactly the requested one', 'aa', '1.2.0', false, 'resource-aa-v1.2.0'],
  ['a requested pre-release', 'aa', '2.0.0-beta.1', false, 'resource-aa-v2.0.0-beta.1'],
  ['no other version than the requested one', 'aa', '1.3.0', false, undefined],
  ['one without a version as the last resort', 'dd', '1.0.0', false, 'resource-dd-vnext'],
  ['one without a version not before one with', 'cc', undefined, false, 'resource-cc-v1.0.0'],
  ['the newest that is not older, by the legacy rule', 'aa', '1.1.0', true, 'resource-aa-v2.0.0-beta.1'],
  ['nothing older, by the legacy rule', 'aa', '3.0.0', true, undefined],
  ['no plugin of another kind or name', 'zz', undefined, false, undefined],
])('selects %s', (_, name, requested, legacy, expected) => {
  const wanted = { kind: 'resource', name, version: requested };
  expect(selectPlugin(installed, wanted, legacy)?.directory).toBe(expected && `/c/${expected}`);
});
