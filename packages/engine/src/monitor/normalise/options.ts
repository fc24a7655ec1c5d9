import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import { parsePath } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';
import { invalid, urnOf } from '../refusal.js';
import type { Pass } from './draft.js';

/** Options that are taken as they are, or only parsed. */
export const options: Pass = ({ request, goal }, { tell }) => ({
  goal: {
    deleteBeforeReplace: request.deleteBeforeReplace,
    ignoreChanges: request.ignoreChanges,
    replaceOnChanges: request.replaceOnChanges,
    hideDiffs: request.hideDiffs.map(hiddenPath),
    additionalSecretOutputs: secretOutputs(request.additionalSecretOutputs, goal.urn, tell),
    importId: request.importId,
    replaceWith: request.replaceWith.map((urn) => urnOf(urn, 'replaceWith')),
    replacementTrigger: request.replacementTrigger,
    snippetId: request.snippetId,
  },
});

function hiddenPath(text: string): PropertyPath {
  try {
    return parsePath(text);
  } catch (error) {
    throw invalid(`hideDiffs ${JSON.stringify(text)} is not a property path: ${messageOf(error)}`, error);
  }
}

/** Outputs to keep secret. An id cannot be one: it is stored and shown in the clear (D3). */
export function secretOutputs(
  names: readonly string[],
  urn: Urn,
  tell: (diagnostic: Diagnostic) => void,
): readonly string[] {
  if (!names.includes('id')) return names;
  tell(
    warningDiagnostic('CAIRN-RESOURCE-OPTION', 'the id of a resource cannot be made secret', {
      urn,
      hint: 'Remove "id" from additionalSecretOutputs.',
    }),
  );
  return names.filter((name) => name !== 'id');
}
