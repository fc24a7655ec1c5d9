import type { ChangeLineage, ChangeRow, StackId } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationKind, Resolution, WaitingTask } from '@cairn/engine';
import type { Making } from './making.js';
import type { Pass, PassView } from './pass-view.js';

/**
 * The person, or the program, on whose behalf the work is done: is asked, told and shown. Everything is data; words are
 * up to whoever implements it.
 */
export interface Interaction {
  /**
   * Whether somebody is there who can be asked. Locks say so, and where nobody is, doubts and unfinished changes are
   * left as they are.
   */
  readonly attended: boolean;
  /**
   * Asks for the passphrase of a stack; undefined: no answer. Absent: a passphrase comes from the environment or from
   * the home.
   */
  readonly passphrase?: ((message: string) => Promise<string | undefined>) | undefined;
  /** The passphrase that is to protect a stack from now on. Throws when none is given. */
  newPassphrase(): Promise<string>;
  /** Whether something is to be done. No: nothing is changed. */
  confirm(question: Question): Promise<boolean>;
  /** What is done about a change that did not end, before an update begins. Only asked where somebody is there. */
  chooseForUnfinished(lineage: ChangeLineage): Promise<UnfinishedChoice>;
  /**
   * What became of steps in doubt, by {@link WaitingTask.task}; without those of which it is not known. Only asked
   * where somebody is there, about at least one.
   */
  answerDoubts(tasks: readonly WaitingTask[]): Promise<ReadonlyMap<string, Resolution>>;
  /** Warnings and notes, as they are found. */
  tell(diagnostics: readonly Diagnostic[]): void;
  /** What was done, or is waited for, beside the steps of an operation. */
  notice(notice: Notice): void;
  /** Progress while plugins, packages and projects are made ready. Absent: nobody is told. */
  readonly making?: ((told: Making) => void) | undefined;
  /** A pass of an operation begins: what it is shown to. */
  pass(pass: Pass): PassView | Promise<PassView>;
}

/** What is asked before something is done. */
export type Question =
  /** A project without any stack: whether to create one of this name. */
  { readonly t: 'create-first-stack'; readonly project: string; readonly stack: string };

/** What is done about a lineage of changes that did not end. */
export type UnfinishedChoice = 'start-over' | 'resume' | 'rollback' | 'cancel';

/** What was done, or is waited for. */
export type Notice =
  /** A lock of somebody else is waited for, in the backend's words. */
  | { readonly t: 'waiting'; readonly text: string }
  /** The backend was chosen by Pulumi's login, since Cairn has none of its own. */
  | { readonly t: 'login-of-pulumi'; readonly url: string }
  /** A warning about the file of the project or of the stack. */
  | { readonly t: 'stack-file'; readonly warning: Diagnostic }
  /** The stack's configuration file as it was is kept in this file. */
  | { readonly t: 'stack-file-kept'; readonly file: string }
  | { readonly t: 'stack-created'; readonly stack: StackId }
  | { readonly t: 'stack-removed'; readonly stack: StackId }
  /** A passphrase was made, and is kept in this file. */
  | { readonly t: 'passphrase-made'; readonly file: string }
  /** The state was sealed by another secrets manager than the stack's file names, and is sealed anew. */
  | { readonly t: 'state-sealed-anew' }
  /** A state is mended; as it was, it is kept in this place of the backend. */
  | { readonly t: 'state-kept'; readonly place: string }
  /** Secrets are given out in the clear, as was asked for. */
  | { readonly t: 'secrets-shown' }
  /** The newest change runs, or did not end. */
  | { readonly t: 'unfinished'; readonly row: ChangeRow }
  /** A change that did not end has rested for longer than changes may. */
  | { readonly t: 'overdue'; readonly row: ChangeRow }
  /** An operation ends after its preview: everything is as it is to be. */
  | { readonly t: 'nothing-to-do'; readonly kind: OperationKind; readonly stack: StackId }
  /** The change that was to be rolled back did nothing; `earlier`: the one before it that did something. */
  | { readonly t: 'nothing-to-roll-back'; readonly change: number; readonly earlier: ChangeRow | undefined };
