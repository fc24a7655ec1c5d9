import { isCairnError } from '@cairn/diagnostics';
import { checkIntegrity } from '../document/integrity.js';
import { emptyDeployment } from '../document/serialized.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { STATE_SIGNATURES, SIGNATURE_KEY } from '../values/signatures.js';
import { moveEntries } from './move-entries.js';
import type { Move, MoveRequest } from './move-entries.js';

const HERE = { project: 'shop', stack: 'dev' };
const THERE = { project: 'store', stack: 'prod' };
const urnIn = ({ project, stack }: typeof HERE, name: string, type = 'a:b:C') =>
  `urn:pulumi:${stack}::${project}::${type}::${name}`;
const here = (name: string, type?: string) => urnIn(HERE, name, type);
const there = (name: string, type?: string) => urnIn(THERE, name, type);
const ROOT = here('shop-dev', 'pulumi:pulumi:Stack');
const THEIR_ROOT = there('store-prod', 'pulumi:pulumi:Stack');
const PROVIDER = here('default', 'pulumi:providers:a');
const THEIR_PROVIDER = there('default', 'pulumi:providers:a');

const rootEntry = (urn: string): SerializedResource => ({ urn, custom: false, type: 'pulumi:pulumi:Stack' });
const provider = (urn: string, id: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  ...{ urn, custom: true, id, type: 'pulumi:providers:a', inputs: { region: 'x' } },
  ...more,
});
const thing = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  ...{ urn: here(name), custom: true, id: `id-${name}`, type: 'a:b:C', parent: ROOT },
  ...{ provider: `${PROVIDER}::p` },
  ...more,
});
const box = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  ...{ urn: here(name, 'x:y:Box'), custom: false, type: 'x:y:Box', parent: ROOT },
  ...more,
});
const inBox = (name: string, above: string, more: Partial<SerializedResource> = {}): SerializedResource =>
  thing(name, { urn: here(name, 'x:y:Box$a:b:C'), parent: here(above, 'x:y:Box'), ...more });
const stack = (...resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  resources,
});
const source = (...more: readonly SerializedResource[]) =>
  stack(rootEntry(ROOT), provider(PROVIDER, 'p'), ...more);

function move(
  from: SerializedDeployment,
  to: SerializedDeployment,
  urns: readonly string[],
  more: Partial<MoveRequest> = {},
): Move {
  const moved = moveEntries(from, to, {
    urns,
    includeParents: false,
    to: THERE,
    reseal: (resource) => resource,
    sameProvider: (a, b) => JSON.stringify(a.inputs) === JSON.stringify(b.inputs),
    ...more,
  });
  for (const { deployment } of [moved.source, moved.dest])
    expect(checkIntegrity(deployment, 'read')).toMatchObject({ failure: undefined, warnings: [] });
  return moved;
}

function problem(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    if (isCairnError(thrown)) return thrown.diagnostics.map(({ summary }) => summary).join('\n');
    throw thrown;
  }
  return '';
}

const urnsOf = ({ deployment }: { readonly deployment: SerializedDeployment }) =>
  deployment.resources.map(({ urn }) => urn);

