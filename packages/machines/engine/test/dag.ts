import { makeProviderReference, providerType, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { urnOf } from '@cairn/testkit';
import type { BareProgram, BareProgramFunction, Inputs } from '@cairn/testkit';

/** One entry of the scenarios' DAG: its provider, and the dependencies of its properties. */
interface Node {
  readonly provider?: string;
  readonly byProperty?: Readonly<Record<string, readonly string[]>>;
}

/** A, C and D are providers of pkgA, as in the scenarios. */
const NODES: Readonly<Record<string, Node>> = {
  A: {},
  B: { provider: 'A' },
  C: { byProperty: { A: ['A'] } },
  D: { byProperty: { B: ['A'] } },
  E: { provider: 'C' },
  F: { byProperty: { A: ['C'] } },
  G: { byProperty: { B: ['C'] } },
  H: { provider: 'D' },
  I: { byProperty: { A: ['D'] } },
  J: { byProperty: { B: ['D'] } },
  K: { byProperty: { A: ['F', 'G'] } },
  L: { byProperty: { B: ['F', 'G'] } },
};

export const DAG_NAMES: readonly string[] = Object.keys(NODES);

const isProvider = (name: string) => 'ACD'.includes(name);

/** Returns the URN of one of the twelve. */
export function dagUrn(name: string): Urn {
  return urnOf(name, isProvider(name) ? providerType('pkgA') : 'pkgA:m:typA');
}

/** Returns the old state: twelve entries in alphabetical order. Resources without a provider of their own use A. */
export function dagState(): Snapshot {
  return { resources: DAG_NAMES.map(entryOf), pendingOperations: [], secretsProvider: undefined };
}

function entryOf(name: string): ResourceEntry {
  const { byProperty = {}, provider = 'A' } = NODES[name] ?? {};
  const dependencies = Object.values(byProperty).flat();
  const type = isProvider(name) ? providerType('pkgA') : 'pkgA:m:typA';
  return resourceEntry({
    urn: dagUrn(name),
    type,
    custom: true,
    id: `id-${name}`,
    inputs: propertyMap(Object.fromEntries(Object.keys(byProperty).map((key) => [key, 'foo']))),
    outputs: propertyMap(name === 'A' ? { A: 'foo' } : name === 'C' ? { A: 'bar' } : {}),
    provider: isProvider(name) ? undefined : makeProviderReference(dagUrn(provider), `id-${provider}`),
    dependencies: dependencies.map(dagUrn),
    propertyDependencies: Object.fromEntries(
      Object.entries(byProperty).map(([key, names]) => [key, names.map(dagUrn)]),
    ),
  });
}

/** Registers A with A=bar and all others without inputs, in alphabetical order. */
export const dagProgram: BareProgramFunction = async (p) => {
  const references = new Map<string, ProviderReference>();
  for (const name of DAG_NAMES) await registerNode(p, name, references);
};

async function registerNode(p: BareProgram, name: string, references: Map<string, ProviderReference>) {
  const { provider = 'A', byProperty = {} } = NODES[name] ?? {};
  const dependencies = Object.values(byProperty).flat().map(dagUrn);
  const links = { dependencies, propertyDependencies: propertyDependencies(byProperty) };
  const inputs: Inputs = name === 'A' ? { A: 'bar' } : {};
  if (isProvider(name)) references.set(name, await p.provider(name, inputs, links));
  else await p.register(name, inputs, { ...links, provider: references.get(provider) });
}

function propertyDependencies(byProperty: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(byProperty).map(([key, names]) => [key, names.map(dagUrn)]));
}

/** Returns every set of one to `most` of the twelve. */
export function dagSubsets(most: number): readonly (readonly string[])[] {
  let last: readonly (readonly string[])[] = DAG_NAMES.map((name) => [name]);
  const all = [...last];
  for (let size = 2; size <= most; size += 1) {
    last = last.flatMap((set) =>
      DAG_NAMES.filter((name) => name > (set.at(-1) ?? '')).map((name) => [...set, name]),
    );
    all.push(...last);
  }
  return all;
}

/** Returns the one-letter name of an entry's URN. */
export const letter = (urn: Urn): string => urnName(urn);
