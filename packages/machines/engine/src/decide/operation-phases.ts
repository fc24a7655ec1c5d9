import { unreachable } from '@cairn/diagnostics';
import type { OperationRequest } from '../model/request.js';

/**
 * Purpose of running the program: to bring resources to their goals, to look at them, or to find those to delete
 * [REF-8].
 */
export type ProgramMode = 'apply' | 'refresh' | 'destroy';

/** Entries to look up: none, those with the refresh-before-update flag, or all. */
export type LookUp = 'none' | 'flagged' | 'all';

/** Parts of an operation, in their order. */
export interface OperationPhases {
  /** Entries looked up through the providers in state, before anything else. */
  readonly first: LookUp;
  /** Mode of the program. Undefined if it is not run. */
  readonly program: ProgramMode | undefined;
  /** Entries looked up when they are registered, through the provider that the program names. */
  readonly registered: LookUp;
  /** Treatment of the other entries in the end. `import`: they stay, and those of a list are added. */
  readonly rest: 'nothing' | 'refresh' | 'delete-unregistered' | 'delete' | 'import';
}

/**
 * Determines the parts of an operation [REF-8]. Running the program moves look-ups from the start of the operation to
 * the registrations. So they use providers with their present configuration.
 */
export function phasesOf(
  kind: OperationRequest['kind'],
  refresh: boolean,
  runProgram: boolean,
): OperationPhases {
  switch (kind) {
    case 'up':
      return {
        first: refresh ? (runProgram ? 'none' : 'all') : 'flagged',
        program: 'apply',
        registered: refresh && runProgram ? 'all' : 'none',
        rest: 'delete-unregistered',
      };
    case 'refresh':
      return runProgram
        ? { first: 'none', program: 'refresh', registered: 'all', rest: 'refresh' }
        : { first: 'all', program: undefined, registered: 'none', rest: 'nothing' };
    case 'destroy': {
      const lookUp = refresh ? 'all' : 'flagged';
      return runProgram
        ? { first: 'none', program: 'destroy', registered: lookUp, rest: 'delete' }
        : { first: lookUp, program: undefined, registered: 'none', rest: 'delete' };
    }
    case 'import':
      return { first: 'none', program: undefined, registered: 'none', rest: 'import' };
    case 'rollback':
    case 'resolve':
      return { first: 'none', program: undefined, registered: 'none', rest: 'nothing' };
    default:
      return unreachable(kind);
  }
}
