import type { ImportItem, OperationRequest } from '@cairn/engine';
import type { ProgramFunction, Properties } from '../program/program-of.js';
import type { Script } from '../fuzz/fuzz-case.js';

/** One operation that is stopped at every instant, and the stack that it finds. */
export interface CutScenario {
  readonly title: string;
  /** Programs that were run before, each by an up without failures. Absent: the stack is empty. */
  readonly before?: readonly ProgramFunction[];
  /** Objects that nobody manages, by id. */
  readonly outside?: Readonly<Record<string, { readonly name: string; readonly inputs: Properties }>>;
  /** Names of resources whose objects somebody else changes or deletes before the operation. */
  readonly drifted?: readonly string[];
  readonly vanished?: readonly string[];
  /** Default `up`. */
  readonly kind?: 'up' | 'destroy' | 'refresh' | 'import';
  readonly program?: ProgramFunction;
  readonly runProgram?: boolean;
  /** The operation is held to the plan of a preview, which is complete; a resume has that plan and no program. */
  readonly planned?: boolean;
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly scope?: Partial<OperationRequest['scope']>;
  readonly policy?: Partial<OperationRequest['policy']>;
  /** Steps at a time. Default 8. */
  readonly parallel?: number;
  readonly imports?: readonly ImportItem[];
  /** Names of resources whose objects are let go of, so that nobody knows them any more. */
  readonly retains?: readonly string[];
  /** Names of resources of which a resume may know another thing than a run that was not stopped, because it looked. */
  readonly varies?: readonly string[];
  /** Names of resources that a rollback may leave as they are, because they were declared not undoable. */
  readonly stays?: readonly string[];
}
