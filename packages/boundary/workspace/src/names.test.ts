import { checkedProjectName, checkedStackName, checkedStackReference } from './names.js';

const lifted = { PULUMI_DISABLE_VALIDATION: 'true' };
const refused = expect.objectContaining({
  message: expect.stringMatching(/^invalid (stack|project)/) as unknown,
}) as Error;

describe('names [ADDR-4]', () => {
  test.each(['dev', 'a.b_c-1', 'x'.repeat(100)])('%s is a name', (name) => {
    expect([checkedStackName(name, {}), checkedProjectName(name)]).toEqual([name, name]);
  });

  test.each(['', 'a b', 'a/b', 'é', 'x'.repeat(101), '..', '.'])('%j is none', (name) => {
    expect(() => checkedStackName(name, {})).toThrow(refused);
    expect(() => checkedProjectName(name)).toThrow(refused);
  });

  test('validation can be lifted, not what keeps a name inside its folder', () => {
    expect(checkedStackName('a b é', lifted)).toBe('a b é');
    for (const name of ['', '..', 'a/b', 'a\\b', 'a\0'])
      expect(() => checkedStackName(name, lifted)).toThrow(refused);
  });

  test.each([
    ['dev', { stack: 'dev' }],
    ['organization/dev', { organization: 'organization', stack: 'dev' }],
    ['organization/shop/dev', { organization: 'organization', project: 'shop', stack: 'dev' }],
  ])('reference %s', (text, expected) => {
    expect(checkedStackReference(text, {})).toEqual(expected);
  });

  test.each(['a/b/c/d', 'a//b', '/a', 'a/b c', ''])('reference %j is refused', (text) => {
    expect(() => checkedStackReference(text, {})).toThrow(refused);
  });
});
