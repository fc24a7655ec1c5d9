import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { containsUnknown, equal, plainOutputs, stripSecrets } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { Facts } from './facts.js';
import { comparedEntry } from './facts.js';

/** True if the replacement trigger asks for a new object, or the reason why that is unknown [DIFF-7]. */
type TriggerAnswer = { readonly fires: boolean } | { readonly refusal: Diagnostic };

/**
 * Evaluates the replacement trigger. Null or a missing trigger on either side never fires. Other values are compared
 * without secret and output wrappers. In a real run the trigger of an existing resource must be known, regardless of
 * its old value.
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
