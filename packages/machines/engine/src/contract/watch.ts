import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { CairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import type { ObjectClaim, ClaimingStep, PreviewClaims } from '../model/claims.js';
import { hasPremises } from './claims.js';
import { contractDiagnostic } from './contract-diagnostic.js';
import type { Departure } from './departures.js';
import {
  actionDepartures,
  checkDepartures,
  noChangesDepartures,
  previewDepartures,
  replaceKeyDepartures,
  stableDepartures,
} from './rules.js';
import type { ContractRule } from './rules.js';
import { seedOf } from './seeds.js';

/** Fixed options of a watch. */
interface WatchOptions {
  readonly preview: boolean;
  /** True if broken rules are errors: requests fail, and steps fail after their result was recorded. */
  readonly strict: boolean;
  /** Key for made-up names. A key from the claims of a preview takes precedence. */
  readonly seedKey: Uint8Array;
  /** Claims of the preview before this operation. */
  readonly claims: PreviewClaims | undefined;
  report(diagnostic: Diagnostic): void;
}

/** Resource that a provider's answer is about. */
type Subject = Pick<ResourceEntry, 'urn' | 'type'>;

/**
 * Compares a provider's answers with its earlier ones ({@link ContractRule}). A broken rule is a warning by default,
 * and is reported once for each resource. Keeps O(resources that change). Provider resources are not judged: their
 * settings are texts.
 */
export class ContractWatch {
  readonly #claims = new Map<Urn, ObjectClaim>();
  /** Outputs that the diff of an update declared stable, until the update has ended. */
  readonly #stable = new Map<Urn, readonly string[]>();
  readonly #reported = new Set<string>();
  readonly #options: WatchOptions;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Claims of this preview. Empty in a real operation. */
  get claims(): PreviewClaims {
    return { byUrn: this.#claims, seedKey: this.#options.seedKey };
  }

  /**
   * Returns the seed for the names that a provider makes up for a resource. It is the same in a preview and in the run
   * after it.
   */
  seed(urn: Urn): Uint8Array {
    return seedOf(this.#options.claims?.seedKey ?? this.#options.seedKey, urn);
  }

  /** Judges a check without failures. Throws a CairnError when strict. */
  checked(of: Subject, news: PropertyMap, answered: PropertyMap, prior: PropertyMap | undefined): void {
    if (isProviderType(of.type) || news === answered) return;
    this.#say('check', of, checkDepartures(news, answered, prior));
  }

  /** Judges any diff of an object against inputs. Throws a CairnError when strict. */
  compared(of: Subject, prior: ResourceEntry, inputs: PropertyMap, diff: DiffResponse): void {
    if (isProviderType(of.type)) return;
    this.#say('no-changes', of, noChangesDepartures(diff, prior.inputs, inputs));
    this.#say('replace-key', of, replaceKeyDepartures(diff, [prior.inputs, prior.outputs, inputs]));
  }

  /** Does the same as {@link compared}, for the diff that decides the outcome of a registration. */
  diffed(of: Subject, prior: ResourceEntry, inputs: PropertyMap, diff: DiffResponse): void {
    this.compared(of, prior, inputs, diff);
    if (isProviderType(of.type)) return;
    const claim = this.#options.claims?.byUrn.get(of.urn);
    if (claim?.kind === 'update') this.#say('action', of, actionDepartures(diff, claim.inputs, inputs));
    if (diff.stableKeys.length > 0 && diff.changes !== 'none') this.#stable.set(of.urn, diff.stableKeys);
  }

  /**
   * Judges a create or an update by the entry that it left. In preview the entry's outputs become claims, if they are
   * the provider's `ownAnswer`. When strict, returns the diagnostic that fails the step. Its entry is recorded all the
   * same.
   */
  applied(step: ClaimingStep, entry: ResourceEntry, ownAnswer: boolean): Diagnostic | undefined {
    if (isProviderType(entry.type)) return undefined;
    const stable = this.#stable.get(step.urn) ?? [];
    this.#stable.delete(step.urn);
    if (this.#options.preview) {
      if (ownAnswer) this.#claim(step, entry);
      return undefined;
    }
    const broken = [
      ...this.#judge('preview', entry, this.#againstClaims(step, entry)),
      ...this.#judge(
        'stable',
        entry,
        step.kind === 'update' ? stableDepartures(stable, step.old.outputs, entry.outputs) : [],
      ),
    ];
    if (this.#options.strict) return broken[0];
    for (const diagnostic of broken) this.#options.report(diagnostic);
    return undefined;
  }

  #claim(step: ClaimingStep, entry: ResourceEntry): void {
    const old = step.kind === 'create' ? undefined : step.old;
    this.#claims.set(step.urn, { kind: step.kind, inputs: step.new.inputs, outputs: entry.outputs, old });
  }

  #againstClaims(step: ClaimingStep, entry: ResourceEntry): readonly Departure[] {
    const claim = this.#options.claims?.byUrn.get(step.urn);
    if (claim === undefined || !hasPremises(claim, step)) return [];
    return previewDepartures(claim.outputs, entry.outputs);
  }

  #say(rule: ContractRule, of: Subject, found: readonly Departure[]): void {
    const broken = this.#judge(rule, of, found);
    if (broken.length === 0) return;
    if (this.#options.strict) throw new CairnError(broken);
    for (const diagnostic of broken) this.#options.report(diagnostic);
  }

  #judge(rule: ContractRule, of: Subject, found: readonly Departure[]): readonly Diagnostic[] {
    if (found.length === 0) return [];
    const { strict } = this.#options;
    const key = `${rule} ${of.urn}`;
    if (!strict && this.#reported.has(key)) return [];
    this.#reported.add(key);
    return [contractDiagnostic(rule, of, found, strict)];
  }
}
