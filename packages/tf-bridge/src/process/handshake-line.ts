/** What a provider says on the first line of its output: where it listens, and how it is to be spoken to. */
export interface Handshake {
  readonly protocolVersion: number;
  /** `unix:<path>` or `host:port`. */
  readonly address: string;
  /** DER of the only certificate that it shows; undefined: the connection is not encrypted. */
  readonly certificate: Uint8Array | undefined;
}

/** The handshake, or what is wrong with the line. */
export type HandshakeLine =
  | { readonly t: 'handshake'; readonly handshake: Handshake }
  | { readonly t: 'refused'; readonly why: string };

const CORE_VERSION = '1';
/** A shorter text in the place of a certificate is none. */
const SHORTEST_CERTIFICATE = 50;

/** Reads the line [TFP-2]. `offered`: versions of the protocol that the provider was told. */
export function readHandshakeLine(line: string, offered: readonly number[]): HandshakeLine {
  const fields = line.trim().split('|');
  const [core, version = '', network, address = '', protocol, certificate = ''] = fields;
  const quoted = JSON.stringify(line.trim().slice(0, 200));
  if (fields.length < 4) return refused(`it wrote ${quoted} where its address was expected`);
  if (core !== CORE_VERSION)
    return refused(`it follows version ${core} of the handshake; 1 is known: ${quoted}`);
  if (protocol !== 'grpc')
    return refused(`it speaks ${protocol ?? 'netrpc'}, which is not supported; only grpc is`);
  if (!/^\d+$/.test(version) || !offered.includes(Number(version)))
    return refused(`it speaks version ${version} of the protocol; ${offered.join(' and ')} are known`);
  if ((network !== 'unix' && network !== 'tcp') || address === '')
    return refused(`it does not say where it listens: ${quoted}`);
  return {
    t: 'handshake',
    handshake: {
      protocolVersion: Number(version),
      address: network === 'unix' ? `unix:${address}` : address,
      certificate: certificate.length > SHORTEST_CERTIFICATE ? Buffer.from(certificate, 'base64') : undefined,
    },
  };
}

function refused(why: string): HandshakeLine {
  return { t: 'refused', why };
}
