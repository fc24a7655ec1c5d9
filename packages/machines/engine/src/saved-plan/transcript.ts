import type { Extension } from '@cairn/state';
import { containsUnknown } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { Registration } from '../model/registration.js';
import type { Said, Transcript } from '../model/saved-plan.js';

/** Returns a registration without its reply. */
export function saidBy(registration: Registration): Said {
  switch (registration.t) {
    case 'register':
      return { t: 'register', goal: registration.goal };
    case 'read':
      return { t: 'read', goal: registration.goal };
    case 'outputs': {
      const { reply: _none, ...said } = registration;
      return said;
    }
  }
}

/**
 * Returns the transcript of a preview. It is complete if every value is known and none is a function of the program.
 * Ids of providers that the preview would only have made do not count as values: a replay learns them from the answers.
 */
export function transcriptOf(
  said: readonly Said[],
  extensions: Readonly<Record<string, Extension>>,
): Transcript {
  for (const each of said) {
    const why = openIn(each, extensions);
    if (why !== undefined) return { t: 'incomplete', why };
  }
  return { t: 'complete', said, extensions };
}

/** Returns every value in a transcript. */
export function valuesOf(transcript: Transcript): readonly PropertyValue[] {
  return transcript.t === 'complete' ? transcript.said.flatMap(valuesIn) : [];
}

function openIn(said: Said, extensions: Readonly<Record<string, Extension>>): string | undefined {
  const urn = said.t === 'outputs' ? said.urn : said.goal.urn;
  if (valuesIn(said).some(containsUnknown)) {
    const what = said.t === 'outputs' && containsUnknown(said.outputs) ? 'outputs' : 'inputs';
    return `the ${what} of ${urn} were not all known before the operation`;
  }
  if (said.t === 'outputs') return undefined;
  if (said.t === 'read' && said.goal.idUnknown) return `the id of ${urn} was not known before the operation`;
  if (said.t === 'register' && Object.values(said.goal.resourceHooks).some((names) => names.length > 0))
    return `hooks of ${urn} are functions of the program`;
  const { extensionRef } = said.goal;
  return extensionRef === undefined || Object.hasOwn(extensions, extensionRef)
    ? undefined
    : `the package of ${urn} is extended by the program`;
}

function valuesIn(said: Said): readonly PropertyValue[] {
  switch (said.t) {
    case 'register': {
      const { inputs, replacementTrigger } = said.goal;
      return replacementTrigger === undefined ? [inputs] : [inputs, replacementTrigger];
    }
    case 'read':
      return [said.goal.properties];
    case 'outputs':
      return said.lateInputs === undefined ? [said.outputs] : [said.outputs, said.lateInputs];
  }
}
