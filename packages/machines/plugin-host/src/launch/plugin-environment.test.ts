import type { PluginSpec } from '@cairn/wire';
import type { PluginHostOptions } from '../options.js';
import { pluginEnvironment } from './plugin-environment.js';

/** Own secrets of Cairn that a plugin gets [PLUG-6]. */

const OWN = {
  CAIRN_CONFIG_PASSPHRASE: 'a',
  PULUMI_CONFIG_PASSPHRASE: 'b',
  CAIRN_CONFIG_PASSPHRASE_FILE: 'c',
  PULUMI_CONFIG_PASSPHRASE_FILE: 'd',
  CAIRN_ACCESS_TOKEN: 'e',
  PULUMI_ACCESS_TOKEN: 'f',
};
const options = {
  environment: { ...OWN, AWS_SECRET_ACCESS_KEY: 'x', MY_ACCESS_TOKEN: 'y' },
  runtimeOptions: {},
  project: 'shop',
  config: {},
} as unknown as PluginHostOptions;

test.each<readonly [name: string, mappings: Record<string, string>, got: Record<string, string>]>([
  ['aws', {}, {}],
  ['pulumiservice', {}, { PULUMI_ACCESS_TOKEN: 'f' }],
  ['constructor', {}, {}],
  ['aws', { CAIRN_CONFIG_PASSPHRASE: 'PULUMI_CONFIG_PASSPHRASE' }, { PULUMI_CONFIG_PASSPHRASE: 'a' }],
])('%s with %j gets %j', (name, envVarMappings, got) => {
  const spec = { package: name, envVarMappings } as unknown as PluginSpec;
  expect(pluginEnvironment(options, spec)).toEqual({
    ...{ AWS_SECRET_ACCESS_KEY: 'x', MY_ACCESS_TOKEN: 'y', PULUMI_PROJECT: 'shop', PULUMI_CONFIG: '{}' },
    ...got,
  });
});
