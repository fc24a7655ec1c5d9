import { base64Crypter } from '@cairn/crypters';
import { recordedValue } from './read-config.js';

const { decrypt } = base64Crypter;
const sealed = (text: string) => ({ secure: base64Crypter.encrypt(text) });

test.each([
  ['a text', 'x', decrypt, { secret: false, value: 'x' }],
  ['a structure', { b: [1, true] }, decrypt, { secret: false, value: { b: [1, true] } }],
  ['a secret that stays sealed', sealed('s'), undefined, { secret: true, value: undefined }],
  ['a secret', sealed('s'), decrypt, { secret: true, value: 's' }],
  ['one inside', { b: sealed('s') }, decrypt, { secret: true, value: { b: 's' } }],
  ['one of another key', { secure: '*' }, decrypt, { secret: true, value: undefined, unreadable: true }],
  [
    'one of another key inside',
    { b: { secure: '*' } },
    decrypt,
    { secret: true, value: undefined, unreadable: true },
  ],
])('a recorded value: %s', (_, stored, open, value) => {
  expect(recordedValue(stored, open)).toEqual({ stored, ...value });
});
