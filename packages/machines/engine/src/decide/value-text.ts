import { kindOf } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/** Formats a value as a short text for a diagnostic. Secrets are not shown, and containers only by kind. */
export function shortValueText(value: PropertyValue | undefined): string {
  if (value === undefined) return 'nothing';
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
    case 'boolean':
    case 'number':
      return String(value);
    case 'string':
      return JSON.stringify(value);
    case 'secret':
      return '[secret]';
    case 'unknown':
    case 'output':
      return '[not known yet]';
    default:
      return `[${kind}]`;
  }
}
