import type { TfPath } from '../values/index.js';
import type { FindingCode } from './codes.js';
import { FINDINGS } from './codes.js';

/** One way in which an answer breaks the contract. Values are never part of it. */
export interface Finding {
  readonly path: TfPath;
  readonly code: FindingCode;
  /** The rule that is broken, by its id. */
  readonly rule: string;
  /** What is at the path is secret: no later message may show it either. */
  readonly masked: boolean;
  /** Which key or element is meant, where the path leads to the collection. */
  readonly key?: string;
}

/** A finding that is made outside of the rules here, e.g. about an answer that cannot be read. */
export function findingAt(path: TfPath, code: FindingCode): Finding {
  return Object.freeze({ path, code, rule: FINDINGS[code].rule, masked: false });
}

/** Collects findings. */
export class Findings {
  readonly #found: Finding[] = [];
  readonly #masks: TfPath[];

  /** `masks`: paths below which values are secret, whatever the schema says. */
  constructor(masks: readonly TfPath[] = []) {
    this.#masks = [...masks];
  }

  /** What is at or below a path is secret too. */
  mask(path: TfPath): void {
    this.#masks.push(path);
  }

  add(
    path: TfPath,
    code: FindingCode,
    more: { readonly masked?: boolean; readonly key?: string } = {},
  ): void {
    const masked = more.masked === true || this.isMasked(path);
    const key = more.key === undefined || masked ? {} : { key: more.key };
    this.#found.push(Object.freeze({ path, code, rule: FINDINGS[code].rule, masked, ...key }));
  }

  /** Whether a path leads to, into or past a secret. */
  isMasked(path: TfPath): boolean {
    return this.#masks.some((mask) => overlap(mask, path));
  }

  get all(): readonly Finding[] {
    return this.#found;
  }
}

function overlap(mask: TfPath, path: TfPath): boolean {
  return mask.every((step, at) => at >= path.length || plain(step) === plain(path[at] as TfPath[number]));
}

function plain(step: TfPath[number]): string | number {
  if (typeof step !== 'object') return step;
  return typeof step.key === 'string' ? step.key : '…';
}
