/** How one property differs; `replace` variants ask for a new object. */
export type DiffKind = 'add' | 'add-replace' | 'delete' | 'delete-replace' | 'update' | 'update-replace';

export interface PropertyDiff {
  readonly kind: DiffKind;
  /** The path is about inputs rather than outputs. */
  readonly inputDiff: boolean;
}
