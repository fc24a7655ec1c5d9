import { referredStack, stackHere } from './stack-reference.js';

describe('stack references (state.md 5.8)', () => {
  test.each([
    ['dev', 'shop', 'dev'],
    ['organization/dev', 'shop', 'dev'],
    ['organization/web/dev', 'web', 'dev'],
  ])('%s', (text, project, stack) => expect(referredStack(text, 'shop')).toEqual({ project, stack }));

  test.each(['acme/dev', 'acme/shop/dev'])('%s: only one organization exists', (text) =>
    expect(() => referredStack(text, 'shop')).toThrow('no organization "acme"'),
  );

  test('a stack of another project is refused where the files of this one are used', () => {
    expect(stackHere('organization/shop/dev', 'shop')).toBe('dev');
    expect(() => stackHere('organization/web/dev', 'shop')).toThrow('one of project "web"');
  });
});
