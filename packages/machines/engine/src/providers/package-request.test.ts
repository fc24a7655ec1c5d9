import { propertyMap, secret } from '@cairn/values';
import { defaultProviderName } from './default-names.js';
import { deniedPackages } from './denied-packages.js';
import {
  anyPackage,
  pluginSpec,
  readPackage,
  sameSpec,
  withPackageRequest,
  withoutInternal,
} from './package-request.js';
import type { PackageRequest } from './package-request.js';

describe('names of default providers [PROV-3]', () => {
  test.each<[string, string, string]>([
    ['', '', 'default'],
    ['1.2.3', '', 'default_1_2_3'],
    ['1.2.3-beta.1+build.7', '', 'default_1_2_3_beta_1_build_7'],
    ['1.2.3-rc-1.x', '', 'default_1_2_3_rc-1_x'],
    ['1.2.3', 'https://example.com/x/', 'default_1_2_3_https_/example.com/x'],
    ['', 'http://a.b:80/c?d=e//f', 'default_http_/a.b_80/c_d_e/f'],
  ])('version %j, URL %j', (version, downloadUrl, expected) => {
    expect(defaultProviderName({ ...anyPackage('p'), version, downloadUrl })).toBe(expected);
  });
});

describe('packages in the inputs of providers [PROV-6]', () => {
  const settings = propertyMap({ region: 'eu' });
  const full: PackageRequest = {
    package: 'made',
    version: '2.0.0',
    downloadUrl: 'https://x',
    checksums: { 'linux-x64': '00ff' },
    parameterization: { pluginName: 'base', pluginVersion: '1.0.0', value: Uint8Array.of(1, 2, 3) },
  };

  test('what was said comes back, beside the settings', () => {
    const stored = withPackageRequest(settings, full, { A: 'B' });
    const found = readPackage('made', stored);
    expect({ ...found.request, parameterization: undefined }).toEqual({
      ...full,
      parameterization: undefined,
    });
    expect([...(found.request.parameterization?.value ?? [])]).toEqual([1, 2, 3]);
    expect(found.envVarMappings).toEqual({ A: 'B' });
    expect(withoutInternal(stored)).toEqual(propertyMap({ region: 'eu', version: '2.0.0' }));
  });

  test('nothing said leaves nothing', () => {
    expect(withPackageRequest(settings, anyPackage('p'), {})).toBe(settings);
    expect(readPackage('p', settings).request).toEqual(anyPackage('p'));
  });

  test('LT1-183 old entries have it at the top; a setting that is called name is a setting', () => {
    const legacy = propertyMap({ version: '1.3.0', pluginDownloadURL: 'https://x', name: 'mine' });
    expect(readPackage('p', legacy).request).toEqual({
      ...anyPackage('p'),
      version: '1.3.0',
      downloadUrl: 'https://x',
    });
  });

  test('a secret version is read', () => {
    expect(readPackage('p', propertyMap({ version: secret('1.0.0') })).request.version).toBe('1.0.0');
  });

  test('the loader is asked for the base plugin of a parameterized package', () => {
    const spec = pluginSpec(full, {}, undefined);
    expect(spec).toMatchObject({
      package: 'made',
      version: '1.0.0',
      parameterization: { name: 'made', version: '2.0.0', basePlugin: 'base' },
    });
    const value = Uint8Array.of(1, 2, 4);
    expect(sameSpec(spec, pluginSpec({ ...full }, {}, undefined))).toBe(true);
    expect(
      sameSpec(
        spec,
        pluginSpec(
          { ...full, parameterization: { pluginName: 'base', pluginVersion: '1.0.0', value } },
          {},
          undefined,
        ),
      ),
    ).toBe(false);
    expect(sameSpec(spec, pluginSpec(full, { A: 'B' }, undefined))).toBe(false);
  });
});

describe('packages without default providers (LT1-175)', () => {
  const denied = (text: string) => deniedPackages({ 'pulumi:disable-default-providers': text });

  test.each<[string, string, boolean]>([
    ['["aws"]', 'aws', true],
    ['["aws"]', 'gcp', false],
    ['["*"]', 'gcp', true],
    ['["*"]', 'pulumi', false],
    ['["pulumi"]', 'pulumi', false],
    ['[]', 'aws', false],
    ['', 'aws', false],
  ])('%s: %s', (text, pkg, expected) => {
    expect(denied(text)(pkg)).toBe(expected);
  });

  test.each(['aws', '{"a": 1}', '[1]'])('%s is no list of names', (text) => {
    expect(() => denied(text)).toThrow(/not a JSON list/);
  });
});
