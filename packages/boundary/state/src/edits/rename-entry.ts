import { isRootStackUrn, isUrn, joinUrn, urnParts } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import { renameEverywhere } from '../graph/rename-everywhere.js';
import type { SerializedDeployment } from '../document/serialized.js';
import { copiesOf, refuseUnknown } from './state-edit.js';
import type { StateEdit } from './state-edit.js';

/** A resource and its new name. */
export interface EntryRename {
  readonly urn: string;
  readonly name: string;
}

/**
 * Renames a resource: its entries and everything that refers to them, including provider references. Aliases remain.
 * URNs of its children remain, because they do not contain their parent's name.
 *
 * Throws `CAIRN-STATE-RESOURCE` if there is no such resource, if it is the stack itself, or if another resource has the
 * new URN. Throws `CAIRN-USAGE` for an invalid name.
 */
export function renameEntry(deployment: SerializedDeployment, { urn, name }: EntryRename): StateEdit {
  if (name === '' || isUrn(name)) {
    throw cairnError('CAIRN-USAGE', `${JSON.stringify(name)} is not a valid name of a resource`, {
      hint: 'Pass only the new name: the rest of the URN stays.',
    });
  }
  refuseUnknown(new Set(deployment.resources.map((each) => each.urn)), [urn]);
  if (!isUrn(urn)) {
    throw cairnError(
      'CAIRN-STATE-RESOURCE',
      `${JSON.stringify(urn)} is not a URN, so it has no name to change`,
      {
        hint: 'Use `cairn state edit` to edit the state as text.',
      },
    );
  }
  if (isRootStackUrn(urn)) {
    throw cairnError('CAIRN-STATE-RESOURCE', 'the stack itself has the name of its project and stack', {
      hint: 'Rename it with `cairn stack rename`.',
    });
  }
  const { stack, project, qualifiedType } = urnParts(urn);
  const to = joinUrn(stack, project, qualifiedType, name);
  if (to === urn) return { deployment, changed: [], notes: [] };
  if (copiesOf(deployment, to).length > 0) {
    throw cairnError('CAIRN-STATE-RESOURCE', `cannot rename ${urn}: resource ${to} already exists`, {
      hint: 'Choose another name, or rename or delete that resource first.',
    });
  }
  const renamed = renameEverywhere(deployment, (each) => (each === urn ? to : each), { aliases: false });
  return {
    deployment: renamed,
    changed: copiesOf(deployment, urn).map(() => ({ what: 'rename' as const, urn, to })),
    notes: [],
  };
}
