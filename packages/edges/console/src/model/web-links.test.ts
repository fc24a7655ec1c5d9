import { webLink, webLinks } from './web-links.js';

test.each([
  ['https://example.com/a?b=c#d', 'example.com'],
  ['HTTPS://Example.com:8443', 'example.com:8443'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['https://b\u00fccher.example/', 'xn--bcher-kva.example'],
  ['http://example.com', undefined],
  ['javascript:alert(1)//https://example.com', undefined],
  ['data:text/html,https://example.com', undefined],
  ['https://example.com@evil.example', undefined],
  ['https://:secret@example.com', undefined],
  ['see https://example.com', undefined],
  ['https://', undefined],
  [`https://example.com/${'x'.repeat(2000)}`, undefined],
])('the text %j has the host of a link %s', (text, host) => {
  expect(webLink(text)?.host).toBe(host);
});

test.each([
  [
    'see (https://example.com/a), or https://other.example.',
    ['https://example.com/a', 'https://other.example/'],
  ],
  ['\u001b]8;;https://example.com/x\u0007here\u001b]8;;\u0007', ['https://example.com/x']],
  ['\u001b]8;;javascript:alert(1)\u0007here\u001b]8;;\u0007', []],
  ['https://a.example https://a.example', ['https://a.example/']],
  ['nothing', []],
])('the message %j has the links %j', (text, expected) => {
  expect(webLinks(text).map(({ href }) => href)).toEqual(expected);
});

test('of many links, the first five are shown', () => {
  const text = Array.from({ length: 9 }, (_, index) => `https://host${index}.example/`).join(' ');
  expect(webLinks(text).map(({ host }) => host)).toEqual(
    [0, 1, 2, 3, 4].map((index) => `host${index}.example`),
  );
});
