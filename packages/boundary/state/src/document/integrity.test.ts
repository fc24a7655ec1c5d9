import { checkIntegrity } from './integrity.js';
import type { IntegritySide } from './integrity.js';
import { emptyDeployment } from './serialized.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import type { Snippet } from './snippet.js';

const urn = (name: string, type = 'a:b:C'): string => `urn:pulumi:dev::p::${type}::${name}`;
const ROOT = urn('p-dev', 'pulumi:pulumi:Stack');
const PROVIDER = urn('default', 'pulumi:providers:a');

const root: SerializedResource = { urn: ROOT, custom: false, type: 'pulumi:pulumi:Stack' };
const provider: SerializedResource = { urn: PROVIDER, custom: true, id: '1', type: 'pulumi:providers:a' };
const thing = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  urn: urn(name),
  custom: true,
  id: `id-${name}`,
  type: 'a:b:C',
  parent: ROOT,
  provider: `${PROVIDER}::1`,
  ...more,
});

interface Row {
  readonly title: string;
  readonly resources: readonly SerializedResource[];
  /** Part of the message; `undefined` if there is no failure. */
  readonly read: string | undefined;
  /** Part of the message on the write side; only given when it differs from `read`. */
  readonly write?: string | undefined;
}

const rows: readonly Row[] = [
  {
    title: 'a good state',
    resources: [root, provider, thing('a'), thing('b', { dependencies: [urn('a')] })],
    read: undefined,
  },
  {
    title: '2 no urn',
    resources: [root, thing('a', { urn: '' })],
    read: 'resource at index 1 lacks the required "urn"',
  },
  {
    title: '3 no type',
    resources: [thing('a', { type: '', parent: '' })],
    read: 'lacks the required "type"',
  },
  {
    title: '4 component with an id',
    resources: [thing('a', { custom: false, parent: '' })],
    read: 'is not custom but has the id "id-a"',
  },
  {
    title: '5 provider without a URN',
    resources: [{ ...provider, urn: 'x' }],
    read: 'provider x cannot be referred to',
  },
  {
    title: '5 provider whose URN has another type',
    resources: [{ ...provider, urn: urn('a') }],
    read: 'cannot be referred to',
  },
  {
    title: '6 provider reference without ::',
    resources: [root, thing('a', { provider: 'x' })],
    read: 'provider reference of resource',
  },
  {
    title: '6 provider reference to no provider',
    resources: [root, thing('a', { provider: `${urn('a')}::1` })],
    read: 'provider reference of resource',
  },
  {
    title: '7 unknown provider',
    resources: [root, thing('a')],
    read: `refers to unknown provider ${PROVIDER}::1`,
  },
  {
    title: '7 provider with another id',
    resources: [root, { ...provider, id: '2' }, thing('a')],
    read: 'unknown provider',
  },
  {
    title: '7 provider that comes later is unknown too',
    resources: [root, thing('a'), provider],
    read: 'unknown provider',
  },
  {
    title: '7 pending replacement is exempt',
    resources: [root, thing('a', { pendingReplacement: true })],
    read: undefined,
  },
  {
    title: '7 pending delete is not exempt',
    resources: [root, thing('a', { delete: true })],
    read: 'unknown provider',
  },
  {
    title: '7 provider without an id has the unknown id',
    resources: [
      root,
      { ...provider, id: '' },
      thing('a', { provider: `${PROVIDER}::04da6b54-80e4-46f7-96ec-b56ff0331ba9` }),
    ],
    read: undefined,
  },
  {
    title: '7 old and new provider with one URN',
    resources: [
      root,
      provider,
      { ...provider, id: '2', delete: true },
      thing('a'),
      thing('b', { provider: `${PROVIDER}::2` }),
    ],
    read: undefined,
  },
  {
    title: '8 parent after child',
    resources: [provider, thing('a'), root],
    read: "'s parent urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev comes after it",
  },
  { title: '8 missing parent', resources: [provider, thing('a')], read: 'refers to missing parent' },
  {
    title: '8 own parent is missing',
    resources: [root, provider, thing('a', { parent: urn('a') })],
    read: 'refers to missing parent',
  },
  {
    title: '9 dependency after it',
    resources: [root, provider, thing('a', { dependencies: [urn('b')] }), thing('b')],
    read: 'dependency urn:pulumi:dev::p::a:b:C::b comes after it',
  },
  {
    title: '9 missing dependency',
    resources: [root, provider, thing('a', { dependencies: [urn('b')] })],
    read: 'dependency refers to missing resource "urn:pulumi:dev::p::a:b:C::b"',
  },
  {
    title: '9 self dependency is missing',
    resources: [root, provider, thing('a', { dependencies: [urn('a')] })],
    read: 'refers to missing resource',
  },
  {
    title: '9 any copy will do',
    resources: [root, provider, thing('b', { delete: true }), thing('a', { dependencies: [urn('b')] })],
    read: undefined,
  },
  {
    title: '9 empty texts are ignored on reading only',
    resources: [root, provider, thing('a', { dependencies: [''] })],
    read: undefined,
    write: 'refers to missing resource ""',
  },
  {
    title: '10 missing property dependency',
    resources: [root, provider, thing('a', { propertyDependencies: { k: [urn('b')], l: null } })],
    read: 'property dependency (of "k") refers to missing',
  },
  {
    title: '10 property dependency after it',
    resources: [root, provider, thing('a', { propertyDependencies: { k: [urn('b')] } }), thing('b')],
    read: 'comes after it',
  },
  {
    title: '11 missing deletedWith',
    resources: [root, provider, thing('a', { deletedWith: urn('b') })],
    read: 'said to be deleted with urn:pulumi:dev::p::a:b:C::b, which is missing',
  },
  {
    title: '11 deletedWith after it',
    resources: [root, provider, thing('a', { deletedWith: urn('b') }), thing('b')],
    read: 'which comes after it',
  },
  {
    title: '12 replaceWith is checked on reading only',
    resources: [root, provider, thing('a', { replaceWith: [urn('b')] })],
    read: 'said to be replaced with',
    write: undefined,
  },
  {
    title: '13 duplicate',
    resources: [root, provider, thing('a'), thing('a', { id: '2' })],
    read: 'duplicate resource urn:pulumi:dev::p::a:b:C::a',
  },
  {
    title: '13 several to be deleted beside one that stays',
    resources: [root, provider, thing('a'), thing('a', { delete: true }), thing('a', { delete: true })],
    read: undefined,
  },
  {
    title: 'viewOf and aliases are not checked',
    resources: [root, provider, thing('a', { viewOf: urn('x'), aliases: ['y'] })],
    read: undefined,
  },
  {
    title: 'the first failure in list order wins over an earlier rule further down',
    resources: [root, provider, thing('a', { deletedWith: urn('x') }), thing('b', { type: '' })],
    read: 'deleted with',
  },
];

