import { proposedName } from '../model/naming.js';
import { namingSettings } from './naming-settings.js';

const identity = { organization: 'org', project: 'shop', stack: 'dev' };
const secretKeys = ['shop:password'];
const settings = (value: unknown) =>
  namingSettings(
    {
      values: {
        'pulumi:autonaming': typeof value === 'string' ? value : JSON.stringify(value),
        'shop:team': 'web',
        'aws:region': 'eu',
        'shop:password': 'x',
      },
      secretKeys,
    },
    identity,
  );

const TYPE = 'aws:s3/bucket:Bucket';
const pattern = (text: string) => ({ pattern: text });
const seed = new Uint8Array(32);

test.each<[string, unknown, string | undefined]>([
  ['nothing', {}, undefined],
  ['for all', { mode: 'verbatim' }, 'db'],
  ['the default way', { mode: 'default' }, undefined],
  [
    'a pattern of the stack',
    pattern('${organization}.${project}.${stack}-${name}-${config.team}'),
    'org.shop.dev-db-web',
  ],
  ['a value of another namespace', pattern('${config.aws:region}-${name}'), 'eu-db'],
  ['text that looks like nothing', pattern('$name-}'), '$name-}'],
  ['for the provider', { mode: 'verbatim', providers: { aws: pattern('p-${name}') } }, 'p-db'],
  ['for another provider', { mode: 'verbatim', providers: { gcp: pattern('p-${name}') } }, 'db'],
  [
    'for the type',
    { providers: { aws: { mode: 'verbatim', resources: { [TYPE]: pattern('t-${name}') } } } },
    't-db',
  ],
  [
    'for another type',
    { mode: 'verbatim', providers: { aws: { resources: { 'aws:x:Y': pattern('t') } } } },
    'db',
  ],
  ['the default way for the type', { mode: 'verbatim', providers: { aws: { mode: 'default' } } }, undefined],
])('%s [REG-15]', (_title, value, expected) => {
  const naming = settings(value)(TYPE);
  expect(naming && proposedName(naming.rule, 'db', seed).proposedName).toBe(expected);
});

test('what is set for a provider or a type is specific [REG-15]', () => {
  expect(settings({ mode: 'disabled' })(TYPE)).toEqual({ rule: { t: 'disabled' }, specific: false });
  expect(settings({ providers: { aws: { mode: 'disabled' } } })(TYPE)).toEqual({
    rule: { t: 'disabled' },
    specific: true,
  });
});

test.each<[string, unknown, RegExp]>([
  ['not structured', 'verbatim', /pulumi:autonaming is not a structured value/],
  ['a list', [], /pulumi:autonaming is not a map/],
  ['an unknown mode', { mode: 'loud' }, /autonaming\.mode is not one of default, verbatim, disabled/],
  [
    'an unknown key',
    { patern: 'x' },
    /autonaming\.patern is not a setting; there are mode, pattern, enforce, providers/,
  ],
  ['mode and pattern', { mode: 'verbatim', pattern: 'x' }, /autonaming has a mode and a pattern/],
  ['enforce alone', { enforce: true }, /autonaming enforces a pattern but has none/],
  ['enforce that is no switch', { pattern: 'x', enforce: 'yes' }, /autonaming\.enforce is not true or false/],
  [
    'a pattern that is no text',
    { providers: { aws: { pattern: 3 } } },
    /autonaming\.providers\.aws\.pattern is not a string/,
  ],
  [
    'an unknown expression',
    pattern('${hax(3)}'),
    /unknown expression \$\{hax\(3\)\}; there are name, hex\(n\)/,
  ],
  ['an open expression', pattern('a${name'), /has a \$\{ without its \}/],
  ['no length', pattern('${hex(0)}'), /asks for 0 characters/],
  ['a missing value', pattern('${config.size}'), /needs the configuration value shop:size, which is not set/],
  [
    'a secret value',
    pattern('${config.password}'),
    /needs the configuration value shop:password, which is a secret/,
  ],
  ['resources in the wrong place', { resources: {} }, /autonaming\.resources is not a setting/],
])('%s is refused with its place [REG-15]', (_title, value, message) => {
  expect(() => settings(value)).toThrow(message);
});
