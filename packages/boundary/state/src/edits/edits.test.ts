import { isCairnError } from '@cairn/diagnostics';
import { goJson } from '../values/go-json.js';
import type { SerializedDeployment } from '../document/serialized.js';
import { STATE_SIGNATURES, SIGNATURE_KEY } from '../values/signatures.js';
import { deleteEntries } from './delete-entries.js';
import type { EntryDeletion } from './delete-entries.js';
import { renameEntry } from './rename-entry.js';
import { renamedStack } from './rename-stack.js';
import { PROVIDER, ROOT, provider, root, stack, thing, urn } from '../../test/shop.js';

const namesOf = ({ resources }: SerializedDeployment) =>
  resources.map((each) => each.urn.slice(each.urn.lastIndexOf('::') + 2));

function problems(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (thrown) {
    if (isCairnError(thrown)) return thrown.diagnostics.map(({ code, summary }) => `${code} ${summary}`);
    throw thrown;
  }
  return [];
}

describe('state delete', () => {
  const request = (more: Partial<EntryDeletion> & { readonly urns?: readonly string[] }): EntryDeletion => ({
    entries: more.urns?.map((each) => ({ urn: each })),
    force: false,
    dependents: false,
    ...more,
  });
  const a = thing('a');
  const needsA = thing('b', { dependencies: [urn('a')] });

  test.each([
    ['by a dependency', { dependencies: [urn('a')] }],
    ['by a property', { propertyDependencies: { p: [urn('a')] } }],
    ['by its parent', { parent: urn('a') }],
    ['by what it is deleted with', { deletedWith: urn('a') }],
    ['by what it is replaced with', { replaceWith: [urn('a')] }],
  ])('what is needed %s stays, unless what needs it goes too', (_title, more) => {
    const before = stack(
      root,
      provider,
      a,
      thing('b', more),
      thing('c', { dependencies: [urn('b')] }),
      thing('d'),
    );
    expect(problems(() => deleteEntries(before, request({ urns: [urn('a')] })))).toEqual([
      `CAIRN-STATE-RESOURCE resource ${urn('a')} cannot be removed from the state: 2 others depend on it`,
    ]);
    const { deployment, changed } = deleteEntries(before, request({ urns: [urn('a')], dependents: true }));
    expect(namesOf(deployment)).toEqual(['shop-dev', 'default', 'd']);
    expect(changed.map((each) => each.urn)).toEqual([urn('a'), urn('b'), urn('c')]);
  });

  test('a provider that is used stays; one with the same URN and another id goes', () => {
    const old = { ...provider, id: 'old', delete: true };
    const before = stack(root, old, provider, a);
    expect(problems(() => deleteEntries(before, request({ urns: [PROVIDER] })))).toHaveLength(1);
    const gone = deleteEntries(before, request({ entries: [{ urn: PROVIDER, copy: 0 }] }));
    expect(gone.deployment.resources).toEqual([root, provider, a]);
    expect(
      problems(() => deleteEntries(before, request({ entries: [{ urn: PROVIDER, copy: 1 }] })))[0],
    ).toContain('1 others depend on it');
  });

  test('what has another entry under its URN is needed by nobody', () => {
    const before = stack(root, provider, a, thing('a', { id: 'old', delete: true }), needsA);
    const { deployment } = deleteEntries(before, request({ entries: [{ urn: urn('a'), copy: 1 }] }));
    expect(deployment.resources).toEqual([root, provider, a, needsA]);
  });

  test('several entries with one URN: it must be said which', () => {
    const before = stack(root, provider, a, thing('a', { id: 'old', delete: true }));
    expect(problems(() => deleteEntries(before, request({ urns: [urn('a'), 'x'] })))).toEqual([
      `CAIRN-STATE-RESOURCE 2 entries of the state have the URN ${urn('a')}, which is ambiguous`,
      'CAIRN-STATE-RESOURCE no such resource "x" exists in the current state',
    ]);
  });

  test('protected entries need force, dependents too', () => {
    const before = stack(root, provider, a, { ...needsA, protect: true });
    const both = request({ urns: [urn('a')], dependents: true });
    expect(problems(() => deleteEntries(before, both))).toEqual([
      `CAIRN-STATE-RESOURCE resource ${urn('b')} cannot be removed from the state: it is protected`,
    ]);
    expect(namesOf(deleteEntries(before, { ...both, force: true }).deployment)).toEqual([
      'shop-dev',
      'default',
    ]);
  });

  test('everything goes with --all, and what depends on something named beside it needs no flag', () => {
    const before = stack(root, provider, a, needsA);
    expect(deleteEntries(before, request({ entries: undefined })).deployment.resources).toEqual([]);
    expect(namesOf(deleteEntries(before, request({ urns: [urn('b'), urn('a')] })).deployment)).toEqual([
      'shop-dev',
      'default',
    ]);
  });
});

const reference = (to: string) => ({
  [SIGNATURE_KEY]: STATE_SIGNATURES.reference,
  urn: to,
  id: 'x',
  packageVersion: '',
});

