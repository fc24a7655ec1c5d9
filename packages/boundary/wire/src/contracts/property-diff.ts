/** Kind of difference of one property. The `replace` variants require a new object. */
export type DiffKind = 'add' | 'add-replace' | 'delete' | 'delete-replace' | 'update' | 'update-replace';

export interface PropertyDiff {
  readonly kind: DiffKind;
  /** True if the path is about inputs rather than outputs. */
  readonly inputDiff: boolean;
}