const deploymentOf = (resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  resources,
});

describe.each<IntegritySide>(['read', 'write'])('%s side', (side) => {
  test.each(rows)('$title', (row) => {
    const expected = side === 'write' && 'write' in row ? row.write : row.read;
    const { failure } = checkIntegrity(deploymentOf(row.resources), side);
    if (expected === undefined) expect(failure).toBeUndefined();
    else
      expect(failure).toMatchObject({
        code: 'CAIRN-STATE-INTEGRITY',
        severity: 'error',
        summary: expect.stringContaining(expected),
        hint: expect.stringMatching(/./),
      });
  });
});

test('the failure names the resource', () => {
  const { failure } = checkIntegrity(
    deploymentOf([root, provider, thing('a', { dependencies: [urn('b')] })]),
    'read',
  );
  expect(failure).toMatchObject({ urn: urn('a'), causes: ['integrity rule 9'] });
});

test.each([
  ['v1', '', 'magic'],
  ['', 'x', 'magic'],
  ['', '', undefined],
  ['v3.0.0', '7b869d3b91a5a44252a7ad88e94dc424bf208a19f711cc73676ae04ca1494233', undefined],
])('1 version %j with magic %j', (version, magic, text) => {
  const { failure } = checkIntegrity({ ...emptyDeployment, manifest: { time: 't', version, magic } }, 'read');
  if (text === undefined) expect(failure).toBeUndefined();
  else expect(failure?.summary).toContain(text);
});

test.each([
  [['a', 'b'], undefined],
  [['a', ''], 'snippet at index 1 lacks the required "uuid"'],
  [['a', 'b', 'a'], 'indexes 0 and 2'],
])('14 snippets %j', (uuids, text) => {
  const snippets = uuids.map((uuid): Snippet => ({ uuid, name: '', type: '', code: '', descriptor: {} }));
  const { failure } = checkIntegrity({ ...emptyDeployment, snippets }, 'write');
  if (text === undefined) expect(failure).toBeUndefined();
  else expect(failure?.summary).toContain(text);
});

test('8b a type chain that does not follow from the parent is a warning only', () => {
  const parent = {
    ...thing('p', { type: 'x:y:Z', urn: urn('p', 'x:y:Z'), custom: false, id: '', provider: '' }),
  };
  const good = thing('g', { urn: urn('g', 'x:y:Z$a:b:C'), parent: parent.urn });
  const odd = thing('o', { parent: parent.urn });
  const { failure, warnings } = checkIntegrity(deploymentOf([root, provider, parent, good, odd]), 'read');
  expect(failure).toBeUndefined();
  expect(warnings).toMatchObject([
    { severity: 'warning', urn: odd.urn, summary: expect.stringContaining('x:y:Z$a:b:C') },
  ]);
});
