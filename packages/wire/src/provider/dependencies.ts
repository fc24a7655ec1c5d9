/** Dependencies by property as the wire has them. */
export interface WireDependencies {
  [property: string]: { urns: string[] };
}

/** Dependencies by property for the wire. */
export function encodeDependencies(
  source: Readonly<Record<string, readonly string[]>> = {},
): WireDependencies {
  const wire = Object.create(null) as WireDependencies;
  for (const property of Object.keys(source)) wire[property] = { urns: [...(source[property] ?? [])] };
  return wire;
}

/** Dependencies by property from the wire; no prototype, so that any property name is data. */
export function decodeDependencies<U extends string>(
  wire: WireDependencies,
): Readonly<Record<string, readonly U[]>> {
  const result = Object.create(null) as Record<string, readonly U[]>;
  for (const property of Object.keys(wire)) result[property] = (wire[property]?.urns ?? []) as U[];
  return result;
}
