import type { Urn } from '@cairn/addresses';
import type { ScopeFacts } from '../decide/facts.js';
import { goalReferences } from '../decide/goal-references.js';
import type { GoalReferences } from '../decide/goal-references.js';
import { objection } from '../decide/registrable.js';
import type { FailureLanes } from '../execute/failure-lanes.js';
import type { Ledger } from '../ledger/ledger.js';
import { isReadGoal } from '../model/goal.js';
import type { PriorEntries } from '../prior/entries.js';
import { matchPrior } from '../prior/match.js';
import type { PendingRegistration } from './pending.js';
import { shutDownError } from './refusals.js';
import type { OpenRegistrations } from './open-registrations.js';

/** Parts that accepting registrations needs. */
interface AcceptanceParts {
  readonly entries: PriorEntries;
  readonly scope: ScopeFacts;
  readonly ledger: Ledger;
  readonly lanes: FailureLanes;
  readonly replies: OpenRegistrations;
}

/** Entry that a goal owns, with the URN under which it was found. */
type Owned = Pick<PendingRegistration, 'cell' | 'prior' | 'oldUrn'>;

/** Accepts valid registrations [REG-4], in the order in which they can be decided. */
export class Registrar {
  readonly #parts: AcceptanceParts;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /** Records a resource that may be registered, and continues once everything it refers to has ended. */
  accept(
    { goal: wanted, reply }: Pick<PendingRegistration, 'goal' | 'reply'>,
    go: (owned: Owned) => void,
  ): void {
    const { entries, scope, ledger, lanes, replies } = this.#parts;
    if (replies.stopped) return replies.refuse(reply, shutDownError());
    const goal = isReadGoal(wanted) ? { ...wanted, custom: true } : wanted;
    const against = objection(goal, ledger, entries, scope.targets.constrained);
    if (against !== undefined) return replies.fail(reply, [against], true);
    const match = matchPrior(goal.urn, goal.aliases ?? [], entries, ledger);
    if (match.t === 'conflict') return replies.fail(reply, [match.diagnostic], true);
    ledger.note({ t: 'registered', urn: goal.urn });
    lanes.place(goal);
    if (match.t === 'found') ledger.note({ t: 'matched', urn: goal.urn, cell: match.cell, old: match.old });
    this.#afterReferences(goal, () =>
      match.t === 'found'
        ? go({ cell: match.cell, prior: match.cell.entry, oldUrn: match.old })
        : go({ cell: undefined, prior: undefined, oldUrn: undefined }),
    );
  }

  #afterReferences(goal: GoalReferences, go: () => void): void {
    const { ledger, replies } = this.#parts;
    if (!replies.stopped) {
      const references = goalReferences(goal);
      for (let at = 0; at < references.length; at++) {
        const urn = references[at] as Urn;
        const progress = ledger.progress(urn);
        if (progress === 'registered' || progress === 'decided')
          return replies.waiting.wait(urn, () => this.#afterReferences(goal, go));
      }
    }
    go();
  }
}
