import { tokenPackage, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { shortValueText } from '../decide/value-text.js';
import type { Departure } from './departures.js';
import type { ContractRule } from './rules.js';

/** Texts of each broken rule: its description, and the two values of a property. */
const RULES = {
  check: {
    what: 'its check changed inputs, but may only add to them',
    values: (program, checked) => `the program gives ${program}, the check answered ${checked}`,
  },
  preview: {
    what: 'it showed values in the preview and applied others',
    values: (shown, applied) => `shown ${shown}, applied ${applied}`,
  },
  action: {
    what: 'it announced an update and now asks for a replacement, with the same inputs',
    values: (value) => `forces the replacement, with the value ${value} in both`,
  },
  stable: {
    what: 'its update changed outputs that it had declared stable',
    values: (before, after) => `was ${before}, is ${after}`,
  },
  'no-changes': {
    what: 'its diff has no changes but names properties that differ',
    values: (before, present) => `before ${before}, now ${present}`,
  },
  'replace-key': {
    what: 'its diff asks for a replacement because of properties that do not exist',
    values: () => 'neither an input nor an output of the resource',
  },
} as const satisfies Record<
  ContractRule,
  { readonly what: string; readonly values: (promised: string, given: string) => string }
>;

/** Maximum length of a shown value, in characters. */
const SHOWN = 80;

/**
 * Makes the diagnostic of a broken rule. It names provider and resource, and has one cause for each property with both
 * values, secrets masked.
 */
export function contractDiagnostic(
  rule: ContractRule,
  { urn, type }: { readonly urn: Urn; readonly type: string },
  found: readonly Departure[],
  strict: boolean,
): Diagnostic {
  const provider = tokenPackage(type);
  const make = strict ? errorDiagnostic : warningDiagnostic;
  const { what, values } = RULES[rule];
  return make(
    'CAIRN-PROVIDER-CONTRACT',
    `provider "${provider}" broke its contract for ${type} "${urnName(urn)}": ${what}`,
    {
      urn,
      causes: found.map(
        (each) => `${each.path}: ${values(shown(each, each.promised), shown(each, each.given))}`,
      ),
      hint: strict
        ? `Report this bug to the authors of "${provider}", or run without --strict-providers.`
        : `Report this bug to the authors of "${provider}".`,
    },
  );
}

/** Returns the findings of a rule in one line: each property with both values, secrets masked. */
export function departuresText(rule: ContractRule, found: readonly Departure[]): string {
  const { values } = RULES[rule];
  return found
    .map((each) => `${each.path}: ${values(shown(each, each.promised), shown(each, each.given))}`)
    .join('; ');
}

function shown({ secret }: Departure, value: Departure['promised']): string {
  if (value === undefined) return 'nothing';
  if (secret) return '[secret]';
  const text = shortValueText(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
