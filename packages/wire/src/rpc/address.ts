import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Where a server listens: `host:port`, or `unix:<path>` for a socket file. */
export interface Address {
  readonly authority: string;
  readonly open: () => Duplex;
}

/** Reads an address. Throws RangeError when it is neither form. */
export function parseAddress(text: string): Address {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length).replace(/^\/\/(?=\/)/, '');
    return { authority: 'localhost', open: () => connect({ path }) };
  }
  const at = text.lastIndexOf(':');
  const port = Number(text.slice(at + 1));
  if (at < 1 || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new RangeError(`not an address: ${JSON.stringify(text)}; expected host:port or unix:<path>`);
  }
  const host = text.slice(0, at).replace(/^\[(.*)\]$/, '$1');
  return { authority: text, open: () => connect({ host, port, noDelay: true }) };
}
