import { asUrn, makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { AliasRequest } from '@cairn/wire';
import { goalOf } from '../../model/options.js';
import type { ResourceRecord } from '../resources.js';
import { explicitAliases, inheritedAliases } from './aliases.js';
import type { AliasedResource } from './aliases.js';

/** Candidate URNs of [ADDR-6]. */

const identity = { organization: 'o', project: 'p', stack: 's' };
const urn = (type: string, name: string, parent?: Urn) =>
  makeUrn({ stack: 's', project: 'p', parent, type, name });
const stack = urn('pulumi:pulumi:Stack', 'p-s');
const comp = urn('my:i:C', 'comp');
const self = (parent?: Urn): AliasedResource => ({
  urn: urn('a:m:T', 'res', parent),
  type: 'a:m:T',
  name: 'res',
  parent,
});

type Spec = Extract<AliasRequest, { kind: 'spec' }>;
const spec = (rest: Partial<Spec>): Spec => ({
  kind: 'spec',
  name: '',
  type: '',
  stack: '',
  project: '',
  parent: { kind: 'same' },
  ...rest,
});

const record = (of: Urn, name: string, oldUrn: Urn | undefined): ResourceRecord => ({
  ...goalOf({ urn: of, name, type: 'my:i:C', custom: false }),
  provider: undefined,
  providers: {},
  oldUrn,
  created: true,
  parent: undefined,
  leftOut: false,
  settled: undefined,
});

describe('explicit aliases', () => {
  const under = (text: string): AliasRequest => spec({ parent: { kind: 'urn', urn: text } });

  test.each<[string, AliasRequest, AliasedResource, string]>([
    [
      'a URN is taken as it is',
      { kind: 'urn', urn: 'urn:pulumi:x::y::z::n' },
      self(),
      'urn:pulumi:x::y::z::n',
    ],
    ['another name', spec({ name: 'old' }), self(comp), urn('a:m:T', 'old', comp)],
    ['another type', spec({ type: 'a:m:Old' }), self(comp), urn('a:m:Old', 'res', comp)],
    ['no parent', spec({ parent: { kind: 'none' } }), self(comp), urn('a:m:T', 'res')],
    ['the stack as parent counts as none', under(stack), self(comp), urn('a:m:T', 'res')],
    ['the current parent is the stack', spec({ name: 'old' }), self(stack), urn('a:m:T', 'old')],
    ['another parent', under(comp), self(), urn('a:m:T', 'res', comp)],
    ['stack and project', spec({ stack: 's2', project: 'p2' }), self(), 'urn:pulumi:s2::p2::a:m:T::res'],
    [
      'stack and project do not count under a parent',
      spec({ stack: 's2' }),
      self(comp),
      urn('a:m:T', 'res', comp),
    ],
    [
      'a parent whose name holds :: is cut at the last one',
      under('urn:pulumi:s::p::my:i:C::a::b'),
      self(),
      'urn:pulumi:s::p::my:i:C::a$a:m:T::res',
    ],
  ])('%s', (_title, alias, resource, expected) => {
    expect(explicitAliases([alias], resource, identity, { get: () => undefined })).toEqual([expected]);
  });

  test('LT1-150 a parent that took over an old entry stands for it', () => {
    const old = urn('my:i:C', 'oldComp');
    const resources = { get: (wanted: Urn) => (wanted === comp ? record(comp, 'comp', old) : undefined) };
    expect(explicitAliases([spec({ name: 'x' }), under(comp)], self(comp), identity, resources)).toEqual([
      urn('a:m:T', 'x', old),
      urn('a:m:T', 'res', old),
    ]);
  });
});

describe('inherited aliases', () => {
  test.each<[string, string, string, Urn, readonly Urn[], readonly Urn[]]>([
    [
      'the resource under the old parent',
      'comp',
      'res',
      urn('my:i:C', 'old'),
      [],
      [urn('a:m:T', 'res', urn('my:i:C', 'old'))],
    ],
    [
      'a name that starts with the parent name is renamed',
      'comp',
      'comp-res',
      urn('my:i:C', 'old'),
      [],
      [urn('a:m:T', 'old-res', urn('my:i:C', 'old'))],
    ],
    [
      'each explicit alias under the old parent, no product',
      'comp',
      'res',
      urn('my:i:Old', 'comp'),
      [asUrn('urn:pulumi:s::p::a:m:Was::was')],
      [urn('a:m:T', 'res', urn('my:i:Old', 'comp')), urn('a:m:Was', 'was', urn('my:i:Old', 'comp'))],
    ],
    ['the stack as old parent counts as none', 'comp', 'res', stack, [], [urn('a:m:T', 'res')]],
  ])('%s', (_title, parentName, name, oldParent, explicit, expected) => {
    const resource = { urn: urn('a:m:T', name, comp), type: 'a:m:T', name, parent: comp };
    expect(inheritedAliases(resource, record(comp, parentName, oldParent), explicit, identity)).toEqual(
      expected,
    );
  });

  test('none without a parent that was found under an alias', () => {
    expect(inheritedAliases(self(comp), record(comp, 'comp', undefined), [], identity)).toEqual([]);
    expect(inheritedAliases(self(), undefined, [], identity)).toEqual([]);
  });
});
