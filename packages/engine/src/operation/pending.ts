import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Answers } from '../decide/verdict.js';
import type { RegisterResult, Reply } from '../model/registration.js';
import type { Goal } from '../model/goal.js';
import type { Cell } from '../model/cell.js';

/** A resource that was registered and is not answered yet. */
export interface Pending {
  readonly goal: Goal;
  readonly reply: Reply<RegisterResult>;
  /** With `prior`, undefined from the moment in which the object turns out to be gone. */
  cell: Cell | undefined;
  /** The prior entry as it was when it was matched, or as this run has found it. */
  prior: ResourceEntry | undefined;
  readonly oldUrn: Urn | undefined;
  /** Grows with every answer. */
  answers: Answers;
}
