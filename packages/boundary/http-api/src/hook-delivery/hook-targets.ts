import { BlockList, isIP } from 'node:net';

/** Networks that are not part of the public internet: own, private, shared, link-local, multicast and reserved ones. */
const NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const closed = new BlockList();
for (const [network, bits] of NOT_PUBLIC) closed.addSubnet(network, bits, versionOf(network));

/**
 * Returns true for an address that webhooks may be sent to: a public one, or one that the operator allows. Forms of
 * IPv6 that carry an address of IPv4 are judged by it, or closed.
 */
export function isHookTarget(address: string, isAllowed: (address: string) => boolean): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  return isAllowed(address) || !closed.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function versionOf(network: string): 'ipv4' | 'ipv6' {
  return network.includes(':') ? 'ipv6' : 'ipv4';
}
