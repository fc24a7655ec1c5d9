import { schemaFromGit } from './git-schema.js';

const origin = { name: 'github.com/Acme/kit/site', version: '1.2.0', url: 'git://github.com/Acme/kit/site' };
const known = { namespace: 'acme', pluginDownloadURL: origin.url };
const base = { name: 'kit', version: '0.1.0' };
const made = { parameter: 'x', baseProvider: base };

test.each([
  ['says little', { name: 'site' }, { name: 'site', version: '1.2.0', ...known }],
  ['has a version of its own', { version: '0.1.0' }, { version: '1.2.0', ...known }],
  ['has a namespace', { namespace: 'shop' }, { version: '1.2.0', ...known, namespace: 'shop' }],
  [
    'is made by parameters',
    { version: '3.0.0', parameterization: made },
    {
      version: '3.0.0',
      ...known,
      parameterization: { ...made, baseProvider: { ...base, version: '1.2.0' } },
    },
  ],
  [
    'is an extension',
    { version: '3.0.0', extensionParameterization: made },
    {
      ...{ version: '3.0.0', ...known },
      extensionParameterization: { ...made, baseProvider: { ...base, version: '1.2.0' } },
    },
  ],
])('a schema from git that %s', (_, schema, expected) => {
  expect(JSON.parse(schemaFromGit(JSON.stringify(schema), origin))).toEqual(expected);
});
