import { BlockList, isIP } from 'node:net';

/** Returns true for addresses in some networks. */
type InNetworks = (address: string) => boolean;

/** Returns the test for networks such as `10.0.0.0/8` or `::1`. Throws what `refusal` makes of another text. */
export function networksOf(texts: readonly string[], refusal: (text: string) => Error): InNetworks {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || !(prefix <= most) || text.split('/').length > 2) throw refusal(text);
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  if (texts.length === 0) return () => false;
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}
