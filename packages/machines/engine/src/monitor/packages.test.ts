import { KnownPackages } from './packages.js';

const selector = (version = '', pluginDownloadUrl = '', packageRef = '') => ({
  version,
  pluginDownloadUrl,
  pluginChecksums: {},
  packageRef,
});

function known() {
  let last = 0;
  const required = [
    { name: 'aws', version: '1.2.0', server: '' },
    { name: 'aws', version: '1.10.0', server: 'https://a' },
    { name: 'aws', version: '1.9.9', server: '' },
    {
      name: 'base',
      version: '2.0.0',
      server: '',
      parameterization: { name: 'made', version: '3.0.0', value: Uint8Array.of(7) },
    },
  ];
  return new KnownPackages(required, () => `ref-${(last += 1)}`);
}

test('what the program needs fills what was not said; its newest version counts', () => {
  expect(known().select('aws', selector())).toMatchObject({ version: '1.10.0', downloadUrl: 'https://a' });
  expect(known().select('aws', selector('1.0.0'))).toMatchObject({
    version: '1.0.0',
    downloadUrl: 'https://a',
  });
  expect(known().select('gcp', selector())).toMatchObject({ package: 'gcp', version: '', downloadUrl: '' });
});

test('a parameterized package is known by its own name', () => {
  expect(known().select('made', selector())).toMatchObject({
    version: '3.0.0',
    parameterization: { pluginName: 'base', pluginVersion: '2.0.0' },
  });
  expect(known().select('base', selector())).toMatchObject({ version: '', parameterization: undefined });
});

test('of an explicit provider only what is said', () => {
  expect(known().said('aws', selector('', 'https://x'))).toMatchObject({
    version: '',
    downloadUrl: 'https://x',
  });
});

test('the same package has the same reference, another one another', () => {
  const packages = known();
  const request = {
    name: 'base',
    version: '1.0.0',
    downloadUrl: '',
    checksums: { 'linux-x64': Uint8Array.of(1), 'darwin-arm64': Uint8Array.of(2) },
    parameterization: { name: 'p', version: '0.1.0', value: Uint8Array.of(1, 2) },
  };
  const first = packages.register(request);
  const reordered = { 'darwin-arm64': Uint8Array.of(2), 'linux-x64': Uint8Array.of(1) };
  expect(packages.register({ ...request, checksums: reordered })).toBe(first);
  expect(packages.register({ ...request, version: '1.0.1' })).not.toBe(first);
  expect(packages.select('p', selector('9.9.9', '', first))).toMatchObject({
    package: 'p',
    version: '0.1.0',
    checksums: { 'linux-x64': '01', 'darwin-arm64': '02' },
  });
});

test.each<[string, () => unknown, RegExp]>([
  [
    'an unknown reference',
    () => known().select('aws', selector('', '', 'nope')),
    /unknown provider package 'nope'/,
  ],
  [
    'a version with a leading v',
    () => known().select('aws', selector('v1.0.0')),
    /version "v1.0.0" of aws is not a semantic version/,
  ],
  ['a version that is a range', () => known().said('aws', selector('>=1')), /not a semantic version/],
  [
    'a registered package with a bad version',
    () =>
      known().register({
        name: 'x',
        version: '1',
        downloadUrl: '',
        checksums: {},
        parameterization: undefined,
      }),
    /not a semantic version/,
  ],
])('%s is refused', (_title, act, expected) => {
  expect(act).toThrow(expected);
});
