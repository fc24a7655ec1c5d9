/** First line of a provider's output: its address, and how to communicate with it. */
export interface Handshake {
  readonly protocolVersion: number;
  readonly network: 'unix' | 'tcp';
  /** Path of the socket, or `host:port`. */
  readonly address: string;
  /** DER of the only certificate that the provider presents. Undefined if the connection is not encrypted. */
  readonly certificate: Uint8Array | undefined;
}

/** Handshake, or the fault of the line. */
type HandshakeLine =
  | { readonly t: 'handshake'; readonly handshake: Handshake }
  | { readonly t: 'refused'; readonly why: string };

/** Agreement of both ends before the handshake. */
interface HandshakeOffer {
  /** Versions of the protocol that were offered to the provider. */
  readonly versions: readonly number[];
  /** True if the provider received a certificate, so that it must present its own. */
  readonly encrypted: boolean;
}

const CORE_VERSION = '1';
/** A shorter text in the place of a certificate does not count as one. */
const SHORTEST_CERTIFICATE = 50;

/** Parses the handshake line of a provider [TFP-2]. */
export function readHandshakeLine(line: string, offer: HandshakeOffer): HandshakeLine {
  const fields = line.trim().split('|');
  const [core, version = '', network, address = '', protocol, certificate = ''] = fields;
  const quoted = JSON.stringify(line.trim().slice(0, 200));
  if (fields.length < 4) return refused(`it wrote ${quoted} where its address was expected`);
  if (core !== CORE_VERSION)
    return refused(`it uses version ${core} of the handshake, which is not supported; only 1 is: ${quoted}`);
  if (protocol !== 'grpc')
    return refused(`it speaks ${protocol ?? 'netrpc'}, which is not supported; only grpc is`);
  if (!/^\d+$/.test(version) || !offer.versions.includes(Number(version)))
    return refused(
      `it speaks version ${version} of the protocol; ${offer.versions.join(' and ')} are supported`,
    );
  if ((network !== 'unix' && network !== 'tcp') || address === '')
    return refused(`it did not print its address: ${quoted}`);
  const shown = certificate.length > SHORTEST_CERTIFICATE ? Buffer.from(certificate, 'base64') : undefined;
  if (offer.encrypted && shown === undefined)
    return refused(
      'it sent no certificate although it received ours: set TF_DISABLE_PLUGIN_TLS=1 to connect without encryption',
    );
  const protocolVersion = Number(version);
  return { t: 'handshake', handshake: { protocolVersion, network, address, certificate: shown } };
}

function refused(why: string): HandshakeLine {
  return { t: 'refused', why };
}

/** Returns the line, with its end, that a provider writes when it listens [TFP-2]. */
export function printHandshakeLine(handshake: Handshake): string {
  const { protocolVersion, network, address, certificate } = handshake;
  const shown =
    certificate === undefined ? '' : Buffer.from(certificate).toString('base64').replace(/=+$/, '');
  return `${[CORE_VERSION, protocolVersion, network, address, 'grpc', shown].join('|')}\n`;
}

/**
 * Returns the protocol version of a provider's answer. It is the highest that both ends know, otherwise its own lowest,
 * which the host then refuses [TFP-2]. `offered` is the host's `PLUGIN_PROTOCOL_VERSIONS`.
 */
export function answeredVersion(own: readonly number[], offered: string | undefined): number {
  const known = (offered ?? '').split(',').map(Number);
  const common = own.filter((version) => known.includes(version));
  return common.length > 0 ? Math.max(...common) : Math.min(...own);
}
