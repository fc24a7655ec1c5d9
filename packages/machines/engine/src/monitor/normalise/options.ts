import { warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import { parsePathTolerantly } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';
import type { RegisterResourceRequest } from '@cairn/wire';
import type { Goal } from '../../model/goal.js';
import { storedHooks } from '../../model/hook-moments.js';
import { OPTIONS, blankOf } from '../../model/options.js';
import type { GoalOption, OptionsWith, Taken } from '../../model/options.js';
import { invalid, optionalUrn, urnOf } from '../refusal.js';
import type { NormalisePass } from './draft.js';

/** Takes options as they are, or only parses them: those with such a row in the table, without the parent's part. */
export const options: NormalisePass = ({ request, goal }, { tell }) => {
  const found: Record<string, unknown> = { ...BLANK_OWN };
  for (let at = 0; at < OWN.length; at++) {
    const name = OWN[at] as TakenOption;
    const said = taken(request, name);
    if (said !== undefined) found[name] = said;
  }
  const { additionalSecretOutputs: secrets } = request;
  if (secrets.length > 0) found['additionalSecretOutputs'] = secretOutputs(secrets, goal.urn, tell);
  return { goal: found as Partial<Goal> };
};

/** Inherits the options that the table allows from the parent, unless the resource sets them [REG-9]. */
export const inherit: NormalisePass = ({ request, parent }) => {
  const found: Record<string, unknown> = { ...BLANK_INHERITED };
  for (let at = 0; at < INHERITED.length; at++) {
    const name = INHERITED[at] as (typeof INHERITED)[number];
    const said = taken(request, name) ?? parent?.[name];
    if (said !== undefined) found[name] = said;
  }
  return { goal: found as Partial<Goal> };
};

/** Takes the names of hooks by moment. Their existence is checked when they are needed [HOOK-2]. */
export const hooks: NormalisePass = ({ request }) =>
  request.hooks === undefined ? undefined : { goal: { resourceHooks: storedHooks(request.hooks) } };

/** Options of requests that need no pass of their own. */
type TakenOption = OptionsWith<'taken', Exclude<Taken, 'own pass'>>;

const TAKEN = (Object.keys(OPTIONS) as GoalOption[]).filter(
  (name): name is TakenOption => OPTIONS[name].taken !== 'own pass',
);
const OWN = TAKEN.filter((name) => OPTIONS[name].inherited === 'no');
/** Options that a resource inherits from its parent if it does not set them. */
const INHERITED = TAKEN.filter(
  (name): name is TakenOption & OptionsWith<'inherited', 'unset'> => OPTIONS[name].inherited === 'unset',
);

/** Templates of findings. V8 copies an object that has every field at once. */
const BLANK_OWN = blankOptions([...OWN, 'additionalSecretOutputs']);
const BLANK_INHERITED = blankOptions(INHERITED);

function blankOptions(names: readonly GoalOption[]): Partial<Goal> {
  return Object.fromEntries(names.map((name) => [name, blankOf(name)]));
}

/**
 * Returns the option from the request. Undefined for a list without items: goals share the blank one. Refuses an
 * invalid value with the name of the option.
 */
function taken(request: RegisterResourceRequest, name: TakenOption): unknown {
  const said = request[name];
  switch (OPTIONS[name].taken) {
    case 'as is':
      return said;
    case 'path texts':
      if (!isFilled(said)) return undefined;
      for (const text of said) pathOf(text, name);
      return said;
    case 'paths':
      return isFilled(said) ? said.map((text) => pathOf(text, name)) : undefined;
    case 'urn':
      return optionalUrn(said as string, name);
    case 'urns':
      return isFilled(said) ? said.map((text) => urnOf(text, name)) : undefined;
  }
}

function isFilled(said: unknown): said is readonly string[] {
  return (said as readonly string[]).length > 0;
}

function pathOf(text: string, option: string): PropertyPath {
  try {
    return parsePathTolerantly(text);
  } catch (error) {
    throw invalid(`${option} ${JSON.stringify(text)} is not a property path: ${messageOf(error)}`, error);
  }
}

/** Returns the outputs to keep secret. An id cannot be one: it is stored and shown in plain text [REG-8]. */
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
