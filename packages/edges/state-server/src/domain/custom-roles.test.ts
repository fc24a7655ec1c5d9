import { PERMISSIONS, ROUTES } from '@cairn/http-api';
import type { Route } from '@cairn/http-api';
import { permissionsIn } from './custom-roles.js';

const allow = (...permissions: readonly string[]): object => ({
  ...{ __type: 'PermissionDescriptorAllow', permissions },
});
const group = (...entries: readonly object[]): object => ({ __type: 'PermissionDescriptorGroup', entries });

test('a group gives what its parts give', () => {
  const details = group(allow('stack:read'), group(allow('stack:read', 'stack:write')), group());
  expect([...permissionsIn(details)]).toEqual(['stack:read', 'stack:write']);
});

test.each<readonly [string, unknown, string]>([
  ['nothing', undefined, 'is no PermissionDescriptorAllow'],
  ['a text', 'stack:read', 'is no PermissionDescriptorAllow'],
  [
    'no list',
    { __type: 'PermissionDescriptorAllow', permissions: 'stack:read' },
    'is no PermissionDescriptorAllow',
  ],
  [
    'a condition',
    { __type: 'PermissionDescriptorCondition', condition: {}, subNode: allow('stack:read') },
    'grant the role on a pattern or a tag',
  ],
  [
    'a condition in a group',
    group(allow(), { __type: 'PermissionDescriptorCondition' }),
    'on a pattern or a tag',
  ],
  [
    'an unknown permission',
    allow('environment:read'),
    '"environment:read" is no permission here; there are stack:read',
  ],
  ['a name of a prototype', allow('constructor'), '"constructor" is no permission here'],
])('details that are %s are refused', (_name, details, text) => {
  expect(() => permissionsIn(details)).toThrow(text);
});

test('groups without end are refused', () => {
  let deep = group();
  for (let level = 0; level < 10_000; level += 1) deep = group(deep);
  expect(() => permissionsIn(deep)).toThrow('more than 20 groups');
});

test('every permission is on a route, whose role is the one that has it', () => {
  const routes = Object.values(ROUTES) as readonly Route[];
  for (const [permission, role] of Object.entries(PERMISSIONS)) {
    const needs = routes.filter((route) => route.permission === permission).map((route) => route.needs);
    expect([permission, [...new Set(needs)]]).toEqual([permission, [role]]);
  }
});

test('every route that asks for reader or writer on stacks has a permission', () => {
  const without = Object.entries(ROUTES as Readonly<Record<string, Route>>).filter(
    ([, { needs, permission, path }]) =>
      (needs === 'reader' || needs === 'writer') && path.includes('{project}') && permission === undefined,
  );
  expect(without).toEqual([]);
});
