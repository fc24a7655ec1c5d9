import { decodeMap, encodeMap } from '@cairn/protobuf';

/** Dependencies by property in the form of the wire. */
export type WireDependencies = Map<string, { urns: string[] }>;

/** Encodes dependencies by property. */
export function encodeDependencies(
  source: Readonly<Record<string, readonly string[]>> = {},
): WireDependencies {
  return encodeMap(source, (urns) => ({ urns: [...urns] }));
}

/** Decodes dependencies by property. */
export function decodeDependencies<U extends string>(
  wire: WireDependencies,
): Readonly<Record<string, readonly U[]>> {
  return decodeMap(wire, ({ urns }) => urns as U[]);
}
