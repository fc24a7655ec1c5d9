import type { TfPath } from '../values/index.js';
import type { FindingCode } from './codes.js';
import { FINDINGS } from './codes.js';

/** Violation of the contract by an answer. It never contains values. */
export interface ContractFinding {
  readonly path: TfPath;
  readonly code: FindingCode;
  /** Id of the rule that is broken. */
  readonly rule: string;
  /** True if the value at the path is secret: no later message may show it either. */
  readonly masked: boolean;
  /** Key or element at fault, if the path leads to the collection. */
  readonly key?: string;
}

/** Creates a finding outside of these rules, e.g. about an answer that cannot be read. */
export function findingAt(path: TfPath, code: FindingCode): ContractFinding {
  return Object.freeze({ path, code, rule: FINDINGS[code].rule, masked: false });
}

/** Collects findings. */
export class ContractFindings {
  readonly #found: ContractFinding[] = [];
  readonly #masks: TfPath[];

  /** `masks` are paths below which values are secret, whatever the schema says. */
  constructor(masks: readonly TfPath[] = []) {
    this.#masks = [...masks];
  }

  /** Marks everything at or below a path as secret. */
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

  /** Checks if a path leads to, into or past a secret. */
  isMasked(path: TfPath): boolean {
    return this.#masks.some((mask) => overlap(mask, path));
  }

  get all(): readonly ContractFinding[] {
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
