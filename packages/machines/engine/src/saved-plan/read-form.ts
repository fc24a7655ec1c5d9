import { isUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { PropertyPath } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';
import { isRollbackOption } from '../model/goal.js';
import type { ResourceGate } from '../model/goal.js';
import { ALPHABET_NAMES } from '../model/naming.js';
import type { NamePart, Naming, NamingRule } from '../model/naming.js';
import type { OptionForm, FormValues } from '../model/option-forms.js';
import type { PlanPlace } from './place.js';

/** Readers of values by form. A missing value is read as the blank of the form. */
const READERS: { readonly [F in OptionForm]: (place: PlanPlace) => FormValues[F] } = {
  flag: (place) => place.flag() ?? false,
  choice: (place) => place.flag(),
  text: (place) => place.text() ?? '',
  label: (place) => place.text(),
  texts: (place) => place.texts(),
  urn: (place) => place.urn(),
  urns: (place) => place.urns(),
  urnSet: (place) => place.urns(),
  urnLists: (place) => readLists(place, (list) => list.urns()),
  textLists: (place) => readLists(place, (list) => list.texts()),
  reference: (place) => place.reference(),
  paths: (place) => place.items().map(readPath),
  timeouts: (place) => place.timeouts(),
  properties: (place) => place.properties(),
  value: (place) => place.value(),
  trace: (place) => place.items().map(readFrame),
  naming: (place) => (place.isAbsent ? undefined : readNaming(place)),
  rollback: readRollback,
  gates: (place) => place.items().map(readGate),
};

/** Reads the value at the place. Refuses a value that is not of the form. */
export function readForm<F extends OptionForm>(place: PlanPlace, form: F): FormValues[F] {
  return READERS[form](place);
}

function readLists<T>(
  place: PlanPlace,
  list: (place: PlanPlace) => readonly T[],
): Record<string, readonly T[]> {
  return Object.fromEntries(place.entries().map(([key, items]) => [key, list(items)]));
}

function readFrame(place: PlanPlace): FormValues['trace'][number] {
  return { sourcePosition: members(place, ['sourcePosition']).sourcePosition.text() };
}

function readRollback(place: PlanPlace): RollbackOption | undefined {
  const text = place.text();
  if (text === undefined || isRollbackOption(text)) return text;
  return place.refuse('does not name a way to roll it back');
}

function readGate(place: PlanPlace): ResourceGate {
  const { urn, reason } = members(place, ['urn', 'reason']);
  return { urn: neededUrn(urn), reason: reason.text() ?? '' };
}

function readPath(place: PlanPlace): PropertyPath {
  return place.items().map((segment) => segment.textOrNumber());
}

function readNaming(place: PlanPlace): Naming {
  const { rule, specific } = members(place, ['rule', 'specific']);
  return { rule: readRule(rule), specific: specific.flag() ?? false };
}

function readRule(place: PlanPlace): NamingRule {
  const at = members(place, ['t', 'parts', 'enforce']);
  switch (at.t.text()) {
    case 'verbatim':
      return { t: 'verbatim' };
    case 'disabled':
      return { t: 'disabled' };
    case 'pattern':
      return { t: 'pattern', parts: at.parts.items().map(readPart), enforce: at.enforce.flag() ?? false };
    default:
      return place.refuse('is not a naming rule');
  }
}

function readPart(place: PlanPlace): NamePart {
  const at = members(place, ['t', 'text', 'alphabet', 'length']);
  const alphabet = ALPHABET_NAMES.find((name) => name === at.alphabet.text());
  switch (at.t.text()) {
    case 'text':
      return { t: 'text', text: at.text.text() ?? '' };
    case 'name':
      return { t: 'name' };
    case 'uuid':
      return { t: 'uuid' };
    case 'random':
      if (alphabet !== undefined) return { t: 'random', alphabet, length: at.length.number() ?? 0 };
  }
  return place.refuse('is not a part of a name');
}

/** Returns the members of an object that may have only these. */
export function members<K extends string>(
  place: PlanPlace,
  keys: readonly K[],
): Readonly<Record<K, PlanPlace>> {
  const object = place.object(keys);
  return Object.fromEntries(keys.map((key) => [key, object.at(key)])) as Record<K, PlanPlace>;
}

/** Reads the URN that the place must contain. */
export function neededUrn(place: PlanPlace): Urn {
  const text = place.text();
  return text !== undefined && isUrn(text) ? text : place.refuse('is not a URN');
}