describe('state move', () => {
  test('a resource goes with its provider to a stack that has nothing, under its new names', () => {
    const reference = (urn: string) => ({ [SIGNATURE_KEY]: STATE_SIGNATURES.reference, urn, id: 'x' });
    const from = source(
      thing('a', { aliases: [here('old')] }),
      thing('b', { dependencies: [here('a')], inputs: { a: reference(here('a')), c: reference(here('c')) } }),
      thing('c'),
    );
    const { source: left, dest, arrived } = move(from, emptyDeployment, [here('a'), here('b')]);
    expect(urnsOf(left)).toEqual([ROOT, PROVIDER, here('c')]);
    expect(dest.deployment.resources).toEqual([
      rootEntry(THEIR_ROOT),
      provider(THEIR_PROVIDER, 'p'),
      { ...thing('a'), urn: there('a'), parent: THEIR_ROOT, provider: `${THEIR_PROVIDER}::p` },
      {
        ...thing('b'),
        ...{
          urn: there('b'),
          parent: THEIR_ROOT,
          provider: `${THEIR_PROVIDER}::p`,
          dependencies: [there('a')],
        },
        inputs: { a: reference(there('a')), c: reference(here('c')) },
      },
    ]);
    expect([...arrived]).toEqual([
      [here('a'), there('a')],
      [here('b'), there('b')],
    ]);
    expect(left.changed.map(({ urn, to }) => [urn, to])).toEqual([...arrived]);
  });

  test('a provider that is there with the same settings does, whatever its id; with others it is in the way', () => {
    const theirs = stack(rootEntry(THEIR_ROOT), provider(THEIR_PROVIDER, 'q'));
    const { dest } = move(source(thing('a')), theirs, [here('a')]);
    expect(dest.deployment.resources.at(-1)).toMatchObject({
      urn: there('a'),
      provider: `${THEIR_PROVIDER}::q`,
    });
    expect(urnsOf(dest)).toEqual([THEIR_ROOT, THEIR_PROVIDER, there('a')]);
    const other = stack(rootEntry(THEIR_ROOT), provider(THEIR_PROVIDER, 'q', { inputs: { region: 'y' } }));
    expect(problem(() => move(source(thing('a')), other, [here('a')]))).toContain('with other settings');
  });

  test('everything below goes too; without its parent it stands under the stack', () => {
    const from = source(box('x'), inBox('a', 'x'), inBox('b', 'x'));
    expect(urnsOf(move(from, emptyDeployment, [here('x', 'x:y:Box')]).dest)).toEqual([
      THEIR_ROOT,
      THEIR_PROVIDER,
      there('x', 'x:y:Box'),
      there('a', 'x:y:Box$a:b:C'),
      there('b', 'x:y:Box$a:b:C'),
    ]);
    const alone = move(from, emptyDeployment, [here('a', 'x:y:Box$a:b:C')]);
    expect(urnsOf(alone.dest)).toEqual([THEIR_ROOT, THEIR_PROVIDER, there('a')]);
    expect(urnsOf(alone.source)).toEqual([ROOT, PROVIDER, here('x', 'x:y:Box'), here('b', 'x:y:Box$a:b:C')]);
  });

  test('--include-parents takes a component along that is empty then, and copies one that is not', () => {
    const from = source(box('x'), inBox('a', 'x'), inBox('b', 'x'));
    const one = move(from, emptyDeployment, [here('a', 'x:y:Box$a:b:C')], { includeParents: true });
    expect(urnsOf(one.dest)).toEqual([
      THEIR_ROOT,
      THEIR_PROVIDER,
      there('x', 'x:y:Box'),
      there('a', 'x:y:Box$a:b:C'),
    ]);
    expect(urnsOf(one.source)).toEqual([ROOT, PROVIDER, here('x', 'x:y:Box'), here('b', 'x:y:Box$a:b:C')]);
    expect([...one.arrived.keys()]).toEqual([here('a', 'x:y:Box$a:b:C')]);
    const rest = move(one.source.deployment, one.dest.deployment, [here('b', 'x:y:Box$a:b:C')], {
      includeParents: true,
    });
    expect(urnsOf(rest.source)).toEqual([ROOT, PROVIDER]);
    expect(urnsOf(rest.dest)).toEqual([...urnsOf(one.dest), there('b', 'x:y:Box$a:b:C')]);
  });

  test('an object above goes as a whole, because it cannot be in two stacks', () => {
    const child = (name: string) => thing(name, { urn: here(name, 'a:b:C$a:b:C'), parent: here('p') });
    const from = source(thing('p'), child('a'), child('b'));
    const { source: left } = move(from, emptyDeployment, [here('a', 'a:b:C$a:b:C')], {
      includeParents: true,
    });
    expect(urnsOf(left)).toEqual([ROOT, PROVIDER]);
  });

  test('references between what goes and what stays are taken out on both sides, and told', () => {
    const from = source(
      thing('a'),
      thing('b', {
        dependencies: [here('a')],
        propertyDependencies: { p: [here('a')] },
        deletedWith: here('a'),
      }),
      thing('c', {
        dependencies: [here('b')],
        propertyDependencies: { p: [here('b')] },
        replaceWith: [here('b')],
      }),
    );
    const { source: left, dest } = move(from, emptyDeployment, [here('b')]);
    expect(left.deployment.resources.at(-1)).toEqual(thing('c', { propertyDependencies: { p: [] } }));
    expect(dest.deployment.resources.at(-1)).toEqual({
      ...thing('b', { propertyDependencies: { p: [] } }),
      ...{ urn: there('b'), parent: THEIR_ROOT, provider: `${THEIR_PROVIDER}::p` },
    });
    expect(left.notes.map(({ summary, causes }) => [summary, causes])).toEqual([
      [`${here('b')}, which moves, refers to resources that stay: these references are removed`, [here('a')]],
      [`${here('c')}, which stays, refers to resources that move: these references are removed`, [here('b')]],
    ]);
  });

  test('what was moved already is only taken out here; something else of that name is in the way', () => {
    const first = move(source(thing('a')), emptyDeployment, [here('a')]);
    const again = move(source(thing('a')), first.dest.deployment, [here('a')]);
    expect(again.dest.deployment.resources).toEqual(first.dest.deployment.resources);
    expect(urnsOf(again.source)).toEqual([ROOT, PROVIDER]);
    const other = source(thing('a', { id: 'another' }));
    expect(problem(() => move(other, first.dest.deployment, [here('a')]))).toContain(
      'the other stack has another resource',
    );
    const twice = source(box('x'), inBox('a', 'x'), thing('a'));
    expect(problem(() => move(twice, emptyDeployment, [here('a'), here('a', 'x:y:Box$a:b:C')]))).toContain(
      'two of them would be',
    );
  });

  test('an object that waits to be deleted goes with its successor', () => {
    const from = source(thing('a', { id: 'old', delete: true }), thing('a'));
    const { dest } = move(from, emptyDeployment, [here('a')]);
    expect(dest.deployment.resources.slice(2).map(({ id, delete: condemned }) => [id, condemned])).toEqual([
      ['old', true],
      ['id-a', undefined],
    ]);
  });

  test('extensions and snippets go with what names them', () => {
    const snippet = { uuid: 'u', name: 'n', type: 't', code: '', descriptor: {} };
    const from = {
      ...source(thing('a', { extensionRef: 'r', snippetID: 'u' })),
      extensions: { r: {}, s: {} },
      snippets: [snippet],
    };
    const { dest } = move(from, emptyDeployment, [here('a')]);
    expect(dest.deployment).toMatchObject({ extensions: { r: {} }, snippets: [snippet] });
    expect(Object.keys(dest.deployment.extensions)).toEqual(['r']);
  });

  test.each([
    ['an unknown URN', [here('x')], 'no such resource'],
    ['the stack', [ROOT], 'the stack itself cannot be moved'],
    ['a provider', [PROVIDER], 'cannot move provider'],
  ])('%s is refused', (_title, urns, text) => {
    expect(problem(() => move(source(thing('a')), emptyDeployment, urns))).toContain(text);
  });

  test('what a step in doubt is about is refused', () => {
    const from = {
      ...source(thing('a')),
      pendingOperations: [{ type: 'updating' as const, resource: thing('a') }],
    };
    expect(problem(() => move(from, emptyDeployment, [here('a')]))).toContain('is in doubt');
  });
});
