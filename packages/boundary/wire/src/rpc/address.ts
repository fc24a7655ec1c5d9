import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { assertTrustedListener } from './peers/trusted-listener.js';

/** Address of a server: `host:port`, or `unix:<path>` for a socket file. */
export interface Address {
  readonly authority: string;
  readonly scheme: 'http' | 'https';
  /** Connects. Throws StatusError if another user listens at a port of this machine. */
  readonly open: () => Duplex;
}

/** Certificates for mutual authentication: each end trusts exactly the certificate it was given. All in PEM. */
export interface MutualTls {
  /** The only certificate that is accepted from the server. */
  readonly serverCertificate: string;
  readonly certificate: string;
  readonly key: string;
  /** Name that the server's certificate must have. Defaults to `localhost`. */
  readonly serverName?: string | undefined;
}

/** Parses an address. Throws RangeError if it has neither form. */
export function parseAddress(text: string, tls?: MutualTls): Address {
  const plain = parsePlain(text);
  if (tls === undefined) return plain;
  const servername = tls.serverName ?? 'localhost';
  return {
    authority: servername,
    scheme: 'https',
    open: () =>
      connectTls({
        socket: plain.open(),
        ca: tls.serverCertificate,
        cert: tls.certificate,
        key: tls.key,
        servername,
        minVersion: 'TLSv1.2',
        ALPNProtocols: ['h2'],
      }),
  };
}

function parsePlain(text: string): Address {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length).replace(/^\/\/(?=\/)/, '');
    return { authority: 'localhost', scheme: 'http', open: () => connect({ path }) };
  }
  const { host, port } = splitHostPort(text);
  if (port === 0) throw notAnAddress(text);
  return {
    authority: text,
    scheme: 'http',
    open: () => {
      assertTrustedListener(host, port);
      return connect({ host, port, noDelay: true });
    },
  };
}

/** Parses `host:port`; port 0 means a free port. Throws RangeError for another form. */
export function splitHostPort(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(':');
  const port = Number(text.slice(at + 1));
  if (at < 1 || !Number.isInteger(port) || port < 0 || port > 65_535) throw notAnAddress(text);
  return { host: text.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port };
}

function notAnAddress(text: string): RangeError {
  return new RangeError(`not an address: ${JSON.stringify(text)}; expected host:port or unix:<path>`);
}
