import { unreachable } from '@cairn/diagnostics';
import type { OperationRequest } from '../model/request.js';

/** What the program is run for: to bring resources to their goals, to look at them, or to see who goes [REF-8]. */
export type ProgramMode = 'apply' | 'refresh' | 'destroy';

/** Which entries are looked up: none, those that carry the refresh-before-update flag, or all. */
export type LookUp = 'none' | 'flagged' | 'all';

/** What an operation consists of, in its order. */
export interface OperationPhases {
  /** Looked up through the providers in state, before anything else. */
  readonly first: LookUp;
  /** What the program is run for; undefined: it is not run. */
  readonly program: ProgramMode | undefined;
  /** Looked up when they are registered, through the provider that the program names. */
  readonly registered: LookUp;
  /** What happens to the other entries in the end; `import`: they stay, and those of a list come beside them. */
  readonly rest: 'nothing' | 'refresh' | 'delete-unregistered' | 'delete' | 'import';
}

/**
 * Which parts an operation has [REF-8]. Running the program moves look-ups from the start of the
 * operation to the registrations, so that they go through providers with their present configuration.
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
