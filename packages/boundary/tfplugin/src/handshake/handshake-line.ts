/** What a provider says on the first line of its output: where it listens, and how it is to be spoken to. */
export interface Handshake {
  readonly protocolVersion: number;
  readonly network: 'unix' | 'tcp';
  /** The path of the socket, or `host:port`. */
  readonly address: string;
  /** DER of the only certificate that it shows; undefined: the connection is not encrypted. */
  readonly certificate: Uint8Array | undefined;
}

/** The handshake, or what is wrong with the line. */
type HandshakeLine =
  | { readonly t: 'handshake'; readonly handshake: Handshake }
  | { readonly t: 'refused'; readonly why: string };

/** What the two ends of a handshake agreed on before. */
interface HandshakeOffer {
  /** Versions of the protocol that the provider was told. */
  readonly versions: readonly number[];
  /** Whether it was given a certificate, so that it has to show its own. */
  readonly encrypted: boolean;
}

const CORE_VERSION = '1';
/** A shorter text in the place of a certificate is none. */
const SHORTEST_CERTIFICATE = 50;

/** Reads the line of a provider [TFP-2]. */
export function readHandshakeLine(line: string, offer: HandshakeOffer): HandshakeLine {
  const fields = line.trim().split('|');
  const [core, version = '', network, address = '', protocol, certificate = ''] = fields;
  const quoted = JSON.stringify(line.trim().slice(0, 200));
  if (fields.length < 4) return refused(`it wrote ${quoted} where its address was expected`);
  if (core !== CORE_VERSION)
    return refused(`it follows version ${core} of the handshake; 1 is known: ${quoted}`);
  if (protocol !== 'grpc')
    return refused(`it speaks ${protocol ?? 'netrpc'}, which is not supported; only grpc is`);
  if (!/^\d+$/.test(version) || !offer.versions.includes(Number(version)))
    return refused(`it speaks version ${version} of the protocol; ${offer.versions.join(' and ')} are known`);
  if ((network !== 'unix' && network !== 'tcp') || address === '')
    return refused(`it does not say where it listens: ${quoted}`);
  const shown = certificate.length > SHORTEST_CERTIFICATE ? Buffer.from(certificate, 'base64') : undefined;
  if (offer.encrypted && shown === undefined)
    return refused(
      'it shows no certificate although it was given ours: set TF_DISABLE_PLUGIN_TLS=1 to speak to it without encryption',
    );
  const protocolVersion = Number(version);
  return { t: 'handshake', handshake: { protocolVersion, network, address, certificate: shown } };
}

function refused(why: string): HandshakeLine {
  return { t: 'refused', why };
}

/** The line, with its end, that a provider writes when it listens [TFP-2]. */
export function printHandshakeLine(handshake: Handshake): string {
  const { protocolVersion, network, address, certificate } = handshake;
  const shown =
    certificate === undefined ? '' : Buffer.from(certificate).toString('base64').replace(/=+$/, '');
  return `${[CORE_VERSION, protocolVersion, network, address, 'grpc', shown].join('|')}\n`;
}

/**
 * The version of the protocol that a provider answers with: the highest that both ends know, else its own lowest, which
 * the host then refuses [TFP-2]. `offered` is what the host says in `PLUGIN_PROTOCOL_VERSIONS`.
 */
export function answeredVersion(own: readonly number[], offered: string | undefined): number {
  const known = (offered ?? '').split(',').map(Number);
  const common = own.filter((version) => known.includes(version));
  return common.length > 0 ? Math.max(...common) : Math.min(...own);
}
