import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { Goal, ReadGoal } from './goal.js';

/** One resource announced by the program (or by the engine for it), with the way to answer. */
export type Registration =
  | {
      readonly t: 'register';
      readonly goal: Goal;
      /** Where the program asks for a resource that the engine registers for it. Absent: where the goal says. */
      readonly askedAt?: string | undefined;
      readonly reply: Reply<RegisterResult>;
    }
  | { readonly t: 'read'; readonly goal: ReadGoal; readonly reply: Reply<ReadResult> }
  | (RegisteredOutputs & { readonly t: 'outputs'; readonly reply: Reply<void> });

/** What the program says of a component, or of the stack, when it is complete. */
export interface RegisteredOutputs {
  readonly urn: Urn;
  readonly outputs: PropertyMap;
  /** Of a component: what its registration left open [REG-19]. Absent: nothing, or it did not come. */
  readonly lateInputs?: PropertyMap | undefined;
}

/** Answers exactly once. `refuse` takes an error with diagnostics; the engine has already reported them. */
export interface Reply<T> {
  resolve(value: T): void;
  refuse(error: Error): void;
}

export interface RegisterResult {
  readonly urn: Urn;
  /** Empty for components and for objects that preview has not created. */
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly result: 'success' | 'fail' | 'skip';
  /** The create was skipped: outputs are to be taken as unknown. */
  readonly unknown: boolean;
  /**
   * The run does nothing about it, whatever is stored of it: who depends on it is not asked either [DEL-7]. Absent: no.
   */
  readonly leftOut?: boolean | undefined;
  /** URN under which the prior entry was found, when that was an alias: children look for theirs under it [ADDR-6]. */
  readonly oldUrn?: Urn | undefined;
}

export interface ReadResult {
  readonly urn: Urn;
  readonly id: string;
  readonly outputs: PropertyMap;
  /** As for {@link RegisterResult}. */
  readonly oldUrn?: Urn | undefined;
}

/** The way into the engine's one inbox. */
export type PostRegistration = (registration: Registration) => void;
