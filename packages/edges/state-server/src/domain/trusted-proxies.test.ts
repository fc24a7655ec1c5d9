import { clientAddress, trustedProxies } from './trusted-proxies.js';

const proxies = trustedProxies(['10.0.0.0/8', '::1', '192.168.7.4']);

test.each([
  ['a stranger says what it likes', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['a trusted proxy names the client', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
  [
    'only the newest entry that is no trusted proxy counts',
    '10.1.2.3',
    '6.6.6.6, 198.51.100.7, 192.168.7.4',
    '198.51.100.7',
  ],
  ['a proxy without the header is the client', '::1', undefined, '::1'],
  ['an entry that is no address is ignored', '::1', 'evil"\n', '::1'],
  [
    'an IPv4 address in the form of IPv6 is the same',
    '::ffff:10.9.9.9',
    '::ffff:198.51.100.7',
    '198.51.100.7',
  ],
  ['no connection is no source', undefined, '1.2.3.4', undefined],
] as const)('%s', (_case, connection, forwarded, source) => {
  expect(clientAddress(connection, forwarded, proxies)).toBe(source);
});

test.each(['', 'proxy', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/x'])(
  'the network %j is refused',
  (network) => {
    expect(() => trustedProxies([network])).toThrow(`cannot trust proxies in ${JSON.stringify(network)}`);
  },
);
