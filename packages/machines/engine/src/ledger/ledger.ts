import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Reason } from '../model/reason.js';
import type { Cell } from '../model/cell.js';
import type { StepKind } from '../model/step-kinds.js';
import type { RegistrationProgress, RunView } from './queries.js';

/** One event of the run. */
export type RunEvent =
  | { readonly t: 'registered'; readonly urn: Urn }
  | { readonly t: 'matched'; readonly urn: Urn; readonly cell: Cell; readonly old: Urn }
  | {
      readonly t: 'decided';
      readonly urn: Urn;
      readonly cell: Cell | undefined;
      readonly kinds: readonly StepKind[];
    }
  | { readonly t: 'condemned'; readonly cell: Cell; readonly reason: Reason }
  | { readonly t: 'spared'; readonly cell: Cell }
  | { readonly t: 'ended'; readonly urn: Urn; readonly entry: ResourceEntry }
  | { readonly t: 'failed' | 'skipped'; readonly urn: Urn }
  | { readonly t: 'left-out'; readonly urn: Urn; readonly parent: Urn | undefined }
  | { readonly t: 'targeted' | 'untouched' | 'blamed' | 'vanished'; readonly urn: Urn }
  | { readonly t: 'kept'; readonly cell: Cell };

/**
 * State of this run so far, as a reducer over {@link RunEvent}s. One note is O(1). Rules read it through {@link
 * RunView}.
 */
export class Ledger implements RunView {
  readonly #progress = new Map<Urn, RegistrationProgress>();
  readonly #entries = new Map<Urn, ResourceEntry>();
  /** Old URN to the URN that claimed it through an alias. */
  readonly #claims = new Map<Urn, Urn>();
  readonly #oldUrns = new Map<Urn, Urn>();
  readonly #replaced = new Set<Urn>();
  readonly #matched = new Set<Cell>();
  readonly #processed = new Set<Cell>();
  readonly #condemned = new Map<Cell, Reason>();
  readonly #steps = new Map<Urn, StepKind>();
  readonly #targets = new Set<Urn>();
  readonly #untouched = new Set<Urn>();
  readonly #vanished = new Set<Urn>();
  readonly #kept = new Set<Cell>();
  /** Parents of resources that were left out. */
  readonly #leftOut = new Map<Urn, Urn | undefined>();
  readonly #blamed = new Set<Urn>();

  note(event: RunEvent): void {
    switch (event.t) {
      case 'registered':
        this.#progress.set(event.urn, 'registered');
        return;
      case 'matched':
        this.#matched.add(event.cell);
        if (event.old !== event.urn) {
          this.#claims.set(event.old, event.urn);
          this.#oldUrns.set(event.urn, event.old);
        }
        return;
      case 'decided':
        this.#progress.set(event.urn, 'decided');
        if (event.cell !== undefined) this.#processed.add(event.cell);
        this.#noteStep(event.urn, event.kinds);
        if (event.kinds.includes('replace')) this.#noteReplaced(event.urn);
        return;
      case 'condemned':
        this.#condemned.set(event.cell, event.reason);
        return;
      case 'spared':
        this.#condemned.delete(event.cell);
        return;
      case 'ended':
        this.#progress.set(event.urn, 'ended');
        this.#entries.set(event.urn, event.entry);
        return;
      case 'failed':
      case 'skipped':
        this.#progress.set(event.urn, event.t);
        return;
      case 'left-out':
        this.#progress.set(event.urn, event.t);
        this.#leftOut.set(event.urn, event.parent);
        return;
      case 'targeted':
        this.#targets.add(event.urn);
        return;
      case 'untouched':
        this.#untouched.add(event.urn);
        return;
      case 'vanished':
        this.#vanished.add(event.urn);
        return;
      case 'blamed':
        this.#blamed.add(event.urn);
        return;
      case 'kept':
        this.#kept.add(event.cell);
        return;
      default: {
        const never: never = event;
        return never;
      }
    }
  }

  progress(urn: Urn): RegistrationProgress | undefined {
    return this.#progress.get(urn);
  }

  entry(urn: Urn): ResourceEntry | undefined {
    return this.#entries.get(urn);
  }

  claimedBy(old: Urn): Urn | undefined {
    return this.#claims.get(old);
  }

  oldUrn(urn: Urn): Urn | undefined {
    return this.#oldUrns.get(urn);
  }

  isReplaced(urn: Urn): boolean {
    return this.#replaced.has(urn);
  }

  isMatched(cell: Cell): boolean {
    return this.#matched.has(cell);
  }

  isProcessed(cell: Cell): boolean {
    return this.#processed.has(cell);
  }

  isCondemned(cell: Cell): boolean {
    return this.#condemned.has(cell);
  }

  condemnation(cell: Cell): Reason | undefined {
    return this.#condemned.get(cell);
  }

  hasVanished(urn: Urn): boolean {
    return this.#vanished.has(urn);
  }

  step(urn: Urn): StepKind | undefined {
    return this.#steps.get(urn);
  }

  isTargeted(urn: Urn): boolean {
    return this.#targets.has(urn);
  }

  isUntouched(urn: Urn): boolean {
    return this.#untouched.has(urn);
  }

  isKept(cell: Cell): boolean {
    return this.#kept.has(cell);
  }

  leftOutParent(urn: Urn): Urn | undefined {
    return this.#leftOut.get(urn);
  }

  isBlamed(urn: Urn): boolean {
    return this.#blamed.has(urn);
  }

  #noteStep(urn: Urn, kinds: readonly StepKind[]): void {
    const [first] = kinds;
    const kind = kinds.includes('replace') ? 'replace' : first;
    if (kind !== undefined) this.#steps.set(urn, kind);
  }

  #noteReplaced(urn: Urn): void {
    this.#replaced.add(urn);
    const old = this.#oldUrns.get(urn);
    if (old !== undefined) this.#replaced.add(old);
  }
}
