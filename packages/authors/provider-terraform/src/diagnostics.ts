import { parsePathTolerantly } from '@cairn/values';
import type { PathSegment } from '@cairn/values';
import { isProviderError } from '@cairn/wire';
import type { CheckFailure } from '@cairn/wire';
import type { PathStep, TfPath } from '@cairn/tfplugin';
import type { TypeSpec } from '@cairn/provider-sdk/protocols';
import type { Fields } from './fields.js';
import { nestedNames } from './names.js';

/** A message to the user. */
export interface TerraformDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  /** The attribute that the message is about. Undefined for the whole object. */
  readonly attribute: TfPath | undefined;
}

/** Returns the failures of a check, at the attributes that represent the properties. */
export function failureDiagnostics(
  fields: Fields,
  failures: readonly CheckFailure[],
): readonly TerraformDiagnostic[] {
  return failures.map(({ property, reason }) => {
    const attribute = attributePath(fields, parsePathTolerantly(property));
    const summary = attribute.length === 0 ? 'Invalid configuration' : 'Invalid value';
    return { severity: 'error', summary, detail: sentence(`${property} ${reason}`), attribute };
  });
}

/** Returns the diagnostic of an error that a handler threw. `doing` names the failed action, for example `create`. */
export function failureDiagnostic(doing: string, error: unknown, mayBeThere = false): TerraformDiagnostic {
  const message = error instanceof Error ? error.message : String(error);
  const inDoubt = mayBeThere && (!isProviderError(error) || error.inDoubt);
  const doubt = inDoubt ? ' It is unknown whether anything was done; check before you continue.' : '';
  return {
    severity: 'error',
    summary: `Cannot ${doing}`,
    detail: `${sentence(message)}${doubt}`,
    attribute: undefined,
  };
}

/** Returns the diagnostic of an attribute that the configuration must not set. */
export function reportedOnly(name: string): TerraformDiagnostic {
  return {
    severity: 'error',
    summary: 'Value for an attribute that the provider reports',
    detail: `Remove ${name} from the configuration: the provider sets its value.`,
    attribute: [name],
  };
}

/** Returns the path of the attribute for a property. Ends at a property without a declared type. */
function attributePath(fields: Fields, path: readonly PathSegment[]): TfPath {
  const [first, ...rest] = path;
  const field = [...fields.values()].find(({ property }) => property === first);
  if (field === undefined) return [];
  const steps: PathStep[] = [field.name];
  let type: TypeSpec | undefined = field.spec.type;
  for (const segment of rest) {
    if (type.kind === 'array' && type.unordered !== true && typeof segment === 'number') {
      steps.push(segment);
      type = type.items.type;
    } else if (type.kind === 'map') {
      steps.push({ key: String(segment) });
      type = type.values.type;
    } else if (type.kind === 'object' && type.properties[String(segment)] !== undefined) {
      steps.push(nestedNames(type.properties).attributes.get(String(segment)) as string);
      type = (type.properties[String(segment)] as { readonly type: TypeSpec }).type;
    } else break;
  }
  return steps;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
