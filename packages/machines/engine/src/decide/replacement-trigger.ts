import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { containsUnknown, equal, plainOutputs, stripSecrets } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { Facts } from './facts.js';
import { comparedEntry } from './facts.js';

/** Whether the replacement trigger asks for a new object, or why that cannot be said [DIFF-7]. */
type TriggerAnswer = { readonly fires: boolean } | { readonly refusal: Diagnostic };

/**
 * Null or absent on either side never fires; otherwise values are compared without secret and output wrappers. In a
 * real run the trigger of a resource that exists must be known, whatever it was before.
 */
export function replacementTrigger(facts: Facts): TriggerAnswer {
  const old = comparedEntry(facts)?.replacementTrigger ?? null;
  const present = facts.goal.replacementTrigger ?? null;
  if (present === null || facts.answers.imported !== undefined) return { fires: false };
  if (containsUnknown(present) && !facts.policy.preview) {
    return {
      refusal: errorDiagnostic(
        'CAIRN-RESOURCE-OPTION',
        'the replacement trigger contains values that are not known',
        {
          urn: facts.goal.urn,
          hint: 'Use values in replacementTrigger that are known when the resource is registered.',
        },
      ),
    };
  }
  if (old === null) return { fires: false };
  if (containsUnknown(old) || containsUnknown(present)) return { fires: true };
  return { fires: !equal(bare(old), bare(present)) };
}

function bare(value: PropertyValue): PropertyValue {
  return stripSecrets(plainOutputs(value));
}
