import { referredStack, stackHere } from './stack-reference.js';

const WORLD = { env: {} };

describe('stack references [ADDR-5]', () => {
  test.each([
    ['dev', 'shop', 'dev'],
    ['organization/dev', 'shop', 'dev'],
    ['organization/web/dev', 'web', 'dev'],
  ])('%s', (text, project, stack) => expect(referredStack(WORLD, text, 'shop')).toEqual({ project, stack }));

  test.each(['acme/dev', 'acme/shop/dev'])('%s: only one organization exists', (text) =>
    expect(() => referredStack(WORLD, text, 'shop')).toThrow('no organization "acme"'),
  );

  test.each(['../x', 'a/b/../c', 'x%2fy', 'organization/../dev', 'a b', ''])('%j is no name', (text) =>
    expect(() => referredStack(WORLD, text, 'shop')).toThrow('invalid stack'),
  );

  test('a stack of another project is refused where the files of this one are used', () => {
    expect(stackHere(WORLD, 'organization/shop/dev', 'shop')).toBe('dev');
    expect(() => stackHere(WORLD, 'organization/web/dev', 'shop')).toThrow('belongs to project "web"');
  });
});
