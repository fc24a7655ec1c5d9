import {
  ROOT_STACK_TYPE,
  isProviderType,
  makeProviderReference,
  makeUrn,
  providerType,
  rootStackUrn,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import { defaultProviderInputs, defaultProviderName } from '@cairn/engine';
import type { OperationConfig, OperationIdentity, PackageRequest } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { withoutProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/** An object of another tool as it becomes a resource, apart from the stack that it comes to. */
export interface AdoptedObject {
  /** As the other tool names it. */
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** It is to be replaced. */
  readonly tainted: boolean;
  /** It is to be deleted, beside the one that has its place. */
  readonly deposed: boolean;
  /** Which of {@link Adoption.providers} manages it. */
  readonly provider: number;
  /** Addresses; those that no object has are passed over. */
  readonly dependencies: readonly string[];
}

/** A configuration of a provider that comes with the objects. */
export interface AdoptedProvider {
  readonly package: PackageRequest;
  /** Undefined: the one that every stack has of the package, with the settings of the stack's configuration. */
  readonly name: string | undefined;
}

/** What comes to a stack. */
export interface Adoption {
  readonly objects: readonly AdoptedObject[];
  readonly providers: readonly AdoptedProvider[];
  /** Outputs of the stack, where it has none. */
  readonly outputs: PropertyMap;
  readonly protect: boolean;
}

/** The stack that something comes to. */
export interface Adopter {
  readonly identity: OperationIdentity;
  readonly config: OperationConfig;
  /** What it has. */
  readonly entries: readonly ResourceEntry[];
  readonly newId: () => string;
}

/** What an adoption comes to. */
interface AdoptedEntries {
  /** What is added to the stack, in no order; nothing when the stack has all of it under the same ids. */
  readonly added: readonly ResourceEntry[];
  /** The entries of the objects and of their providers. */
  readonly entries: readonly ResourceEntry[];
  /** URN of each object's entry, in the order of the objects. */
  readonly urns: readonly Urn[];
}

/**
 * The entries that an adoption adds to a stack [TFF-5]. Providers that the stack has already are used. Throws
 * CAIRN-TERRAFORM-STATE for every object whose URN the stack has, or that shares one with another; an adoption that was
 * made already, as a whole, adds nothing.
 */
export function adoptedEntries(adoption: Adoption, adopter: Adopter): AdoptedEntries {
  const { project, stack } = adopter.identity;
  const { entries } = adopter;
  const urns = adoption.objects.map(({ type, name }) => makeUrn({ project, stack, type, name }));
  const known = knownEntries(adoption.objects, urns, entries);
  if (known !== undefined) return { added: [], entries: known, urns };
  refuseTaken(adoption.objects, urns, entries);
  const providers = adoption.providers.map((each) => adoptedProvider(each, adopter));
  const byAddress = presentUrns(adoption.objects, urns);
  const objects = adoption.objects.map((object, at) =>
    resourceEntry({
      urn: urns[at] as Urn,
      type: object.type,
      custom: true,
      id: object.id,
      inputs: object.inputs,
      outputs: object.outputs,
      parent: rootStackUrn(project, stack),
      provider: providers[object.provider]?.reference,
      delete: object.deposed,
      taint: object.tainted && !object.deposed,
      protect: adoption.protect && !object.deposed,
      dependencies: dependenciesOf(object, byAddress),
    }),
  );
  const made = new Map(providers.flatMap(({ entry, isNew }) => (isNew ? [[entry.urn, entry] as const] : [])));
  return {
    added: [...rootEntry(adoption, adopter), ...made.values(), ...objects],
    entries: [...new Set(providers.map(({ entry }) => entry)), ...objects],
    urns,
  };
}

/** The entries of the objects and their providers where the stack has every one of them under its id. */
function knownEntries(
  objects: readonly AdoptedObject[],
  urns: readonly Urn[],
  entries: readonly ResourceEntry[],
): readonly ResourceEntry[] | undefined {
  const byUrn = new Map(entries.filter((entry) => !entry.delete).map((entry) => [entry.urn, entry]));
  const known = objects.flatMap(({ id, deposed }, at) => {
    const entry = deposed ? undefined : byUrn.get(urns[at] as Urn);
    return entry?.id === id ? [entry] : [];
  });
  if (known.length === 0 || known.length < objects.filter(({ deposed }) => !deposed).length) return undefined;
  const providers = new Set(known.map(({ provider }) => provider));
  const theirs = entries.filter(
    ({ urn, id }) => isProviderType(urnType(urn)) && providers.has(makeProviderReference(urn, id)),
  );
  return [...theirs, ...known];
}

/** URNs of the present objects by their addresses. */
function presentUrns(objects: readonly AdoptedObject[], urns: readonly Urn[]): ReadonlyMap<string, Urn> {
  return new Map(
    objects.flatMap(({ address, deposed }, at) => (deposed ? [] : [[address, urns[at] as Urn] as const])),
  );
}

/** What waits to be deleted depends on nothing that may be gone before it. */
function dependenciesOf(
  { dependencies, deposed }: AdoptedObject,
  byAddress: ReadonlyMap<string, Urn>,
): readonly Urn[] {
  return deposed ? [] : dependencies.flatMap((address) => byAddress.get(address) ?? []);
}

function rootEntry({ outputs }: Adoption, { identity, entries }: Adopter): readonly ResourceEntry[] {
  const urn = rootStackUrn(identity.project, identity.stack);
  if (entries.some((entry) => entry.urn === urn)) return [];
  return [resourceEntry({ urn, type: ROOT_STACK_TYPE, custom: false, outputs })];
}

/** A provider's entry, of the stack where it has it. */
function adoptedProvider(
  { package: wanted, name }: AdoptedProvider,
  { identity, config, entries, newId }: Adopter,
): { readonly reference: ProviderReference; readonly entry: ResourceEntry; readonly isNew: boolean } {
  const { project, stack } = identity;
  const type = providerType(wanted.package);
  const urn = makeUrn({ project, stack, type, name: name ?? defaultProviderName(wanted) });
  const known = entries.find((entry) => entry.urn === urn && !entry.delete);
  if (known !== undefined)
    return { reference: makeProviderReference(urn, known.id), entry: known, isNew: false };
  const inputs = defaultProviderInputs(wanted, name === undefined ? config : NO_CONFIG);
  const id = newId();
  const outputs = withoutProperty(inputs, '__internal');
  return {
    reference: makeProviderReference(urn, id),
    entry: resourceEntry({ urn, type, custom: true, id, inputs, outputs }),
    isNew: true,
  };
}

/** Settings of a configuration that is not the stack's are in no state: the program says them. */
const NO_CONFIG: OperationConfig = { values: {}, secretKeys: [] };

function refuseTaken(
  objects: readonly AdoptedObject[],
  urns: readonly Urn[],
  entries: readonly ResourceEntry[],
): void {
  const taken = new Set<string>(entries.map(({ urn }) => urn));
  const mine = new Map<string, string>();
  const problems = objects.flatMap(({ address, deposed }, at) => {
    const urn = urns[at] as Urn;
    if (taken.has(urn)) return [problem(`the stack has a resource for ${address} already`, urn)];
    const other = deposed ? undefined : mine.get(urn);
    if (!deposed) mine.set(urn, address);
    return other === undefined ? [] : [problem(`${address} and ${other} would be one resource`, urn)];
  });
  if (problems.length > 0) throw new CairnError(problems);
}

function problem(summary: string, urn: Urn) {
  return errorDiagnostic('CAIRN-TERRAFORM-STATE', summary, {
    urn,
    hint: 'Nothing was changed. Take the state into another stack, or remove the resource with `cairn state delete` first.',
  });
}
