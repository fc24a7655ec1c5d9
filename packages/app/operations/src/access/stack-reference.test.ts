import { nameBeside, referredStack, stackHere, stackOn } from './stack-reference.js';

const WORLD = { env: {} };
const BUCKET = { url: 'file:///states' };
const secretsProvider = () => ({ type: 'service', state: '{}' });
const requireChanges = async (): Promise<void> => undefined;
const addHistory = async () => false;
const sendPreview = async () => undefined;
const consoleLink = async () => '';
const none = (): Promise<never> => Promise.reject(new Error('not used here'));
const calls = {
  requireChanges,
  addHistory,
  sendPreview,
  consoleLink,
  hooks: none,
  schedules: none,
  settings: none,
};
const service = { organization: 'acme', secretsProvider, ...calls };
const SERVICE = { url: 'https://states', service };

describe('stack references [ADDR-5]', () => {
  test.each([
    ['dev', { project: 'shop', stack: 'dev' }],
    ['organization/dev', { organization: 'organization', project: 'shop', stack: 'dev' }],
    ['acme/web/dev', { organization: 'acme', project: 'web', stack: 'dev' }],
  ])('%s', (text, id) => expect(referredStack(WORLD, text, 'shop')).toEqual(id));

  test.each(['../x', 'a/b/../c', 'x%2fy', 'organization/../dev', 'a b', ''])('%j is no name', (text) =>
    expect(() => referredStack(WORLD, text, 'shop')).toThrow('invalid stack'),
  );

  test('a stack of another project is refused where the files of this one are used', () => {
    expect(stackHere(WORLD, 'organization/shop/dev', 'shop').stack).toBe('dev');
    expect(() => stackHere(WORLD, 'organization/web/dev', 'shop')).toThrow('belongs to project "web"');
  });

  test.each([
    ['dev', BUCKET, { project: 'shop', stack: 'dev' }],
    ['organization/dev', BUCKET, { project: 'shop', stack: 'dev' }],
    ['dev', SERVICE, { organization: 'acme', project: 'shop', stack: 'dev' }],
    ['other/web/dev', SERVICE, { organization: 'other', project: 'web', stack: 'dev' }],
    ['organization/dev', SERVICE, { organization: 'organization', project: 'shop', stack: 'dev' }],
  ])('%s on %j', (text, backend, id) =>
    expect(stackOn(backend, referredStack(WORLD, text, 'shop'))).toEqual(id),
  );

  test.each(['acme/dev', 'acme/shop/dev'])('%s: a store has no organizations', (text) =>
    expect(() => stackOn(BUCKET, referredStack(WORLD, text, 'shop'))).toThrow('no organization "acme"'),
  );

  test.each([
    [{ project: 'shop', stack: 'dev' }, { project: 'shop' }, 'dev'],
    [{ project: 'web', stack: 'dev' }, { project: 'shop' }, 'organization/web/dev'],
    [
      { organization: 'acme', project: 'shop', stack: 'dev' },
      { organization: 'acme', project: 'shop' },
      'dev',
    ],
    [
      { organization: 'other', project: 'shop', stack: 'dev' },
      { organization: 'acme', project: 'shop' },
      'other/shop/dev',
    ],
  ])('%j beside %j', (id, other, name) => expect(nameBeside(id, other)).toBe(name));
});
