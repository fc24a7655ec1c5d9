import { asUrn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { decideUndo } from './undo.js';
import type { UndoFacts } from './undo.js';
import type { UndoPart } from '../model/undo-part.js';

const urn = asUrn('urn:pulumi:dev::p::a:b:C::x');
const other = asUrn('urn:pulumi:dev::p::a:b:C::y');
const entry = (id: string, more: Partial<ResourceEntry> = {}): ResourceEntry =>
  resourceEntry({ urn, type: 'a:b:C', custom: true, id, created: `at ${id}`, ...more });
const inputs = (v: number) => ({ inputs: propertyMap({ v }), outputs: propertyMap({ v }) });

const facts = (part: UndoPart, more: Partial<UndoFacts> = {}): UndoFacts => ({
  part,
  was: undefined,
  now: undefined,
  original: false,
  leftOver: false,
  wasLeaving: false,
  imported: false,
  containerStands: false,
  option: 'auto',
  holdsData: false,
  goesToo: () => false,
  mayReplace: false,
  neededBy: undefined,
  ...more,
});

const old = entry('old', inputs(1));
const fresh = entry('new', inputs(2));
const pending = { ...old, pendingReplacement: true };

/** Formats a decision: its kind, its reason, the entry it leaves, and the one beside it. */
function said(given: UndoFacts): string {
  const undo = decideUndo(given);
  if (undo.t === 'keep') return `keep ${undo.because.t}`;
  const because = 'because' in undo ? ` ${undo.because}` : '';
  const leaves =
    'leaves' in undo && undo.leaves !== undefined
      ? ` leaves ${undo.leaves.id}${undo.leaves.pendingReplacement ? ' (pending)' : ''}`
      : '';
  return `${undo.t}${because}${leaves}${'beside' in undo && undo.beside ? ' beside' : ''}`;
}

test.each<[string, UndoFacts, string]>([
  ['a created object', facts('remove', { now: fresh }), 'delete'],
  ['a created object that is gone', facts('remove'), 'nothing'],
  ['a created component', facts('remove', { now: { ...fresh, custom: false } }), 'forget component'],
  ['a read object', facts('remove', { now: { ...fresh, external: true } }), 'forget external'],
  ['an object that was taken over', facts('remove', { now: fresh, imported: true }), 'forget imported'],
  ['a retained object', facts('remove', { now: { ...fresh, retainOnDelete: true } }), 'forget retained'],
  [
    'a protected object that the operation made',
    facts('remove', { now: { ...fresh, protect: true } }),
    'delete',
  ],
  [
    'an object that goes with its container',
    facts('remove', { now: { ...fresh, deletedWith: other }, goesToo: (each) => each === other }),
    'forget deleted-with',
  ],
  ['what something needs that stays', facts('remove', { now: fresh, neededBy: other }), 'keep needed'],
  ['option hold', facts('remove', { now: fresh, option: 'hold' }), 'keep hold'],
  ['option retain', facts('remove', { now: fresh, option: 'retain' }), 'keep retain'],
  ['an object with data', facts('remove', { now: fresh, holdsData: true }), 'keep holds-data'],
  [
    'replaced, the original stands',
    facts('remove', { was: old, now: fresh, original: true }),
    'delete leaves old',
  ],
  [
    'replaced, the original is gone',
    facts('remove', { was: old, now: fresh }),
    'delete leaves old (pending)',
  ],
  [
    'made again in place of one that was pending',
    facts('remove', { was: pending, now: fresh }),
    'delete leaves old (pending)',
  ],
  ['taken away already', facts('remove', { was: old, now: pending }), 'nothing'],
  ['a left-over beside another one', facts('remove', { was: old, now: fresh, leftOver: true }), 'delete'],
  ['an altered object', facts('restore', { was: old, now: { ...old, ...inputs(2) } }), 'update'],
  ['options that changed', facts('restore', { was: old, now: { ...old, protect: true } }), 'write'],
  [
    'an altered object, option hold',
    facts('restore', { was: old, now: { ...old, ...inputs(2) }, option: 'hold' }),
    'keep hold',
  ],
  [
    'an altered object, option retain',
    facts('restore', { was: old, now: { ...old, ...inputs(2) }, option: 'retain' }),
    'keep retain',
  ],
  ['half altered', facts('restore', { was: old, now: { ...old, initErrors: ['no'] } }), 'update'],
  ['unchanged', facts('restore', { was: old, now: old }), 'nothing'],
  ['altered, and then replaced', facts('restore', { was: old, now: fresh }), 'nothing'],
  [
    'a component',
    facts('restore', { was: { ...old, custom: false }, now: { ...old, custom: false, ...inputs(2) } }),
    'write',
  ],
  ['a deleted object', facts('recreate', { was: old }), 'create'],
  ['a deleted object whose cell was kept', facts('recreate', { was: old, now: pending }), 'create'],
  ['the original of a replacement', facts('recreate', { was: old, now: fresh }), 'create beside'],
  ['the original is back already', facts('recreate', { was: old, now: fresh, original: true }), 'nothing'],
  ['a left-over that was to go anyway', facts('recreate', { was: old, wasLeaving: true }), 'nothing'],
  ['what nobody knows of', facts('recreate'), 'nothing'],
  ['a deleted component', facts('recreate', { was: { ...old, custom: false } }), 'put-back component'],
  ['a forgotten object', facts('recreate', { was: { ...old, external: true } }), 'put-back external'],
  [
    'an object that was left there',
    facts('recreate', { was: { ...old, retainOnDelete: true } }),
    'put-back retained',
  ],
  [
    'inside a container that stands',
    facts('recreate', { was: old, containerStands: true }),
    'put-back deleted-with',
  ],
  ['a deleted object, option hold', facts('recreate', { was: old, option: 'hold' }), 'keep hold'],
  ['a deleted object with data', facts('recreate', { was: old, holdsData: true }), 'keep holds-data'],
])('%s', (_title, given, expected) => {
  expect(said(given)).toBe(expected);
});
