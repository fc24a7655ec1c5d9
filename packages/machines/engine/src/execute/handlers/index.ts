import type { StepKind } from '../../model/step-kinds.js';
import { done } from '../effect.js';
import { hooked } from '../hooks/hooked.js';
import { create } from './create.js';
import { deleteObject } from './delete.js';
import type { Handler } from './handler.js';
import { importObject } from './import.js';
import { read } from './read.js';
import { refresh } from './refresh.js';
import { update } from './update.js';

/** Kinds that concern only the snapshot: these steps are carried out in place and become no task. */
type InlineKind = 'same' | 'replace';

/** Kinds that become tasks of the change. */
export type TaskKind = Exclude<StepKind, InlineKind>;

/** Handlers by kind of step. */
export type Handlers = { readonly [K in TaskKind]: Handler<K> };

/** Handlers of real operations. */
export const handlers: Handlers = {
  create: hooked(create),
  'create-replacement': hooked(create),
  update: hooked(update),
  delete: hooked(deleteObject),
  'delete-replaced': hooked(deleteObject),
  'read-discard': deleteObject,
  'discard-replaced': deleteObject,
  read,
  'read-replacement': read,
  import: importObject,
  'import-replacement': importObject,
  refresh,
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
