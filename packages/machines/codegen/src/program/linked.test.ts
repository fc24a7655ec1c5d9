import { makeProviderReference, makeUrn, rootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { propertyMap, secret } from '@cairn/values';
import { programCode } from './program-code.js';
import type { ProgramRequest } from './program-code.js';

const HOME = { stack: 'dev', project: 'shop' };
const urnOf = (name: string, type = 'pkg:index:Thing'): Urn => makeUrn({ ...HOME, type, name });

const entry = (name: string, more: Partial<ResourceEntry> = {}): ResourceEntry => {
  const { type = 'pkg:index:Thing' } = more;
  const urn = urnOf(name, type);
  return resourceEntry({
    custom: true,
    id: `id of ${name}`,
    parent: rootStackUrn('shop', 'dev'),
    ...more,
    type,
    urn,
  });
};

const code = (resources: readonly ResourceEntry[], more: Partial<ProgramRequest> = {}): string =>
  programCode({
    ...{ sdk: 'cairn', resources, names: new Map(), classes: new Map(), versions: new Map(), linked: true },
    ...more,
  });

const made = entry('made', {
  inputs: propertyMap({ size: 'large one' }),
  outputs: propertyMap({
    size: 'large one',
    token: secret('t-12345'),
    name: 'made-5f',
    same: 'made-5f',
    short: 'abc',
  }),
});

describe('programs whose resources are linked', () => {
  test('refer to what is depended on, after it, where a text is one of its outputs', () => {
    const user = entry('user', {
      dependencies: [made.urn],
      inputs: propertyMap({
        of: 'made-5f',
        all: ['id of made', secret('t-12345')],
        size: 'large one',
        short: 'abc',
      }),
    });
    expect(code([user, made])).toContain(
      "const made = new CustomResource('pkg:index:Thing', 'made', { size: 'large one' });\n\n// Taken over: id of user\n" +
        "const user = new CustomResource('pkg:index:Thing', 'user', {\n" +
        "  of: made.outputOf('name'),\n  all: [made.id, secret(made.outputOf('token'))],\n  size: 'large one',\n  short: 'abc',\n});",
    );
  });

  test('depend on the rest by option', () => {
    const other = entry('other', { outputs: propertyMap({ name: 'other-1' }) });
    const user = entry('user', {
      dependencies: [made.urn, other.urn, urnOf('gone')],
      inputs: propertyMap({ of: 'made-5f' }),
    });
    expect(code([user, made, other])).toContain("{ of: made.outputOf('name') }, { dependsOn: [other] });");
  });

  test('refer to nothing that two resources have in common, and to nothing that they do not depend on', () => {
    const twin = entry('twin', { outputs: made.outputs });
    const both = entry('both', {
      dependencies: [made.urn, twin.urn],
      inputs: propertyMap({ of: 'made-5f' }),
    });
    const none = entry('none', { inputs: propertyMap({ of: 'made-5f' }) });
    const source = code([made, twin, both, none]);
    expect(source).toContain("'both', { of: 'made-5f' }, { dependsOn: [made, twin] });");
    expect(source).toContain("'none', { of: 'made-5f' });");
  });

  test('use the members of classes, the provider of its package too', () => {
    const provider = entry('north', {
      type: 'pulumi:providers:pkg',
      inputs: propertyMap({ version: '1.2.3' }),
    });
    const user = entry('user', {
      dependencies: [made.urn],
      inputs: propertyMap({ of: 'made-5f' }),
      provider: makeProviderReference(provider.urn, 'p'),
    });
    const classes = new Map([
      ['pkg:index:Thing', { module: '@x/pkg', path: ['Thing'] }],
      ['pulumi:providers:pkg', { module: '@x/pkg', path: ['Provider'] }],
    ]);
    const source = code([made, user, provider], { classes });
    expect(source).toMatch(/^import \* as pkg from '@x\/pkg';\n/);
    expect(source).toContain("const north = new pkg.Provider('north', {});");
    expect(source).toContain("new pkg.Thing('user', { of: made.name }, { provider: north });");
  });

  test('say where their resources come from, and have the outputs of the stack', () => {
    const outputs = propertyMap({ name: 'made-5f', 'a-b': [1], token: secret('t-12345') });
    const source = code([made], { outputs, origins: new Map([[made.urn, 'thing.made']]) });
    expect(source).toContain("import { CustomResource, secret } from '@cairn/sdk';\n");
    expect(source).toContain('// Taken over: thing.made\n');
    expect(source).toContain(
      "export const name = made.outputOf('name');\n" +
        "const aB = [1];\nexport { aB as 'a-b' };\n" +
        "export const token = secret(made.outputOf('token'));\n",
    );
  });
});

describe('programs whose secrets are settings', () => {
  const given = new Map<string, string>();
  const settings = (wish: string, text: string): string => {
    given.set(wish, text);
    return wish;
  };
  const secretive = entry('the-box', {
    dependencies: [made.urn],
    inputs: propertyMap({
      pin: secret('1234-pin'),
      count: secret(7),
      open: secret(true),
      none: secret(null),
      rules: secret({ a: [1, 'x'] }),
      keys: [{ value: secret('k-1') }, { value: secret('k-2') }],
      token: secret('t-12345'),
    }),
  });

  beforeEach(() => given.clear());

  test('have none of them in the clear, and ask for each by its place', () => {
    const source = code([secretive, made], { settings, outputs: propertyMap({ pin: secret('1234-pin') }) });
    expect(source).toContain(
      "import { Config, CustomResource, secret } from '@cairn/sdk';\n\nconst config = new Config();\n",
    );
    expect(source).toContain("pin: config.requireSecret('theBoxPin'),");
    expect(source).toContain("count: config.requireSecretNumber('theBoxCount'),");
    expect(source).toContain("open: config.requireSecretBoolean('theBoxOpen'),");
    expect(source).toContain('none: secret(null),');
    expect(source).toContain("rules: config.requireSecretObject<any>('theBoxRules'),");
    expect(source).toContain("export const pin = config.requireSecret('theBoxPin');");
    expect(Object.fromEntries(given)).toEqual({
      theBoxPin: '1234-pin',
      theBoxCount: '7',
      theBoxOpen: 'true',
      theBoxRules: '{"a":[1,"x"]}',
      theBoxKeys0Value: 'k-1',
      theBoxKeys1Value: 'k-2',
    });
    expect(source).not.toMatch(/1234-pin|k-1|t-12345/);
  });

  test('refer to outputs inside of a secret, and ask for the rest of it', () => {
    const whole = entry('whole', {
      outputs: propertyMap({ login: secret({ user: 'someone', pass: 'p-5555' }) }),
    });
    const outputs = propertyMap({
      access: secret({
        url: 'of nothing',
        password: 't-12345',
        more: [{ name: 'made-5f', port: 5432, none: null }],
      }),
      login: secret({ pass: 'p-5555', user: 'someone' }),
      other: secret({ user: 'a-user' }),
    });
    const source = code([made, whole], { settings, outputs });
    expect(source).toContain(`export const access = secret({
  url: config.requireSecret('accessUrl'),
  password: made.outputOf('token'),
  more: [
    {
      name: made.outputOf('name'),
      port: config.requireSecretNumber('accessMore0Port'),
      none: null,
    },
  ],
});
export const login = secret(whole.outputOf('login'));
export const other = config.requireSecretObject<any>('other');
`);
    expect(Object.fromEntries(given)).toEqual({
      ...{ accessUrl: 'of nothing', accessMore0Port: '5432', other: '{"user":"a-user"}' },
    });
  });

  test('refer to outputs where the secret is one', () => {
    expect(code([secretive, made], { settings })).toContain("token: secret(made.outputOf('token')),");
    expect(code([made], { settings })).not.toContain('config');
  });
});
