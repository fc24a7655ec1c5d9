import type { Urn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { Goal, ReadGoal } from './goal.js';

/** Resource announced by the program (or by the engine on its behalf), with the means to reply. */
export type Registration =
  | {
      readonly t: 'register';
      readonly goal: Goal;
      /**
       * Place where the program asks for a resource that the engine registers on its behalf. Defaults to the goal's
       * place.
       */
      readonly askedAt?: string | undefined;
      readonly reply: Reply<RegisterResult>;
    }
  | { readonly t: 'read'; readonly goal: ReadGoal; readonly reply: Reply<ReadResult> }
  | (RegisteredOutputs & { readonly t: 'outputs'; readonly reply: Reply<void> });

/** Outputs that the program registers for a component, or for the stack, when it is complete. */
export interface RegisteredOutputs {
  readonly urn: Urn;
  readonly outputs: PropertyMap;
  /**
   * Inputs that a component's registration left open [REG-19]. Undefined if it left none open, or if they did not
   * arrive.
   */
  readonly lateInputs?: PropertyMap | undefined;
}

/** Answers exactly once. `refuse` takes an error with diagnostics that the engine has already reported. */
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
  /** True if the create was skipped: outputs count as unknown. */
  readonly unknown: boolean;
  /**
   * True if the run does nothing about it, regardless of its stored entry. Its dependents are not sent to providers
   * either [DEL-7]. Defaults to false.
   */
  readonly leftOut?: boolean | undefined;
  /** Alias under which the prior entry was found, if any. Children look for their prior entries under it [ADDR-6]. */
  readonly oldUrn?: Urn | undefined;
}

export interface ReadResult {
  readonly urn: Urn;
  readonly id: string;
  readonly outputs: PropertyMap;
  /** As for {@link RegisterResult}. */
  readonly oldUrn?: Urn | undefined;
}

/** Posts to the engine's only inbox. */
export type PostRegistration = (registration: Registration) => void;
