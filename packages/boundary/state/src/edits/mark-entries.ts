import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { refuseUnknown } from './state-edit.js';
import type { EditKind, StateEdit } from './state-edit.js';

/** Mark of an entry that users set and remove. */
export type EntryMark = 'protect' | 'taint';

const WORDS: Readonly<Record<EntryMark, Readonly<Record<'on' | 'off', EditKind>>>> = {
  protect: { on: 'protect', off: 'unprotect' },
  taint: { on: 'taint', off: 'untaint' },
};

/**
 * Entries that can have a mark. An entry that waits to be deleted cannot be replaced [DIFF-2]. A protected entry
 * remains, even if it waits to be deleted.
 */
const MARKABLE: Readonly<Record<EntryMark, (resource: SerializedResource) => boolean>> = {
  protect: () => true,
  taint: (resource) => resource.delete !== true,
};

/** Mark to set or remove. Without `urns`: on every entry that can have it. */
export interface MarkRequest {
  readonly mark: EntryMark;
  readonly urns: readonly string[] | undefined;
  readonly on: boolean;
}

/**
 * Sets or removes a mark on every entry with one of the URNs. Throws one `CAIRN-STATE-RESOURCE` with every URN that no
 * such entry has; nothing is marked then. Needs no passphrase.
 */
export function markEntries(deployment: SerializedDeployment, { mark, urns, on }: MarkRequest): StateEdit {
  const markable = new Set(deployment.resources.filter(MARKABLE[mark]).map(({ urn }) => urn));
  refuseUnknown(markable, urns ?? []);
  const wanted = urns === undefined ? markable : new Set(urns);
  const what = WORDS[mark][on ? 'on' : 'off'];
  const changed: { what: EditKind; urn: string }[] = [];
  const resources = deployment.resources.map((resource) => {
    const { urn } = resource;
    if (!wanted.has(urn) || !MARKABLE[mark](resource) || (resource[mark] === true) === on) return resource;
    changed.push({ what, urn });
    return withMark(resource, mark, on);
  });
  return { deployment: { ...deployment, resources }, changed, notes: [] };
}

function withMark(resource: SerializedResource, mark: EntryMark, on: boolean): SerializedResource {
  if (on) return { ...resource, [mark]: true };
  const { [mark]: _gone, ...rest } = resource;
  return rest;
}
