import { makeUrn, rootStackUrn } from '@cairn/addresses';
import type { UndoHold } from '../../decide/undo.js';
import { keptDiagnostic, replacingText } from './diagnostics.js';

const RESOURCE = makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name: 'res' });
const PROVIDER = makeUrn({ project: 'p', stack: 's', type: 'pulumi:providers:a', name: 'default' });
const ROOT = rootStackUrn('p', 's');

const wanted: UndoHold = { t: 'retain' };
const left: UndoHold = { t: 'hold' };
const data: UndoHold = { t: 'holds-data' };
const needed: UndoHold = { t: 'needed', urn: RESOURCE };
const ALSO = ['the resources that it needs stay as well'];

/** Rows with the part that stays, the reason, the severity, further text, and whether a person has to decide. */
const rows = [
  ['what its resource wants to stay', RESOURCE, wanted, 'info', undefined, false],
  ['what is left to a person', RESOURCE, left, 'warning', ALSO, true],
  ['what holds data', RESOURCE, data, 'warning', ALSO, true],
  ['what another one needs: that one says the rest', RESOURCE, needed, 'warning', undefined, true],
  ['a provider that is needed is no news', PROVIDER, needed, 'debug', undefined, false],
  ['nor is the stack', ROOT, needed, 'debug', undefined, false],
  ['a provider that stays for another reason is', PROVIDER, left, 'warning', ALSO, true],
] as const;

test.each(rows)('%s', (_title, urn, because, severity, causes, decides) => {
  const told = keptDiagnostic({ urn, part: 'remove' }, because);
  expect([told.severity, told.causes, told.hint !== undefined]).toEqual([severity, causes, decides]);
});

test.each([
  [[], 'this takes a new object'],
  [['size'], 'size cannot be changed back in place'],
  [['size', 'zone'], 'size, zone cannot be changed back in place'],
])('properties %j keep an object from being changed back', (keys, text) => {
  expect(replacingText(keys)).toBe(text);
});
