import { isUrn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment, SerializedResource } from '../serialized.js';

/** What an edit does to one entry. */
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
  /** Of the whole state: the mark of its manifest. */
  | 'renew'
  | 'take out references';

/** One row of a preview. `to`: its URN afterwards, or where it goes. `why`: more about it, for people. */
export interface EditedEntry {
  readonly what: EditKind;
  readonly urn: string;
  readonly to?: string;
  readonly why?: string;
}

/**
 * What an edit makes of a stored state. `changed`: in the order of the state; empty when nothing has to be done.
 * `notes`: what the person should know before it is stored.
 */
export interface StateEdit {
  readonly deployment: SerializedDeployment;
  readonly changed: readonly EditedEntry[];
  readonly notes: readonly Diagnostic[];
}

/**
 * One entry as a person names it. `copy`: which of several with the same URN, counted from 0 in the order of the state.
 */
export interface EntryName {
  readonly urn: string;
  readonly copy?: number;
}

/**
 * Positions of the entries with a URN: usually one; an old object that waits to be deleted has the URN of its
 * replacement.
 */
export function copiesOf({ resources }: SerializedDeployment, urn: string): readonly number[] {
  return resources.flatMap((resource, index) => (resource.urn === urn ? [index] : []));
}

/** The entry in words, to tell it from another with the same URN. */
export function describeCopy({ id, delete: condemned, pendingReplacement }: SerializedResource): string {
  const marks = [
    id === undefined || id === '' ? 'no id' : `id ${id}`,
    condemned === true ? 'pending delete' : '',
    pendingReplacement === true ? 'pending replacement' : '',
  ];
  return marks.filter((mark) => mark !== '').join(', ');
}

/**
 * Positions of the named entries. Throws one `CAIRN-STATE-RESOURCE` for every name that no entry has, and for every URN
 * that several entries have when it is not said which.
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

/** Every URN that no entry has, as one error with a diagnostic each; nothing when all are known. */
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
        ? 'List the URNs of the stack: cairn stack --show-urns'
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
    `${copies.length} entries of the state have the URN ${urn}: which of them is meant?`,
    {
      causes: copies.map(
        (position, index) => `${index + 1}: ${describeCopy(resources[position] as SerializedResource)}`,
      ),
      hint: 'On a terminal the command asks which; `cairn state edit` shows all of them.',
    },
  );
}
