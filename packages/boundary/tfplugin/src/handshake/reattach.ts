/** Provider that is running already, as described in the variable `TF_REATTACH_PROVIDERS`. */
export interface AttachedProvider {
  readonly protocolVersion: number;
  readonly network: 'unix' | 'tcp';
  readonly address: string;
  readonly pid: number;
  /** True if the process that started it also ends it. Otherwise it is asked to end with the connection. */
  readonly test: boolean;
}

/** Providers by their source addresses in the variable, or the fault in it. */
type ReattachReading =
  | { readonly t: 'attached'; readonly providers: ReadonlyMap<string, AttachedProvider> }
  | { readonly t: 'refused'; readonly why: string };

/** Version of the protocol if none is given. */
const UNSAID_VERSION = 5;

/** Parses the value of `TF_REATTACH_PROVIDERS` [TFP-6]. */
export function readReattach(text: string, versions: readonly number[]): ReattachReading {
  const parsed = parse(text);
  if (!isRecord(parsed)) return { t: 'refused', why: 'it is not a JSON object' };
  const providers = new Map<string, AttachedProvider>();
  for (const [source, entry] of Object.entries(parsed)) {
    const read = isRecord(entry) ? readEntry(entry, versions) : 'it is not a JSON object';
    if (typeof read === 'string') return { t: 'refused', why: `${source}: ${read}` };
    providers.set(source, read);
  }
  return { t: 'attached', providers };
}

function readEntry(entry: Record<string, unknown>, versions: readonly number[]): AttachedProvider | string {
  const { Protocol: protocol, ProtocolVersion: version, Pid: pid, Test: test, Addr: addr } = entry;
  if (protocol !== 'grpc') return `it speaks ${String(protocol)}, which is not supported; only grpc is`;
  const protocolVersion = version === undefined || version === 0 ? UNSAID_VERSION : version;
  if (typeof protocolVersion !== 'number' || !versions.includes(protocolVersion))
    return `it speaks version ${String(version)} of the protocol; ${versions.join(' and ')} are supported`;
  const { Network: network, String: address } = isRecord(addr) ? addr : {};
  if (network !== 'unix' && network !== 'tcp')
    return `it listens on a network ${JSON.stringify(network)}; unix and tcp are supported`;
  if (typeof address !== 'string' || address === '') return 'it has no address';
  return {
    ...{ protocolVersion, network, address },
    ...{ pid: typeof pid === 'number' ? pid : 0, test: test === true },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value of `TF_REATTACH_PROVIDERS` by which a host finds a running provider. */
export function printReattach(source: string, provider: AttachedProvider): string {
  const { protocolVersion, network, address, pid, test } = provider;
  return JSON.stringify({
    [source]: {
      ...{ Protocol: 'grpc', ProtocolVersion: protocolVersion, Pid: pid, Test: test },
      Addr: { Network: network, String: address },
    },
  });
}
