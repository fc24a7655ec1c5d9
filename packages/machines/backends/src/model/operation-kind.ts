/** Requested operation on a stack. `edit`: the stored state was altered by hand. */
export type ChangeKind = 'up' | 'destroy' | 'refresh' | 'import' | 'rollback' | 'resolve' | 'edit';

/** Kind of a run [STORE-9]. */
export type UpdateKind =
  'update' | 'refresh' | 'destroy' | 'resource-import' | 'preview' | 'import' | 'rename';

const KINDS = {
  up: true,
  destroy: true,
  refresh: true,
  import: true,
  rollback: true,
  resolve: true,
  edit: true,
} as const satisfies Record<ChangeKind, true>;

/** Returns true if the value names a kind. */
export function isOperationKind(value: unknown): value is ChangeKind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value);
}

/** Requested operation, for journals that only have the kind of their history entry. */
export const KIND_OF_UPDATE: Readonly<Record<UpdateKind, ChangeKind>> = {
  update: 'up',
  preview: 'up',
  destroy: 'destroy',
  refresh: 'refresh',
  'resource-import': 'import',
  import: 'edit',
  rename: 'edit',
};
