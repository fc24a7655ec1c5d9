import { equalValues, impliedType } from '@cairn/tfplugin';
import type { Block, TfValue } from '@cairn/tfplugin';
import { likeTimeouts } from '../values/index.js';
import type { TerraformObjectState, Planned, Subject, TerraformClient } from '../lifecycle/index.js';

/** A plan that was reported to the engine. */
interface Remembered {
  /** The stored text of the object that it was made for. */
  readonly prior: string;
  readonly planned: Planned;
}

/**
 * The last reported plan of each object, to compare with the plan of the apply [TFB-9]. A plan made for another
 * configuration or another object is ignored.
 */
export class PlanMemory {
  readonly #plans = new Map<string, Remembered>();

  /** Remembers a plan. One without a change is not applied, and not kept. */
  remember(urn: string, prior: string, planned: Planned): void {
    if (planned.action === 'none') this.#plans.delete(urn);
    else this.#plans.set(urn, { prior, planned });
  }

  clear(): void {
    this.#plans.clear();
  }

  /** Returns the object before the change, as the reported plan has it. */
  stateOf(urn: string, prior: string): TerraformObjectState | undefined {
    const found = this.#plans.get(urn);
    return found?.prior === prior ? found.planned.prior : undefined;
  }

  /** Fails if a plan that is about to be applied differs from the reported one. */
  check(
    client: TerraformClient,
    subject: Subject,
    block: Block,
    final: Planned,
    prior: string | undefined,
  ): void {
    const found = this.#plans.get(subject.address);
    if (found === undefined) return;
    this.#plans.delete(subject.address);
    if (prior !== undefined && prior !== found.prior) return;
    if (prior === undefined && found.planned.action !== 'replace') return;
    // The timeouts of an update are known to the last plan only.
    const planned = withTimeoutsOf(block, found.planned, final);
    if (!sameConfiguration(block, planned.config, final.config)) return;
    client.checkSamePlan(subject, planned, final);
  }

  /** Returns private data for the delete of an object under replacement: that of the new object's plan. */
  replacing(urn: string, prior: string): Uint8Array | undefined {
    const found = this.#plans.get(urn);
    const replaces = found?.prior === prior && found.planned.action === 'replace';
    return replaces ? found.planned.private : undefined;
  }
}

function withTimeoutsOf(block: Block, planned: Planned, final: Planned): Planned {
  return {
    ...planned,
    config: likeTimeouts(block, planned.config, final.config),
    planned: likeTimeouts(block, planned.planned, final.planned),
  };
}

function sameConfiguration(block: Block, one: TfValue, other: TfValue): boolean {
  return equalValues(impliedType(block), one, other);
}
