import { readSettings } from './settings.js';

test.each([
  [
    'nothing',
    {},
    { ignoreAmbient: false, outOfProcess: false, legacySearch: false, refreshBeforeUpdate: true },
  ],
  [
    'flags',
    { PULUMI_IGNORE_AMBIENT_PLUGINS: 'true', CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' },
    { ignoreAmbient: true, outOfProcess: true },
  ],
  [
    'flags that are off',
    { PULUMI_IGNORE_AMBIENT_PLUGINS: 'false', CAIRN_PROVIDERS_OUT_OF_PROCESS: '0' },
    { ignoreAmbient: false, outOfProcess: false },
  ],
  [
    'ours wins',
    { PULUMI_DISABLE_REFRESH_BEFORE_UPDATE: 'true', CAIRN_DISABLE_REFRESH_BEFORE_UPDATE: '0' },
    { refreshBeforeUpdate: true },
  ],
  [
    'homes',
    { CAIRN_HOME: '/c', PULUMI_HOME: '/p' },
    { cacheDirectories: ['/c/plugins', '/p/plugins'], installDirectory: '/p/plugins' },
  ],
  ['our home alone', { CAIRN_HOME: '/c' }, { installDirectory: '/c/plugins' }],
  ['the home of the other tool alone', { PULUMI_HOME: '/p' }, { installDirectory: '/p/plugins' }],
  [
    'attachments',
    { PULUMI_DEBUG_PROVIDERS: 'a:1, b-c:65535,' },
    {
      attach: new Map([
        ['a', 1],
        ['b-c', 65_535],
      ]),
    },
  ],
])('%s', (_, environment, expected) => expect(readSettings(environment)).toMatchObject(expected));

test.each(['a', 'a:', ':1', 'a:0', 'a:65536', 'a:b', 'a:1:2x'])('%j is no running provider', (list) => {
  expect(() => readSettings({ CAIRN_DEBUG_PROVIDERS: list })).toThrow(`cannot read "${list}"`);
});
