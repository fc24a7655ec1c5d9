import { parseServiceUrl } from './listen-address.js';

test.each([
  ['https://state.example.com', 'https://state.example.com'],
  [' https://STATE.example.com:8443/cairn// ', 'https://state.example.com:8443/cairn'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
])('the address %j is %j', (text, address) => {
  expect(parseServiceUrl(text)).toBe(address);
});

test.each([
  '',
  'state.example.com',
  'ftp://a',
  'https://ann:psst@a',
  'https://a/?b',
  'https://a/?b=c',
  'https://a/#b',
])('the address %j is refused, and not shown', (text) => {
  expect(() => parseServiceUrl(text)).toThrow('cannot use the address of --url: it is no plain');
});
