import { isUrn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';

/** Kinds of edits to one entry. */
export type EditKind =
  | 'delete'
  | 'protect'
  | 'unprotect'
  | 'taint'
  | 'untaint'
  | 'rename'
  | 'move'
  | 'copy'
  | 'add'
  | 'alter'
  | 'alter the rest'
  | 'put in order'
  /** Edit of the whole state: the magic of its manifest. */
  | 'renew'
  | 'take out references';

/** One row of a preview. `to` is its new URN, or the place it moves to. `why` adds details for the user. */
export interface EditedEntry {
  readonly what: EditKind;
  readonly urn: string;
  readonly to?: string;
  readonly why?: string;
}

/**
 * Result of an edit of a stored state. `changed` is in the order of the state, and empty when there is nothing to do.
 * `notes` are messages that the user should see before the state is stored.
 */
export interface StateEdit {
  readonly deployment: SerializedDeployment;
  readonly changed: readonly EditedEntry[];
  readonly notes: readonly Diagnostic[];
}

/**
 * One entry as a person names it. `copy` selects among several with the same URN, counted from 0 in the order of the
 * state.
 */
export interface EntryName {
  readonly urn: string;
  readonly copy?: number;
}

/**
 * Returns the positions of the entries with a URN, usually one. An old object that waits to be deleted has the URN of
 * its replacement.
 */
export function copiesOf({ resources }: SerializedDeployment, urn: string): readonly number[] {
  return resources.flatMap((resource, index) => (resource.urn === urn ? [index] : []));
}

/** Describes the entry, to distinguish it from others with the same URN. */
export function describeCopy({ id, delete: condemned, pendingReplacement }: SerializedResource): string {
  const marks = [
    id === undefined || id === '' ? 'no id' : `id ${id}`,
    condemned === true ? 'pending delete' : '',
    pendingReplacement === true ? 'pending replacement' : '',
  ];
  return marks.filter((mark) => mark !== '').join(', ');
}

/**
 * Returns the positions of the named entries. Throws one `CAIRN-STATE-RESOURCE` with every name that no entry has, and
 * every URN of several entries that the request does not choose from.
 */
export function positionsOf(
  deployment: SerializedDeployment,
  names: readonly EntryName[],
): readonly number[] {
  const problems: Diagnostic[] = [];
  const positions = names.flatMap(({ urn, copy }) => {
    const copies = copiesOf(deployment, urn);
    const chosen = copies.length === 1 ? copies[0] : copy === undefined ? undefined : copies[copy];
    if (chosen !== undefined) return [chosen];
    problems.push(copies.length === 0 ? unknownUrn(urn) : ambiguousUrn(deployment, urn, copies));
    return [];
  });
  if (problems.length > 0) throw new CairnError(problems);
  return positions;
}

/** Throws one error with a diagnostic for each URN that no entry has; does nothing if all are known. */
export function refuseUnknown(known: { has(urn: string): boolean }, urns: readonly string[]): void {
  const unknown = urns.filter((urn) => !known.has(urn)).map(unknownUrn);
  if (unknown.length > 0) throw new CairnError(unknown);
}

function unknownUrn(urn: string): Diagnostic {
  return errorDiagnostic(
    'CAIRN-STATE-RESOURCE',
    `no such resource ${JSON.stringify(urn)} exists in the current state`,
    {
      hint: isUrn(urn)
        ? 'List the URNs of the stack with `cairn stack --show-urns`.'
        : 'Give the whole URN, in quotes: cairn stack --show-urns lists them.',
    },
  );
}

function ambiguousUrn(
  { resources }: SerializedDeployment,
  urn: string,
  copies: readonly number[],
): Diagnostic {
  return errorDiagnostic(
    'CAIRN-STATE-RESOURCE',
    `${copies.length} entries of the state have the URN ${urn}, which is ambiguous`,
    {
      causes: copies.map(
        (position, index) => `${index + 1}: ${describeCopy(resources[position] as SerializedResource)}`,
      ),
      hint: 'Run the command on a terminal to choose one, or `cairn state edit` to see all of them.',
    },
  );
}
