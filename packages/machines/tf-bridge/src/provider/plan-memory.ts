import { equal, impliedType } from '@cairn/tfplugin';
import type { Block, TfValue } from '@cairn/tfplugin';
import { likeTimeouts } from '../edge/index.js';
import type { ObjectState, Planned, Subject, TerraformClient } from '../lifecycle/index.js';

/** A plan that the engine has been told of. */
interface Remembered {
  /** The stored text of the object that it was made for. */
  readonly prior: string;
  readonly planned: Planned;
}

/**
 * The last plan of each object that the engine was told of, so that what is applied can be held against it [TFB-9].
 * A plan that was made for another configuration or another object says nothing.
 */
export class PlanMemory {
  readonly #plans = new Map<string, Remembered>();

  /** What changes nothing is not applied, and not kept. */
  remember(urn: string, prior: string, planned: Planned): void {
    if (planned.action === 'none') this.#plans.delete(urn);
    else this.#plans.set(urn, { prior, planned });
  }

  clear(): void {
    this.#plans.clear();
  }

  /** The object from before as the plan that was told of has it. */
  stateOf(urn: string, prior: string): ObjectState | undefined {
    const found = this.#plans.get(urn);
    return found?.prior === prior ? found.planned.prior : undefined;
  }

  /** Fails where a plan that is about to be applied is not the one that was told of. */
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

  /** Private data for the delete of an object that is being replaced: that of the plan of the new one. */
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
  return equal(impliedType(block), one, other);
}
