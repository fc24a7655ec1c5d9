import type { RequestedImport, OperationRequest } from '@cairn/engine';
import type { ProgramFunction, Properties } from '../program/program-of.js';
import type { Script } from '../fuzz/fuzz-case.js';

/** One operation that is stopped at every instant, and the stack before it. */
export interface CutScenario {
  readonly title: string;
  /** Programs run before, each by an up without failures. Without any, the stack is empty. */
  readonly before?: readonly ProgramFunction[];
  /** Unmanaged objects, by id. */
  readonly outside?: Readonly<Record<string, { readonly name: string; readonly inputs: Properties }>>;
  /** Names of resources whose objects are changed or deleted outside of Cairn before the operation. */
  readonly drifted?: readonly string[];
  readonly vanished?: readonly string[];
  /** Defaults to `up`. */
  readonly kind?: 'up' | 'destroy' | 'refresh' | 'import';
  readonly program?: ProgramFunction;
  readonly runProgram?: boolean;
  /**
   * True if the operation must follow the plan of a preview, which is complete. A resume has that plan and no program.
   */
  readonly planned?: boolean;
  readonly scripts?: Readonly<Record<string, Script>>;
  readonly scope?: Partial<OperationRequest['scope']>;
  readonly policy?: Partial<OperationRequest['policy']>;
  /** Steps at a time. Defaults to 8. */
  readonly parallel?: number;
  readonly imports?: readonly RequestedImport[];
  /** Names of resources whose objects are released, so that no entry has them. */
  readonly retains?: readonly string[];
  /**
   * Names of resources whose state after a resume may differ from that of a run that was not stopped, because the
   * resume read them.
   */
  readonly varies?: readonly string[];
  /** Names of resources that a rollback may leave unchanged, because they were declared not undoable. */
  readonly stays?: readonly string[];
}
