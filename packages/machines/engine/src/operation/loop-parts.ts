import type { ContinuedView, PolicyFacts, ScopeFacts } from '../decide/facts.js';
import type { Unsettled } from '../decide/unsettled.js';
import type { Answers, Question, Verdict } from '../decide/verdict.js';
import type { ChainEnd } from '../execute/chain-runner.js';
import type { HookRunner } from '../execute/hooks/hook-runner.js';
import type { InspectorPorts } from '../inspect/inspector.js';
import type { Goal } from '../model/goal.js';
import type { Registration } from '../model/registration.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { Admission } from './admission.js';
import type { Pending } from './pending.js';
import type { Run } from './run.js';

/** What the loop works with. */
export interface LoopParts
  extends
    Pick<Run, 'ledger' | 'chains' | 'report' | 'plan'>,
    Pick<Admission, 'limiter' | 'intake' | 'questions'> {
  readonly hooks: HookRunner;
  readonly scope: ScopeFacts;
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly policy: PolicyFacts;
  /** The lineage that the operation goes on with. */
  readonly continued?: ContinuedView | undefined;
  /** What a registration wants, in the form in which it is stored. Absent: it is not stored. */
  readonly digest?: ((goal: Goal) => string | undefined) | undefined;
  /** What must wait because nobody knows what became of it. */
  readonly unsettled: Unsettled;
  readonly continueOnError: boolean;
  /** What fails leaves other failure domains alone. */
  readonly isolated: boolean;
  readonly providers: ProviderSource;
  readonly inspector: InspectorPorts;
  /** The operation must end: nothing new may start. Called once. */
  readonly onStop: () => void;
  /** Something has happened. */
  readonly onNews: () => void;
  /** A mistake of ours that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
}

/** What comes through the inbox. */
export type Message =
  | { readonly t: 'registration'; readonly registration: Registration }
  | { readonly t: 'answered'; readonly pending: Pending; readonly answers: Answers }
  | {
      readonly t: 'unanswered';
      readonly pending: Pending;
      readonly question: Question;
      readonly thrown: unknown;
    }
  | {
      readonly t: 'chain-ended';
      readonly pending: Pending;
      readonly verdict: Extract<Verdict, { readonly t: 'do' }>;
      readonly end: ChainEnd;
    };
