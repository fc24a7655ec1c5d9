import { isRead } from '../decide/facts.js';
import type { Facts, PolicyFacts, ReadFacts, ScopeFacts } from '../decide/facts.js';
import type { Referring } from '../decide/goal-references.js';
import { leftOutReferences, mayNotNeedLeftOut, unknownInputs, withoutLeftOut } from '../decide/left-out.js';
import { isInScope, isLimited, isTarget, takesPart } from '../decide/scope.js';
import type { Ledger } from '../ledger/ledger.js';
import { isReadGoal } from '../model/goal.js';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Cell } from '../model/cell.js';
import type { Report } from '../model/report.js';

/** What keeping track of the scope works with. */
interface ScopeNotesParts {
  readonly scope: ScopeFacts;
  readonly policy: PolicyFacts;
  readonly ledger: Ledger;
  readonly report: Pick<Report, 'diagnostic'>;
}

/**
 * Where registered resources stand in the scope of the operation [TGT-4], as far as those that refer to them must know.
 */
export class ScopeNotes {
  /** Prior entries that stay as they were because they are out of scope. */
  readonly untouched: Cell[] = [];

  constructor(private readonly parts: ScopeNotesParts) {}

  /** Something is going to be decided about the resource. */
  note(facts: Facts | ReadFacts): void {
    const { ledger } = this.parts;
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

  /** What was left out and is needed has been named in an error. */
  #blame(goal: Referring): void {
    const { scope, ledger } = this.parts;
    if (!mayNotNeedLeftOut(scope)) return;
    for (const urn of leftOutReferences(goal, ledger)) ledger.note({ t: 'blamed', urn });
  }

  /**
   * The goal as it can be stored: under excludes alone, what takes part goes without what was left out. Reads always
   * take part.
   */
  storable<G extends Goal | ReadGoal>(goal: G): G {
    const { scope, policy, ledger, report } = this.parts;
    if (this.#mayNotGoWithout) return goal;
    if (isReadGoal(goal)) return withoutLeftOut(goal, ledger);
    if (!isLimited(scope) || !takesPart({ goal, scope, view: ledger })) return goal;
    const unknown = policy.preview ? unknownInputs(goal, ledger, true) : undefined;
    if (unknown !== undefined) report.diagnostic(unknown);
    return withoutLeftOut(goal, ledger);
  }

  get #mayNotGoWithout(): boolean {
    const { scope, policy } = this.parts;
    return mayNotNeedLeftOut(scope) || policy.mode !== 'apply';
  }
}
