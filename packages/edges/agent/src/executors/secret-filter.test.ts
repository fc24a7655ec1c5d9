import { SecretFilter, secretValues } from './secret-filter.js';

const SECRET = 'hunter2-long';

test.each([
  [['password: hunter2-long!'], 'password: [secret]!'],
  [['password: hun', 'ter2', '-long', '!'], 'password: [secret]!'],
  [[...'a hunter2-long b'], 'a [secret] b'],
  [['hunter2-lo', 'ud'], 'hunter2-loud'],
  [['hunter2-hunter2-long'], 'hunter2-[secret]'],
  [['hun', 'hun', 'ter2-long'], 'hun[secret]'],
  [['ends with hunter2'], 'ends with hunter2'],
])('%j', (pieces, shown) => {
  const filter = new SecretFilter([SECRET]);
  expect(pieces.map((piece) => filter.pass(piece)).join('') + filter.end()).toBe(shown);
});

test('nothing of a secret is shown before the whole of it is known', () => {
  const filter = new SecretFilter([SECRET, 'hunter2']);
  let shown = '';
  for (const piece of `x ${SECRET} y hunter2 z`) {
    shown += filter.pass(piece);
    expect(shown).not.toContain('hun');
  }
  expect(shown + filter.end()).toBe('x [secret]-long y [secret] z');
});

test('values that look secret', () => {
  expect(
    secretValues({
      API_TOKEN: 'abcdef',
      PATH: '/usr/bin',
      DB_PASSWORD: 'short',
      AWS_SECRET_ACCESS_KEY: 'a-long-one',
    }),
  ).toEqual(['abcdef', 'a-long-one']);
});
