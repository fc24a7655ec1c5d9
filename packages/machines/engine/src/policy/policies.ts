import { isUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Analysis, AnalyzedOptions, AnalyzedResource } from '@cairn/wire';
import type { EngineEvent } from '../model/events.js';
import type { Goal } from '../model/goal.js';
import { analyzedEntry, analyzedGoal, goalOptions } from './analyzed.js';
import type { EntryOf } from './analyzed.js';
import {
  analysisSummary,
  failedRemediation,
  packNames,
  remediationSummary,
  violationsOf,
} from './findings.js';
import type { Violation, Analyzed } from '../model/policy.js';
import type { Pack } from './pack.js';

/** Parts that the packs work with. */
interface PoliciesParts {
  readonly packs: readonly Pack[];
  readonly entryOf: EntryOf;
  readonly emit: (event: EngineEvent) => void;
  /** Limits the number of open analyses. */
  readonly limited: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Policy packs of one operation [POL-2]. They answer questions and leave no trace in state. */
export class Policies {
  /** Options of registrations, for the analysis of the stack. */
  readonly #options = new Map<Urn, AnalyzedOptions>();
  readonly #parts: PoliciesParts;

  constructor(parts: PoliciesParts) {
    this.#parts = parts;
  }

  /** Lets all packs correct one resource in their order, then lets all analyze the outcome in parallel [POL-2]. */
  async resource(goal: Goal, inputs: PropertyMap): Promise<Analyzed> {
    this.#options.set(goal.urn, goalOptions(goal));
    const seen = this.#seen(goal);
    const corrected = await this.#remediate(seen, inputs, this.#parts.emit);
    const violations = await this.#violations(seen(corrected));
    return {
      inputs: corrected,
      remediated: corrected !== inputs,
      mandatory: violations.filter((each) => each.level === 'mandatory'),
    };
  }

  /**
   * Analyzes a resource as a state has it and returns the mandatory violations. Corrections are reported but not
   * applied: the analysis receives the inputs as they are.
   */
  async entry(entry: ResourceEntry): Promise<readonly Violation[]> {
    const inputs = entry.inputs ?? emptyMap;
    const seen = (properties: PropertyMap): AnalyzedResource =>
      analyzedEntry(entry, properties, undefined, this.#parts.entryOf);
    await this.#remediate(seen, inputs, this.#parts.emit);
    return (await this.#violations(seen(inputs))).filter((each) => each.level === 'mandatory');
  }

  /** Returns a function from properties to the registration in the form that packs receive. */
  #seen(goal: Goal): (properties: PropertyMap) => AnalyzedResource {
    return (properties) => analyzedGoal(goal, properties, this.#parts.entryOf);
  }

  /** Returns the violations that all packs find, in parallel. */
  async #violations(resource: AnalyzedResource): Promise<readonly Violation[]> {
    const urn = resource.urn as Urn;
    const analyses = await this.#analyze((pack) => pack.analyzer.analyze(resource), 'run the policies of');
    return this.#parts.packs.flatMap((pack, index) => {
      const analysis = analyses[index] as Analysis;
      const found = violationsOf(pack, analysis, () => urn);
      this.#tell(found);
      const summary = analysisSummary(pack, 'resource', analysis);
      this.#parts.emit({ t: 'policy-summary', of: 'analyze', urn, summary });
      return found;
    });
  }

  /** Corrects the inputs of the object that replaces another. Corrections were reported for the first check. */
  async again(goal: Goal, inputs: PropertyMap): Promise<PropertyMap> {
    return this.#remediate(this.#seen(goal), inputs, () => undefined);
  }

  /**
   * Analyzes the final state as a whole and returns the mandatory violations [POL-6]. `root`: URN of the root stack.
   */
  async stack(
    entries: readonly ResourceEntry[],
    outputsOf: (entry: ResourceEntry) => PropertyMap,
    root: Urn,
  ): Promise<readonly Violation[]> {
    const present = entries.filter((entry) => !entry.delete && !entry.pendingReplacement);
    const known = new Set<string>(present.map((entry) => entry.urn));
    const resources = present.map((entry) =>
      analyzedEntry(entry, outputsOf(entry), this.#options.get(entry.urn), this.#parts.entryOf),
    );
    const analyses = await this.#analyze(
      (pack) => pack.analyzer.analyzeStack(resources),
      'run the stack policies of',
    );
    const violations = this.#parts.packs.flatMap((pack, index) => {
      const analysis = analyses[index] as Analysis;
      const found = violationsOf(pack, analysis, ({ urn }) => (isUrn(urn) && known.has(urn) ? urn : root));
      this.#tell(found);
      const summary = analysisSummary(pack, 'stack', analysis);
      this.#parts.emit({ t: 'policy-summary', of: 'analyze-stack', urn: undefined, summary });
      return found;
    });
    return violations.filter((each) => each.level === 'mandatory');
  }

  /** Asks the packs to stop [POL-8]. Never throws. */
  async cancel(): Promise<void> {
    await Promise.all(this.#parts.packs.map(({ analyzer }) => analyzer.cancel().catch(() => undefined)));
  }

  /** Closes the packs. Never throws. */
  async close(): Promise<void> {
    await Promise.all(this.#parts.packs.map(({ analyzer }) => analyzer.close().catch(() => undefined)));
  }

  async #remediate(
    seen: (properties: PropertyMap) => AnalyzedResource,
    inputs: PropertyMap,
    emit: (event: EngineEvent) => void,
  ): Promise<PropertyMap> {
    const urn = seen(inputs).urn as Urn;
    let current = inputs;
    for (const pack of this.#parts.packs) {
      const answer = await pack.analyzer.remediate(seen(current)).catch(failed('run remediation by', pack));
      for (const remediation of answer.remediations) {
        if (remediation.diagnostic !== '') {
          emit({ t: 'policy-violation', violation: failedRemediation(pack, urn, remediation) });
          continue;
        }
        const { policyName, properties } = remediation;
        const named = { urn, policyName, ...packNames(pack, remediation) };
        emit({ t: 'policy-remediation', ...named, before: current, after: properties });
        current = properties;
      }
      emit({ t: 'policy-summary', of: 'remediate', urn, summary: remediationSummary(pack, answer) });
    }
    return current;
  }

  #analyze(ask: (pack: Pack) => Promise<Analysis>, what: string): Promise<readonly Analysis[]> {
    const { packs, limited } = this.#parts;
    return Promise.all(packs.map((pack) => limited(() => ask(pack).catch(failed(what, pack)))));
  }

  #tell(violations: readonly Violation[]): void {
    for (const violation of violations) this.#parts.emit({ t: 'policy-violation', violation });
  }
}

/** Fails the run because a pack cannot answer. */
function failed(what: string, { info }: Pack): (thrown: unknown) => never {
  return (thrown) => {
    throw cairnError(
      'CAIRN-POLICY-PACK',
      `failed to ${what} policy pack ${info.name}: ${messageOf(thrown)}`,
      { hint: 'Report it to the authors of the pack, or run without it.' },
      thrown,
    );
  };
}
