import type { OperationKind } from '@cairn/engine';

/** How events are written. `operation`: whose events they are. */
export interface EventJsonStyle {
  readonly showSecrets: boolean;
  readonly operation: OperationKind;
}
