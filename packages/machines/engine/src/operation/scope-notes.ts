import { isRead } from '../decide/facts.js';
import type { Facts, PolicyFacts, ReadFacts, ScopeFacts } from '../decide/facts.js';
import type { GoalReferences } from '../decide/goal-references.js';
import { leftOutReferences, mayNotNeedLeftOut, unknownInputs, withoutLeftOut } from '../decide/left-out.js';
import { isInScope, isLimited, isTarget, takesPart } from '../decide/scope.js';
import type { Ledger } from '../ledger/ledger.js';
import { isReadGoal } from '../model/goal.js';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Cell } from '../model/cell.js';
import type { Report } from '../model/report.js';

/** Parts that keeping track of the scope needs. */
interface ScopeNotesParts {
  readonly scope: ScopeFacts;
  readonly policy: PolicyFacts;
  readonly ledger: Ledger;
  readonly report: Pick<Report, 'diagnostic'>;
}

/**
 * Tracks the position of registered resources in the scope of the operation [TGT-4], for the resources that refer to
 * them.
 */
export class ScopeNotes {
  /** Prior entries that remain as they were because they are out of scope. */
  readonly untouched: Cell[] = [];
  readonly #parts: ScopeNotesParts;

  constructor(parts: ScopeNotesParts) {
    this.#parts = parts;
  }

  /** Records a resource that is going to be decided. */
  note(facts: Facts | ReadFacts): void {
    const { ledger } = this.#parts;
    const { goal, cell } = facts;
    if (isRead(facts)) return this.#blame(goal);
    if (!isInScope(facts)) {
      ledger.note({ t: 'untouched', urn: goal.urn });
      if (cell !== undefined) this.untouched.push(cell);
      return;
    }
    if (isTarget(facts)) ledger.note({ t: 'targeted', urn: goal.urn });
    this.#blame(goal);
  }

  /** Records that an error has named resources that were left out and are needed. */
  #blame(goal: GoalReferences): void {
    const { scope, ledger } = this.#parts;
    if (!mayNotNeedLeftOut(scope)) return;
    for (const urn of leftOutReferences(goal, ledger)) ledger.note({ t: 'blamed', urn });
  }

  /**
   * Returns the goal in storable form: under excludes alone, a resource that takes part loses its references to those
   * left out. Reads always take part.
   */
  storable<G extends Goal | ReadGoal>(goal: G): G {
    const { scope, policy, ledger, report } = this.#parts;
    if (this.#mayNotGoWithout) return goal;
    if (isReadGoal(goal)) return withoutLeftOut(goal, ledger);
    if (!isLimited(scope) || !takesPart({ goal, scope, view: ledger })) return goal;
    const unknown = policy.preview ? unknownInputs(goal, ledger, true) : undefined;
    if (unknown !== undefined) report.diagnostic(unknown);
    return withoutLeftOut(goal, ledger);
  }

  get #mayNotGoWithout(): boolean {
    const { scope, policy } = this.#parts;
    return mayNotNeedLeftOut(scope) || policy.mode !== 'apply';
  }
}
