import { isUrn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { eachReference } from '../graph/references.js';
import { ownReference } from '../document/integrity.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { positionsOf } from './state-edit.js';
import type { EntryName, StateEdit } from './state-edit.js';

/** Entries to delete from a state. Without `entries`: all of them. */
export interface EntryDeletion {
  readonly entries: readonly EntryName[] | undefined;
  /** Deletes protected entries too. */
  readonly force: boolean;
  /** Also deletes entries that depend on them. */
  readonly dependents: boolean;
}

/**
 * Deletes entries from a state; their objects remain as they are and are no longer managed.
 *
 * Throws `CAIRN-STATE-RESOURCE` for a name that no entry has and for a protected entry without force. It throws the
 * same for an entry with dependents, unless they are deleted with it. Nothing is deleted then. No entry depends on one
 * whose URN another entry still has: dependencies are known by URN only [INT-4].
 */
export function deleteEntries(deployment: SerializedDeployment, request: EntryDeletion): StateEdit {
  const { resources } = deployment;
  const named =
    request.entries === undefined
      ? resources.map((_, index) => index)
      : positionsOf(deployment, request.entries);
  const condemned = new Set(named);
  const problems: Diagnostic[] = [];
  const dependents = withDependents(resources, condemned);
  if (dependents.size > 0 && !request.dependents) problems.push(neededByOthers(resources, named, dependents));
  for (const index of dependents) condemned.add(index);
  if (!request.force) problems.push(...protectedOnes(resources, condemned));
  if (problems.length > 0) throw new CairnError(problems);
  return {
    deployment: { ...deployment, resources: resources.filter((_, index) => !condemned.has(index)) },
    changed: resources.flatMap(({ urn, id }, index) =>
      condemned.has(index)
        ? [{ what: 'delete' as const, urn, ...(id === undefined || id === '' ? {} : { why: `id ${id}` }) }]
        : [],
    ),
    notes: [],
  };
}

/**
 * Returns the positions of all entries that would refer to nothing if the condemned entries were deleted, and of their
 * dependents in turn.
 */
function withDependents(
  resources: readonly SerializedResource[],
  condemned: ReadonlySet<number>,
): ReadonlySet<number> {
  const offers = new Offers(resources);
  const gone = new Set(condemned);
  for (const index of condemned) offers.remove(resources[index] as SerializedResource);
  // One pass finds them all in a valid state; a damaged one may take more.
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const [index, resource] of resources.entries()) {
      if (gone.has(index) || !offers.lacksOne(resource)) continue;
      gone.add(index);
      offers.remove(resource);
    }
  }
  return new Set([...gone].filter((index) => !condemned.has(index)).sort((a, b) => a - b));
}

/** Counts the remaining entries under each name that a reference can use. */
class Offers {
  readonly #left = new Map<string, number>();

  constructor(resources: readonly SerializedResource[]) {
    for (const resource of resources) this.#count(resource, 1);
  }

  remove(resource: SerializedResource): void {
    this.#count(resource, -1);
  }

  /** True if it refers to an entry that existed once and no longer does. */
  lacksOne(resource: SerializedResource): boolean {
    let lacks = false;
    eachReference(resource, (urn, kind, detail) => {
      lacks ||= this.#left.get(kind === 'provider' ? (detail ?? urn) : urn) === 0;
    });
    return lacks;
  }

  #count(resource: SerializedResource, by: number): void {
    for (const name of [resource.urn, ownReference(resource)])
      this.#left.set(name, (this.#left.get(name) ?? 0) + by);
  }
}

function neededByOthers(
  resources: readonly SerializedResource[],
  named: readonly number[],
  dependents: ReadonlySet<number>,
): Diagnostic {
  const what =
    named.length === 1 ? `resource ${urnAt(resources, named[0])} cannot` : 'these resources cannot';
  return errorDiagnostic(
    'CAIRN-STATE-RESOURCE',
    `${what} be removed from the state: ${dependents.size} others depend on ${named.length === 1 ? 'it' : 'them'}`,
    {
      causes: [...dependents].map((index) => urnAt(resources, index)),
      hint: 'Remove those first, or all together with --target-dependents.',
    },
  );
}

function protectedOnes(
  resources: readonly SerializedResource[],
  condemned: ReadonlySet<number>,
): readonly Diagnostic[] {
  return [...condemned].flatMap((index) => {
    const { urn, protect } = resources[index] as SerializedResource;
    if (protect !== true) return [];
    return [
      errorDiagnostic(
        'CAIRN-STATE-RESOURCE',
        `resource ${urn} cannot be removed from the state: it is protected`,
        {
          urn: isUrn(urn) ? urn : undefined,
          hint: 'Pass --force, or remove the protection with `cairn state unprotect`.',
        },
      ),
    ];
  });
}

function urnAt(resources: readonly SerializedResource[], index: number | undefined): string {
  return index === undefined ? '' : (resources[index]?.urn ?? '');
}
