import fc from 'fast-check';
import {
  AddressError,
  asUrn,
  isUrn,
  joinUrn,
  makeProviderReference,
  makeUrn,
  parseProviderReference,
  parseStackReference,
  parseTypeToken,
  providerTypePackage,
  reparentUrn,
  rootStackUrn,
  urnParts,
} from './index.js';

describe('URNs [ADDR-1]', () => {
  const valid: [string, ReturnType<typeof urnParts>][] = [
    [
      'urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev',
      part('dev', 'proj', 'pulumi:pulumi:Stack', 'pulumi:pulumi:Stack', 'proj-dev'),
    ],
    [
      'urn:pulumi:dev::proj::my:comp:Comp$aws:s3/bucket:Bucket::bob',
      part('dev', 'proj', 'my:comp:Comp$aws:s3/bucket:Bucket', 'aws:s3/bucket:Bucket', 'bob'),
    ],
    ['urn:pulumi:s::p::type::', part('s', 'p', 'type', 'type', '')],
    [
      'urn:pulumi:s::p::t::some really ::^&\n*():: crazy name',
      part('s', 'p', 't', 't', 'some really ::^&\n*():: crazy name'),
    ],
    ['urn:pulumi:s::my project::t::a$b', part('s', 'my project', 't', 't', 'a$b')],
    ['urn:pulumi:::::::', part('', '', '', '', '')],
  ];
  test.each(valid)('%j is taken apart', (text, parts) => {
    expect(isUrn(text)).toBe(true);
    expect(urnParts(text)).toEqual(parts);
    expect(joinUrn(parts.stack, parts.project, parts.qualifiedType, parts.name)).toBe(text);
  });

  test.each([
    'urn:pulumi:stack::too-few-elements',
    '',
    'urn:other:s::p::t::n',
    's::p::t::n',
    'urn:pulumi:a::b::c',
  ])('%j is refused', (text) => {
    expect(isUrn(text)).toBe(false);
    expect(() => asUrn(text)).toThrow(AddressError);
    expect(() => urnParts(text)).toThrow(JSON.stringify(text));
  });

  test('a child carries the type chain of its parent, never its name; the root stack adds nothing', () => {
    const root = rootStackUrn('proj', 'dev');
    const component = makeUrn({
      stack: 'dev',
      project: 'proj',
      parent: root,
      type: 'my:comp:Comp',
      name: 'c',
    });
    const child = makeUrn({ stack: 'dev', project: 'proj', parent: component, type: 'a:b:C', name: 'x' });
    expect(component).toBe('urn:pulumi:dev::proj::my:comp:Comp::c');
    expect(child).toBe('urn:pulumi:dev::proj::my:comp:Comp$a:b:C::x');
    expect(reparentUrn(child, root)).toBe('urn:pulumi:dev::proj::a:b:C::x');
  });

  test('joining and taking apart agree for every name', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9_./-]{0,12}$/);
    fc.assert(
      fc.property(word, word, word, fc.string(), (stack, project, type, name) => {
        const urn = joinUrn(stack, project, type, name);
        expect(urnParts(urn)).toMatchObject({ stack, project, qualifiedType: type, name });
      }),
    );
  });
});

describe('provider references [ADDR-3]', () => {
  const provider = makeUrn({ stack: 's', project: 'p', type: 'pulumi:providers:aws', name: 'a::b' });
  test('split at the last separator', () => {
    expect(parseProviderReference(makeProviderReference(provider, 'id-1'))).toEqual({
      urn: provider,
      id: 'id-1',
    });
  });
  test.each(['', 'x', 'urn:pulumi:s::p::aws:s3:Bucket::b::id', String(provider).replace('::a::b', '')])(
    '%j is refused',
    (text) => expect(() => parseProviderReference(text)).toThrow(AddressError),
  );
});

test('type tokens have three parts', () => {
  expect(parseTypeToken('aws:s3/bucket:Bucket')).toEqual({
    package: 'aws',
    module: 's3/bucket',
    name: 'Bucket',
  });
  expect(parseTypeToken('very:bad')).toBeUndefined();
  expect(parseTypeToken('a:b:c:d')).toBeUndefined();
  expect(providerTypePackage('pulumi:providers:aws')).toBe('aws');
  expect(providerTypePackage('pulumi:providers:')).toBeUndefined();
  expect(providerTypePackage('pulumi:providers:a:b')).toBeUndefined();
  expect(providerTypePackage('aws:s3:Bucket')).toBeUndefined();
});

describe('stack references [ADDR-5]', () => {
  test.each([
    ['dev', { stack: 'dev' }],
    ['organization/dev', { organization: 'organization', stack: 'dev' }],
    ['organization/web/dev', { organization: 'organization', project: 'web', stack: 'dev' }],
  ])('%s', (text, reference) => expect(parseStackReference(text)).toEqual(reference));
  test.each(['', 'a/b/c/d', '../x', 'a b', 'a//b', '.', '..'])('%j is refused', (text) =>
    expect(() => parseStackReference(text)).toThrow(AddressError),
  );
});

function part(stack: string, project: string, qualifiedType: string, type: string, name: string) {
  return { stack, project, qualifiedType, type, name };
}
