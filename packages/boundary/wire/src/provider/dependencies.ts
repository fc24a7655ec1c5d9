import { decodeMap, encodeMap } from '@cairn/protobuf';

/** Dependencies by property as the wire has them. */
export type WireDependencies = Map<string, { urns: string[] }>;

/** Dependencies by property for the wire. */
export function encodeDependencies(
  source: Readonly<Record<string, readonly string[]>> = {},
): WireDependencies {
  return encodeMap(source, (urns) => ({ urns: [...urns] }));
}

/** Dependencies by property from the wire. */
export function decodeDependencies<U extends string>(
  wire: WireDependencies,
): Readonly<Record<string, readonly U[]>> {
  return decodeMap(wire, ({ urns }) => urns as U[]);
}