describe('state rename', () => {
  test('the entry and everything that refers to it is renamed; aliases and sealed values stay', () => {
    const from = urn('a');
    const to = urn('z');
    const sealed = { [SIGNATURE_KEY]: STATE_SIGNATURES.secret, ciphertext: `v1:${from}` };
    const before: SerializedDeployment = {
      ...stack(
        root,
        provider,
        thing('a', { aliases: [urn('older')] }),
        thing('a', { id: 'old', delete: true }),
        thing('b', {
          parent: from,
          dependencies: [from, ROOT],
          propertyDependencies: { p: [from], q: null },
          deletedWith: from,
          replaceWith: [from],
          viewOf: from,
          aliases: [from],
          inputs: { list: [reference(from)], text: from, sealed },
          outputs: {
            open: { [SIGNATURE_KEY]: STATE_SIGNATURES.secret, plaintext: goJson(reference(from)) },
          },
          replacementTrigger: reference(from),
        }),
      ),
      pendingOperations: [{ type: 'updating', resource: thing('a') }],
      snippets: [{ uuid: 'u', name: 'n', type: 't', code: '', descriptor: {}, references: { x: from } }],
    };
    const { deployment, changed } = renameEntry(before, { urn: from, name: 'z' });
    expect(changed).toEqual([
      { what: 'rename', urn: from, to },
      { what: 'rename', urn: from, to },
    ]);
    const [, , a, old, b] = deployment.resources;
    expect([a?.urn, a?.aliases, old?.urn]).toEqual([to, [urn('older')], to]);
    expect(b).toEqual(
      thing('b', {
        parent: to,
        dependencies: [to, ROOT],
        propertyDependencies: { p: [to], q: null },
        deletedWith: to,
        replaceWith: [to],
        viewOf: to,
        aliases: [from],
        inputs: { list: [reference(to)], text: from, sealed },
        outputs: { open: { [SIGNATURE_KEY]: STATE_SIGNATURES.secret, plaintext: goJson(reference(to)) } },
        replacementTrigger: reference(to),
      }),
    );
    expect(deployment.pendingOperations[0]?.resource.urn).toBe(to);
    expect(deployment.snippets[0]?.references).toEqual({ x: to });
  });

  test('a provider takes its references along', () => {
    const { deployment } = renameEntry(stack(root, provider, thing('a')), { urn: PROVIDER, name: 'mine' });
    expect(deployment.resources[2]?.provider).toBe(`${urn('mine', 'pulumi:providers:a')}::p`);
  });

  test.each([
    ['an unknown URN', urn('x'), 'z', 'no such resource'],
    ['a name that is taken', urn('a'), 'b', `resource ${urn('b')} already exists`],
    ['the stack itself', ROOT, 'z', 'the stack itself'],
    ['no name', urn('a'), '', '"" is not a valid name'],
    ['a URN for a name', urn('a'), urn('z'), 'is not a valid name of a resource'],
  ])('%s is refused', (_title, from, name, text) => {
    const before = stack(root, provider, thing('a'), thing('b'));
    expect(problems(() => renameEntry(before, { urn: from, name })).join()).toContain(text);
  });

  test('the same name changes nothing; a name may hold separators', () => {
    const before = stack(root, provider, thing('a'));
    expect(renameEntry(before, { urn: urn('a'), name: 'a' }).changed).toEqual([]);
    expect(renameEntry(before, { urn: urn('a'), name: 'a::b$c' }).changed[0]?.to).toBe(urn('a::b$c'));
  });
});

test('the root stack resource of a renamed stack has its name, whatever it was called', () => {
  const odd = { ...root, urn: urn('shop-before', 'pulumi:pulumi:Stack') };
  const child = thing('a', { parent: odd.urn });
  const names = [
    { project: 'shop', stack: 'dev' },
    { project: 'shop', stack: 'next' },
  ] as const;
  const [first, second] = renamedStack(stack(odd, child), ...names).resources;
  expect(first?.urn).toBe(urn('shop-next', 'pulumi:pulumi:Stack', 'next'));
  expect(second?.parent).toBe(first?.urn);
});

test('a renamed stack has its name in every URN of its own, and in no other', () => {
  const other = urn('o', 'a:b:C', 'prod');
  const before = stack(
    root,
    provider,
    thing('a', {
      aliases: [urn('old'), other],
      inputs: { r: reference(urn('b')), s: reference(other), t: urn('b') },
    }),
    thing('shop-dev', { dependencies: [urn('a')] }),
  );
  const after = renamedStack(before, { project: 'shop', stack: 'dev' }, { project: 'shop', stack: 'next' });
  const next = (name: string, type?: string) => urn(name, type, 'next');
  expect(after.resources.map((each) => each.urn)).toEqual([
    next('shop-next', 'pulumi:pulumi:Stack'),
    next('default', 'pulumi:providers:a'),
    next('a'),
    next('shop-dev'),
  ]);
  expect(after.resources[2]).toMatchObject({
    parent: next('shop-next', 'pulumi:pulumi:Stack'),
    provider: `${next('default', 'pulumi:providers:a')}::p`,
    aliases: [next('old'), other],
    inputs: { r: reference(next('b')), s: reference(other), t: urn('b') },
  });
});
