import type { StepKind } from '../../model/step-kinds.js';
import { done } from '../effect.js';
import { hooked } from '../hooks/hooked.js';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import type { StepHandler } from './handler.js';
import { importObject } from './import.js';
import { readExternal } from './read.js';
import { refreshEntry } from './refresh.js';
import { updateObject } from './update.js';

/** Kinds that concern only the snapshot: these steps are carried out in place and become no task. */
type InlineKind = 'same' | 'replace';

/** Kinds that become tasks of the change. */
export type TaskKind = Exclude<StepKind, InlineKind>;

/** Handlers by kind of step. */
export type Handlers = { readonly [K in TaskKind]: StepHandler<K> };

/** Handlers of real operations. */
export const handlers: Handlers = {
  create: hooked(createObject),
  'create-replacement': hooked(createObject),
  update: hooked(updateObject),
  delete: hooked(deleteObject),
  'delete-replaced': hooked(deleteObject),
  'read-discard': deleteObject,
  'discard-replaced': deleteObject,
  read: readExternal,
  'read-replacement': readExternal,
  import: importObject,
  'import-replacement': importObject,
  refresh: refreshEntry,
  'remove-pending-replace': () => Promise.resolve(done(undefined)),
};

const nothingIsDeleted = () => Promise.resolve(done(undefined));

/**
 * Handlers of previews: the same questions, no deletes [REG-16]. Creates and updates inform the provider about the
 * preview.
 */
export const previewHandlers: Handlers = {
  ...handlers,
  delete: hooked(nothingIsDeleted),
  'delete-replaced': hooked(nothingIsDeleted),
  'read-discard': nothingIsDeleted,
  'discard-replaced': nothingIsDeleted,
};

/** Returns true if steps of the kind become tasks. */
export function isTaskKind(kind: StepKind): kind is TaskKind {
  return kind in handlers;
}
