import type { ContinuedView, PolicyFacts, ScopeFacts } from '../decide/facts.js';
import type { Unsettled } from '../decide/unsettled.js';
import type { Answers, Question, Verdict } from '../decide/verdict.js';
import type { ChainEnd } from '../execute/chain.js';
import type { HookRunner } from '../execute/hooks/hook-runner.js';
import type { InspectorPorts } from '../inspect/inspector.js';
import type { Goal } from '../model/goal.js';
import type { Registration } from '../model/registration.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { Concurrency } from './concurrency.js';
import type { PendingRegistration } from './pending.js';
import type { Run } from './run.js';

/** Parts that the loop works with. */
export interface LoopParts
  extends
    Pick<Run, 'ledger' | 'recorder' | 'chains' | 'lanes' | 'report' | 'plan' | 'settled'>,
    Pick<Concurrency, 'limiter' | 'backpressure' | 'questions'> {
  readonly hooks: HookRunner;
  readonly scope: ScopeFacts;
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly policy: PolicyFacts;
  /** Lineage that the operation continues, if any. */
  readonly continued?: ContinuedView | undefined;
  /** Returns the digest of a goal, in the form in which it is stored. If undefined, no digest is stored. */
  readonly digest?: ((goal: Goal) => string | undefined) | undefined;
  /** Resources that must wait because the outcome of a step is not known. */
  readonly unsettled: Unsettled;
  readonly continueOnError: boolean;
  readonly providers: ProviderSource;
  readonly inspector: InspectorPorts;
  /** Ends the operation: nothing new may start. Called once. */
  readonly onStop: () => void;
  /** Called when something has happened. */
  readonly onNews: () => void;
  /** Reports a bug in Cairn that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
}

/** Messages of the inbox. */
export type Message =
  | { readonly t: 'registration'; readonly registration: Registration }
  | { readonly t: 'answered'; readonly pending: PendingRegistration; readonly answers: Answers }
  | {
      readonly t: 'unanswered';
      readonly pending: PendingRegistration;
      readonly question: Question;
      readonly thrown: unknown;
    }
  | {
      readonly t: 'chain-ended';
      readonly pending: PendingRegistration;
      readonly verdict: Extract<Verdict, { readonly t: 'do' }>;
      readonly end: ChainEnd;
    };
