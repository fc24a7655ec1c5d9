import { tokenEnd } from './token-ends.js';

const DAY = 86_400;
const NOW = 1_000 * DAY;

test.each([
  ['no end', {}, undefined],
  ['an end in more than a week', { expiresAt: NOW + 7 * DAY + 1 }, undefined],
  ['an end in a week', { expiresAt: NOW + 7 * DAY }, 'notice'],
  ['an end in a second', { expiresAt: NOW + 1 }, 'notice'],
  ['an end now', { expiresAt: NOW }, undefined],
  ['an end a day ago', { expiresAt: NOW - DAY }, undefined],
  ['an end more than a day ago', { expiresAt: NOW - DAY - 1 }, 'remove'],
  ['a life of a day', { createdAt: NOW - DAY + 1, expiresAt: NOW + 1 }, undefined],
  ['a life of more than a day', { createdAt: NOW - DAY, expiresAt: NOW + 1 }, 'notice'],
  ['the first half of its life', { createdAt: NOW - DAY, expiresAt: NOW + 2 * DAY }, undefined],
  ['half of its life', { createdAt: NOW - 2 * DAY, expiresAt: NOW + 2 * DAY }, 'notice'],
  ['the end of another token', { expiresAt: NOW + DAY, parent: 'a' }, undefined],
] as const)('a token with %s: %s', (_what, token, todo) => {
  expect(tokenEnd({ createdAt: 0, ...token }, NOW)).toBe(todo);
});
