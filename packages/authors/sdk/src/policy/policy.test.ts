import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { AnalyzedResource } from '@cairn/wire';
import { PackAnalyzer } from './analyzer.js';
import { ofType, policyPack, resourcePolicy, setting, stackPolicy } from './index.js';
import type { Policy } from './index.js';
import { settingValues } from './settings.js';
import { policyView, withCorrections } from './view.js';

const BOX = ofType<{ readonly size: number; readonly tags: Readonly<Record<string, string>> }>('a:b:Box');

const resource = (properties: object, type = 'a:b:Box'): AnalyzedResource => ({
  urn: `urn:pulumi:dev::p::${type}::one`,
  ...{ type, name: 'one', provider: undefined, properties: propertyMap(properties as never) },
  options: {
    ...{ protect: false, ignoreChanges: [], deleteBeforeReplace: undefined, additionalSecretOutputs: [] },
    ...{ aliases: [], parent: '', customTimeouts: { create: 0, update: 0, delete: 0, read: 0 } },
  },
});
const analyzer = (...policies: Policy[]) =>
  new PackAnalyzer(policyPack({ name: 'house', policies }), '1.2.3', __dirname);

test('settings become a JSON schema, and types', async () => {
  const settings = {
    max: setting.integer({ minimum: 1, default: 3 }),
    mode: setting.choice(['a', 'b'], { default: 'a' }),
    names: setting.list(setting.text({ pattern: '^x' }), { maxItems: 2 }),
    note: setting.optional(setting.text()),
    ratio: setting.number(),
    strict: setting.flag({ default: false, description: 'no mercy' }),
  };
  const policy = resourcePolicy({
    name: 'one',
    settings,
    validate(_, { config }) {
      const [max, mode, names]: [number, 'a' | 'b', readonly string[]] = [
        config.max,
        config.mode,
        config.names,
      ];
      // @ts-expect-error it may be absent
      const note: string = config.note;
      return void [max, mode, names, note];
    },
  });
  const { policies } = await analyzer(policy).getAnalyzerInfo();
  expect(policies[0]?.configSchema).toEqual({
    properties: propertyMap({
      max: { type: 'integer', minimum: 1, default: 3 },
      mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
      names: { type: 'array', items: { type: 'string', pattern: '^x' }, maxItems: 2 },
      note: { type: 'string' },
      ratio: { type: 'number' },
      strict: { type: 'boolean', default: false, description: 'no mercy' },
    }),
    required: ['names', 'ratio'],
  });
  expect(settingValues(settings, { max: 9, names: ['x'] })).toMatchObject({
    max: 9,
    mode: 'a',
    names: ['x'],
  });
});

test('what is not known is seen when it is looked at, and only then', () => {
  const view = policyView(propertyMap({ a: secret('x'), b: { c: [1, UNKNOWN] } }));
  expect(view['a']).toBe('x');
  const list = (view['b'] as { c: unknown[] }).c;
  expect([list.length, list[0]]).toEqual([2, 1]);
  expect(() => list[1]).toThrow('b.c[1] is not known yet');
});

test('corrections set and take away, and keep what is secret', () => {
  const corrected = withCorrections(propertyMap({ a: secret('x'), b: 1, c: UNKNOWN }), {
    a: 'y',
    b: undefined,
    d: [1],
  });
  expect(corrected).toEqual(propertyMap({ a: secret('y'), c: UNKNOWN, d: [1] }));
});

describe('an analysis', () => {
  const found = async (policy: Policy, properties: object, type?: string) => {
    const { diagnostics, notApplicable } = await analyzer(policy).analyze(resource(properties, type));
    return { said: diagnostics.map((each) => `${each.enforcementLevel} ${each.message}`), notApplicable };
  };
  const big = resourcePolicy({
    name: 'big',
    of: BOX,
    validate({ props }, { report, notApplicable }) {
      if (props.size === 0) notApplicable('it is empty');
      if (props.size > 3) report(`${props.size} is too big`);
    },
  });

  test('a violation says what the policy is about, because engines show the message alone', async () => {
    const told = resourcePolicy({
      name: 'told',
      description: 'Boxes are small.',
      validate: (_, { report }) => report('it is not'),
    });
    expect(await found(told, { size: 4 })).toEqual({
      said: ['advisory Boxes are small.\nit is not'],
      notApplicable: [],
    });
  });

  test.each<[string, object, string | undefined, object]>([
    ['a violation', { size: 4 }, undefined, { said: ['advisory 4 is too big'], notApplicable: [] }],
    ['nothing', { size: 1 }, undefined, { said: [], notApplicable: [] }],
    [
      'another type',
      { size: 4 },
      'a:b:C',
      { said: [], notApplicable: [{ policyName: 'big', reason: 'it is about other types' }] },
    ],
    [
      'what is not known',
      { size: UNKNOWN },
      undefined,
      { said: [], notApplicable: [{ policyName: 'big', reason: 'size is not known yet' }] },
    ],
    [
      'what the policy itself leaves out',
      { size: 0 },
      undefined,
      { said: [], notApplicable: [{ policyName: 'big', reason: 'it is empty' }] },
    ],
  ])('of %s', async (_title, properties, type, expected) => {
    expect(await found(big, properties, type)).toEqual(expected);
  });

  test('an error names pack, policy, resource and line', async () => {
    const broken = resourcePolicy({
      name: 'broken',
      validate({ props }) {
        throw new TypeError(`no idea of ${props['login']}`);
      },
    });
    await expect(analyzer(broken).analyze(resource({ login: secret('planted') }))).rejects.toThrow(
      /^policy "broken" of house failed on urn:\S+::one: TypeError: no idea of \[secret\]\n {4}at .*policy\.test\.ts:\d+:\d+/,
    );
  });
});

test('each correction sees the one before, and levels can be set for all', async () => {
  const more = (name: string) =>
    resourcePolicy({
      name,
      of: BOX,
      enforcementLevel: 'remediate',
      remediate: ({ props }) => ({ size: props.size + 1 }),
      validate: ({ props }, { report }) => report(`still ${props.size}`),
    });
  const pack = analyzer(more('one'), more('two'));
  const { remediations } = await pack.remediate(resource({ size: 1, tags: {} }));
  expect(remediations.map(({ properties }) => properties['size'])).toEqual([2, 3]);
  expect((await pack.analyze(resource({ size: 1 }))).diagnostics[0]).toMatchObject({
    enforcementLevel: 'mandatory',
  });
  await pack.configure({ all: { enforcementLevel: 'disabled', properties: propertyMap({}) } });
  expect(await pack.remediate(resource({ size: 1 }))).toEqual({ remediations: [], notApplicable: [] });
});

test.each<[string, () => unknown, string]>([
  ['a name with spaces', () => policyPack({ name: 'a b', policies: [] }), '"a b" is not a name'],
  ['the name of all', () => analyzer(stackPolicy({ name: 'all', validate() {} })), 'cannot be called "all"'],
])('%s is refused', (_title, make, message) => {
  expect(make).toThrow(message);
});
