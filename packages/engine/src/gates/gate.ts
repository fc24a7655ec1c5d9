import type { Urn } from '@cairn/addresses';

/** An approval that is needed before anything is done about a resource or what is below it. One a URN and operation. */
export interface Gate {
  /** The resource or component that asks for it. */
  readonly urn: Urn;
  /** What whoever approves is told. */
  readonly reason: string;
}
