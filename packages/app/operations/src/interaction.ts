import type { ChangeLineage, ChangeRow, StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationKind, DoubtResolution, WaitingTask } from '@cairn/engine';
import type { Making } from './making.js';
import type { Pass, PassView } from './pass-view.js';

/**
 * The person or program that an operation serves: it answers questions and receives notices and views. Everything is
 * data; the implementer chooses the words.
 */
export interface Interaction {
  /**
   * True if a person can answer questions. Locks record it. Without a person, doubts and unfinished changes remain as
   * they are.
   */
  readonly attended: boolean;
  /**
   * Asks for the passphrase of a stack; `undefined` is no answer. Without this member, a passphrase comes from the
   * environment or from the home.
   */
  readonly passphrase?: ((message: string) => Promise<string | undefined>) | undefined;
  /** Returns the new passphrase of a stack. Throws when none is given. */
  newPassphrase(): Promise<string>;
  /** Asks for consent. If it is refused, nothing is changed. */
  confirm(question: UserQuestion): Promise<boolean>;
  /** Asks how to treat an unfinished change, before an update begins. Only called if a person is present. */
  chooseForUnfinished(lineage: ChangeLineage): Promise<UnfinishedChoice>;
  /**
   * Asks for the outcomes of steps in doubt, by {@link WaitingTask.task}; unknown ones are left out. Only called if a
   * person is present, about at least one step.
   */
  answerDoubts(tasks: readonly WaitingTask[]): Promise<ReadonlyMap<string, DoubtResolution>>;
  /** Receives warnings and notes as they are found. */
  tell(diagnostics: readonly Diagnostic[]): void;
  /** Receives results and waits other than the steps of an operation. */
  notice(notice: Notice): void;
  /** Receives progress while plugins, packages and projects are prepared. Optional. */
  readonly making?: ((told: Making) => void) | undefined;
  /** Begins a pass of an operation and returns its view. */
  pass(pass: Pass): PassView | Promise<PassView>;
}

/** Question before an action. */
export type UserQuestion =
  /** A project without any stack: whether to create one of this name. */
  { readonly t: 'create-first-stack'; readonly project: string; readonly stack: string };

/** Ways to treat a lineage of unfinished changes. */
export type UnfinishedChoice = 'start-over' | 'resume' | 'rollback' | 'cancel';

/** Reports of results and waits. */
export type Notice =
  /** The operation waits for the lock of another process; the text comes from the backend. */
  | { readonly t: 'waiting'; readonly text: string }
  /** Pulumi's login chose the backend, since Cairn has none of its own. */
  | { readonly t: 'login-of-pulumi'; readonly url: string }
  /** A warning about the file of the project or of the stack. */
  | { readonly t: 'stack-file'; readonly warning: Diagnostic }
  /** The stack's earlier configuration file is kept in this file. */
  | { readonly t: 'stack-file-kept'; readonly file: string }
  | { readonly t: 'stack-created'; readonly stack: StackId }
  | { readonly t: 'stack-removed'; readonly stack: StackId }
  /** A passphrase was made, and is kept in this file. */
  | { readonly t: 'passphrase-made'; readonly file: string }
  /** Another secrets manager than that of the stack's file has sealed the state, which is sealed again. */
  | { readonly t: 'state-sealed-anew' }
  /** Another process has changed the state before the operation began, which begins again on the newer state. */
  | { readonly t: 'base-moved' }
  /** A state is repaired; its earlier form is kept in this place of the backend. */
  | { readonly t: 'state-kept'; readonly place: string }
  /** Secrets are shown in the clear, as requested. */
  | { readonly t: 'secrets-shown' }
  /** The newest change runs, or did not end. */
  | { readonly t: 'unfinished'; readonly row: ChangeRow }
  /** An unfinished change has rested for longer than allowed. */
  | { readonly t: 'overdue'; readonly row: ChangeRow }
  /** An operation ends after its preview, because there is nothing to do. */
  | { readonly t: 'nothing-to-do'; readonly kind: OperationKind; readonly stack: StackId }
  /** The change to roll back did nothing; `earlier` is the change before it that did something. */
  | { readonly t: 'nothing-to-roll-back'; readonly change: number; readonly earlier: ChangeRow | undefined };

/** An interaction without a person: asks, reports and shows nothing. To be spread, with members of the caller's own. */
export const unattended: Interaction = {
  attended: false,
  newPassphrase: () =>
    Promise.reject(
      cairnError('CAIRN-PASSPHRASE-MISSING', 'no new passphrase was given', {
        hint: 'Pass one where the secrets provider is changed.',
      }),
    ),
  confirm: () => Promise.resolve(false),
  chooseForUnfinished: () => Promise.resolve('cancel'),
  answerDoubts: () => Promise.resolve(new Map()),
  tell: () => undefined,
  notice: () => undefined,
  pass: () => ({ event: () => undefined }),
};
