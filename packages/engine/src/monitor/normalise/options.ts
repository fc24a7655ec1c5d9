import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import { parsePathTolerantly } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';
import { invalid, urnOf } from '../refusal.js';
import type { Pass } from './draft.js';

/** Options that are taken as they are, or only parsed. */
export const options: Pass = ({ request, goal }, { tell }) => ({
  goal: {
    deleteBeforeReplace: request.deleteBeforeReplace,
    ignoreChanges: paths(request.ignoreChanges, 'ignoreChanges'),
    replaceOnChanges: paths(request.replaceOnChanges, 'replaceOnChanges'),
    hideDiffs: request.hideDiffs.map((text) => pathOf(text, 'hideDiffs')),
    additionalSecretOutputs: secretOutputs(request.additionalSecretOutputs, goal.urn, tell),
    importId: request.importId,
    replaceWith: request.replaceWith.map((urn) => urnOf(urn, 'replaceWith')),
    replacementTrigger: request.replacementTrigger,
    snippetId: request.snippetId,
  },
});

/** The paths as they were given; rules and state take texts. */
function paths(texts: readonly string[], option: string): readonly string[] {
  for (const text of texts) pathOf(text, option);
  return texts;
}

function pathOf(text: string, option: string): PropertyPath {
  try {
    return parsePathTolerantly(text);
  } catch (error) {
    throw invalid(`${option} ${JSON.stringify(text)} is not a property path: ${messageOf(error)}`, error);
  }
}

/** Outputs to keep secret. An id cannot be one: it is stored and shown in the clear [REG-8]. */
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
