import { isUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { PropertyPath } from '@cairn/values';
import { ALPHABET_NAMES } from '../model/naming.js';
import type { NamePart, Naming, NamingRule } from '../model/naming.js';
import { goalOf, isRollbackOption } from '../model/goal.js';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Place } from './place.js';
import type { Said, Transcript } from '../model/saved-plan.js';

/** Member of plan files that is ours: other tools know nothing of it. */
export const TRANSCRIPT_KEY = 'cairn';

/** What {@link transcriptJson} has written; undefined when there is nothing. Refuses anything else. */
export function readTranscript(place: Place): Transcript | undefined {
  if (place.isAbsent) return undefined;
  const { incomplete, said, extensions } = members(place, ['incomplete', 'said', 'extensions']);
  const why = incomplete.text();
  if (why !== undefined) return { t: 'incomplete', why };
  return {
    t: 'complete',
    said: said.items().map(readSaid),
    extensions: extensions.extensions(),
  };
}

function readSaid(place: Place): Said {
  const { register, read, outputs } = members(place, ['register', 'read', 'outputs']);
  if (!register.isAbsent) return { t: 'register', goal: readGoal(register) };
  if (!read.isAbsent) return { t: 'read', goal: readReadGoal(read) };
  const { urn, outputs: values } = members(outputs, ['urn', 'outputs']);
  return { t: 'outputs', urn: neededUrn(urn), outputs: values.properties() };
}

const COMMON_KEYS = [
  'urn',
  'type',
  'name',
  'parent',
  'provider',
  'dependencies',
  'additionalSecretOutputs',
  'aliases',
  'sourcePosition',
  'stackTrace',
  'extensionRef',
] as const;

const GOAL_KEYS = [
  ...COMMON_KEYS,
  'custom',
  'inputs',
  'propertyDependencies',
  'protect',
  'retainOnDelete',
  'deleteBeforeReplace',
  'ignoreChanges',
  'replaceOnChanges',
  'hideDiffs',
  'statedAliases',
  'importId',
  'customTimeouts',
  'deletedWith',
  'replaceWith',
  'replacementTrigger',
  'snippetId',
  'naming',
  'rollback',
  'idempotencyKey',
  'gates',
] as const;

function readGoal(place: Place): Goal {
  const at = members(place, GOAL_KEYS);
  const rollback = at.rollback.text();
  return goalOf({
    ...readCommon(at),
    custom: at.custom.flag() ?? false,
    inputs: at.inputs.properties(),
    propertyDependencies: Object.fromEntries(
      at.propertyDependencies.entries().map(([key, urns]) => [key, urns.urns()]),
    ),
    protect: at.protect.flag() ?? false,
    retainOnDelete: at.retainOnDelete.flag() ?? false,
    deleteBeforeReplace: at.deleteBeforeReplace.flag(),
    ignoreChanges: at.ignoreChanges.texts(),
    replaceOnChanges: at.replaceOnChanges.texts(),
    hideDiffs: at.hideDiffs.items().map(readPath),
    aliases: at.aliases.urns(),
    statedAliases: at.statedAliases.urns(),
    importId: at.importId.text() ?? '',
    customTimeouts: at.customTimeouts.timeouts(),
    deletedWith: at.deletedWith.urn(),
    replaceWith: at.replaceWith.urns(),
    replacementTrigger: at.replacementTrigger.value(),
    snippetId: at.snippetId.text(),
    naming: at.naming.isAbsent ? undefined : readNaming(at.naming),
    rollback:
      rollback === undefined || isRollbackOption(rollback)
        ? rollback
        : at.rollback.refuse('says of no way to take it back'),
    idempotencyKey: at.idempotencyKey.text(),
    gates: at.gates.items().map((gate) => {
      const { urn, reason } = members(gate, ['urn', 'reason']);
      return { urn: neededUrn(urn), reason: reason.text() ?? '' };
    }),
  });
}

function readReadGoal(place: Place): ReadGoal {
  const at = members(place, [...COMMON_KEYS, 'id', 'idUnknown', 'properties']);
  return {
    ...readCommon(at),
    id: at.id.text() ?? '',
    idUnknown: at.idUnknown.flag() ?? false,
    properties: at.properties.properties(),
    aliases: at.aliases.isAbsent ? undefined : at.aliases.urns(),
  };
}

function readCommon(at: Readonly<Record<(typeof COMMON_KEYS)[number], Place>>) {
  return {
    urn: neededUrn(at.urn),
    type: at.type.text() ?? '',
    name: at.name.text() ?? '',
    parent: at.parent.urn(),
    provider: at.provider.reference(),
    dependencies: at.dependencies.urns(),
    additionalSecretOutputs: at.additionalSecretOutputs.texts(),
    sourcePosition: at.sourcePosition.text(),
    stackTrace: at.stackTrace
      .items()
      .map((each) => ({ sourcePosition: members(each, ['sourcePosition']).sourcePosition.text() })),
    extensionRef: at.extensionRef.text(),
  };
}

function readPath(place: Place): PropertyPath {
  return place.items().map((segment) => segment.textOrNumber());
}

function readNaming(place: Place): Naming {
  const { rule, specific } = members(place, ['rule', 'specific']);
  return { rule: readRule(rule), specific: specific.flag() ?? false };
}

function readRule(place: Place): NamingRule {
  const at = members(place, ['t', 'parts', 'enforce']);
  switch (at.t.text()) {
    case 'verbatim':
      return { t: 'verbatim' };
    case 'disabled':
      return { t: 'disabled' };
    case 'pattern':
      return { t: 'pattern', parts: at.parts.items().map(readPart), enforce: at.enforce.flag() ?? false };
    default:
      return place.refuse('is no rule for names');
  }
}

function readPart(place: Place): NamePart {
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
  return place.refuse('is no part of a name');
}

/** The members of an object that may have only these. */
function members<K extends string>(place: Place, keys: readonly K[]): Readonly<Record<K, Place>> {
  const object = place.object(keys);
  return Object.fromEntries(keys.map((key) => [key, object.at(key)])) as Record<K, Place>;
}

function neededUrn(place: Place): Urn {
  const text = place.text();
  return text !== undefined && isUrn(text) ? text : place.refuse('is not a URN');
}
