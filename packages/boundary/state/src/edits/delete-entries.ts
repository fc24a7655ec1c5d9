import { isUrn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { eachReference } from '../graph/references.js';
import { ownReference } from '../integrity.js';
import type { SerializedDeployment, SerializedResource } from '../serialized.js';
import { positionsOf } from './state-edit.js';
import type { EntryName, StateEdit } from './state-edit.js';

/** What to forget. `entries` undefined: everything. */
export interface DeleteRequest {
  readonly entries: readonly EntryName[] | undefined;
  /** Protected entries too. */
  readonly force: boolean;
  /** Also what depends on them. */
  readonly dependents: boolean;
}

/**
 * Takes entries out of a state; their objects stay as they are and are not managed any more. Throws
 * `CAIRN-STATE-RESOURCE` for a name that no entry has, for a protected entry without force, and for an entry that
 * others depend on unless these go with it; nothing is taken out then. An entry whose URN another one still has is
 * needed by nobody: dependencies are known by URN only [INT-4].
 */
export function deleteEntries(deployment: SerializedDeployment, request: DeleteRequest): StateEdit {
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

/** Positions of everything that would refer to nothing if the condemned entries went, and what that takes with it. */
function withDependents(
  resources: readonly SerializedResource[],
  condemned: ReadonlySet<number>,
): ReadonlySet<number> {
  const offers = new Offers(resources);
  const gone = new Set(condemned);
  for (const index of condemned) offers.remove(resources[index] as SerializedResource);
  // One pass finds them all in a state that is in order; a damaged one may take more.
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

/** What the entries that are left can be referred to by, counted. */
class Offers {
  private readonly left = new Map<string, number>();

  constructor(resources: readonly SerializedResource[]) {
    for (const resource of resources) this.count(resource, 1);
  }

  remove(resource: SerializedResource): void {
    this.count(resource, -1);
  }

  /** Something that it refers to was there once and is not any more. */
  lacksOne(resource: SerializedResource): boolean {
    let lacks = false;
    eachReference(resource, (urn, kind, detail) => {
      lacks ||= this.left.get(kind === 'provider' ? (detail ?? urn) : urn) === 0;
    });
    return lacks;
  }

  private count(resource: SerializedResource, by: number): void {
    for (const name of [resource.urn, ownReference(resource)])
      this.left.set(name, (this.left.get(name) ?? 0) + by);
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
    `${what} be taken out of the state: ${dependents.size} others depend on ${named.length === 1 ? 'it' : 'them'}`,
    {
      causes: [...dependents].map((index) => urnAt(resources, index)),
      hint: 'Take those out first, or all together with --target-dependents.',
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
        `resource ${urn} cannot be taken out of the state: it is protected`,
        {
          urn: isUrn(urn) ? urn : undefined,
          hint: 'Pass --force, or take the protection away with `cairn state unprotect`.',
        },
      ),
    ];
  });
}

function urnAt(resources: readonly SerializedResource[], index: number | undefined): string {
  return index === undefined ? '' : (resources[index]?.urn ?? '');
}
