import path from 'node:path';
import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { EngineEvent, Violation } from '@cairn/engine';
import { changedKeys, diffMaps } from '@cairn/values';
import type { PolicySeverity } from '@cairn/wire';
import { visibleName } from '../terminal/controls.js';
import { stripEscapes } from '../terminal/paint.js';
import type { Paint } from '../terminal/paint.js';
import { keyText } from './value-text.js';

type Remediation = Extract<EngineEvent, { readonly t: 'policy-remediation' }>;

/** Severities, worst first. */
const SEVERITIES: readonly PolicySeverity[] = ['critical', 'high', 'medium', 'low', 'unspecified'];

/** Results of the packs of one name and version. */
interface PackSection {
  readonly violations: Violation[];
  readonly remediations: Remediation[];
  /** Folders of the packs that do not come from a backend. */
  readonly directories: Set<string>;
}

/** Results of policy packs in one pass, shown as a section at its end. */
export class PolicySection {
  readonly #packs = new Map<string, PackSection>();
  readonly #cwd: string;
  readonly #unicode: boolean;

  /** Folders of packs are shown relative to `cwd`. */
  constructor(cwd: string, unicode: boolean) {
    this.#cwd = cwd;
    this.#unicode = unicode;
  }

  take(event: EngineEvent): void {
    switch (event.t) {
      case 'policy-summary': {
        const { directories } = this.#pack(event.summary);
        const { packDirectory } = event.summary;
        if (packDirectory !== undefined) directories.add(path.relative(this.#cwd, packDirectory) || '.');
        return;
      }
      case 'policy-violation':
        this.#pack(event.violation).violations.push(event.violation);
        return;
      case 'policy-remediation':
        this.#pack(event).remediations.push(event);
        return;
      default:
        return;
    }
  }

  /**
   * Returns the lines pack by pack, in order of appearance: corrections in their order, then violations, worst first,
   * one on each line. `cut` is true if the pass did not complete, so that packs have not seen everything.
   */
  lines(paint: Paint, cut = false): readonly string[] {
    if (this.#packs.size === 0) return [];
    const lines = [paint.bold('Policies:')];
    for (const [label, { violations, remediations, directories }] of this.#packs) {
      const whole = violations.length === 0 ? paint.green('kept') : `${violations.length} broken`;
      const fine = cut ? `${violations.length} broken so far` : whole;
      const local = directories.size === 0 ? '' : ` (local: ${[...directories].join('; ')})`;
      const mark = MARKS[gravityOf(violations, cut)][this.#unicode ? 'unicode' : 'ascii'];
      lines.push(`    ${mark} ${stripEscapes(`${label}${local}`)}: ${fine}`);
      for (const each of remediations) lines.push(remediationLine(each, paint));
      for (const each of violations.toSorted(worstFirst)) lines.push(violationLine(each, paint));
    }
    return [...lines, ''];
  }

  #pack({ packName, packVersion }: { readonly packName: string; readonly packVersion: string }) {
    const label = packVersion === '' ? packName : `${packName}@v${packVersion}`;
    const known = this.#packs.get(label);
    if (known !== undefined) return known;
    const made = { violations: [], remediations: [], directories: new Set<string>() };
    this.#packs.set(label, made);
    return made;
  }
}

const MARKS = {
  kept: { unicode: '✅', ascii: 'ok' },
  open: { unicode: '➖', ascii: '-' },
  advisory: { unicode: '⚠️', ascii: '!' },
  mandatory: { unicode: '❌', ascii: 'x' },
} as const;

function gravityOf(violations: readonly Violation[], cut: boolean): keyof typeof MARKS {
  if (violations.some(({ level }) => level === 'mandatory')) return 'mandatory';
  if (violations.length > 0) return 'advisory';
  return cut ? 'open' : 'kept';
}

/** Orders violations: mandatory before advisory, then by severity, then by policy and resource. */
export function worstFirst(a: Violation, b: Violation): number {
  const rank = (violation: Violation): number =>
    (violation.level === 'mandatory' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(violation.severity);
  const named = (violation: Violation): string => `${violation.policyName}\n${violation.urn}`;
  return rank(a) - rank(b) || (named(a) < named(b) ? -1 : named(a) > named(b) ? 1 : 0);
}

function violationLine(violation: Violation, paint: Paint): string {
  const { level, severity, policyName, urn, message } = violation;
  const colour = level === 'mandatory' ? paint.red : paint.yellow;
  const grave = severity === 'unspecified' ? '' : ` (${severity})`;
  const why = stripEscapes(message).replace(/\s+/g, ' ').trim();
  return `        ${colour(`[${level}]`)} ${visibleName(policyName)}${grave}  ${about(urn)}: ${why}`;
}

function remediationLine({ policyName, urn, before, after }: Remediation, paint: Paint): string {
  const keys = changedKeys(diffMaps(before, after)).map(keyText).join(', ');
  const what = keys === '' ? 'changes nothing' : `sets ${keys}`;
  return `        ${paint.cyan('[remediate]')} ${visibleName(policyName)}  ${about(urn)}  ${what}`;
}

function about(urn: Urn): string {
  return visibleName(`${urnType(urn)} ${urnName(urn)}`);
}
