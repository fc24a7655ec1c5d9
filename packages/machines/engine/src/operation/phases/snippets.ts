import type { Snippet } from '@cairn/state';
import type { SchemaLoader } from '@cairn/wire';
import type { OperationRequest } from '../../model/request.js';
import type { Recorder } from '../../record/recorder.js';
import { bindSnippets } from '../../snippets/bind-snippets.js';
import { ownedByTargets, planSnippets, remainingSnippets } from '../../snippets/plan-snippets.js';
import type { SnippetPlan } from '../../snippets/plan-snippets.js';
import { SnippetSources } from '../../snippets/snippet-sources.js';

/** Handles the snippets of a stack during an operation [SNIP-1], from start to end. */
export class SnippetPhase {
  #plan: SnippetPlan | undefined;
  readonly #request: OperationRequest;
  readonly #recorder: Recorder;

  constructor(request: OperationRequest, recorder: Recorder) {
    this.#request = request;
    this.#recorder = recorder;
  }

  /**
   * Applies the requested changes and checks every snippet that is going to run. Only then are they recorded. Throws a
   * CairnError for a change that is not possible. Returns `undefined` if no snippet runs and the program is the only
   * source.
   */
  async start(schemas: SchemaLoader): Promise<SnippetSources | undefined> {
    const { base, snippets = {} } = this.#request;
    const plan = planSnippets(base.snippets ?? [], snippets);
    const bound = await bindSnippets(plan.run, schemas);
    this.#plan = plan;
    if (plan.changed) this.#recorder.snippets(plan.all);
    if (bound.length === 0 && plan.targets === undefined) return undefined;
    const owned = ownedByTargets(this.#request);
    return new SnippetSources({
      bound,
      request: this.#request,
      others: owned && ((urn) => (owned(urn) ? undefined : this.#recorder.live.live(urn)?.entry)),
    });
  }

  /** Removes deleted snippets whose resources are gone [SNIP-4]. */
  finish(): void {
    const plan = this.#plan;
    if (plan === undefined || plan.deleted.size === 0) return;
    const remaining = remainingSnippets(plan, this.#recorder.live.entries());
    if (remaining.length < plan.all.length) this.#recorder.snippets(remaining);
  }

  /** Restores the previous snippets because the operation is rolled back. */
  bringBack(snippets: readonly Snippet[]): void {
    const present = this.#plan?.all ?? this.#request.base.snippets ?? [];
    if (JSON.stringify(present) !== JSON.stringify(snippets)) this.#recorder.snippets(snippets);
  }
}
