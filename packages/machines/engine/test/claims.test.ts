import { makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import { findConflict } from '@cairn/changes';
import type { Claim } from '@cairn/changes';
import { MockWorld, runScenario } from '@cairn/testkit';
import type { ProgramFunction } from '@cairn/testkit';

/** Steps claim the objects they touch where others may work on the stack at the same time [REC-16]. */

const TYPE = 'pkgA:m:typA';
const urn = (name: string): Urn => makeUrn({ project: 'test', stack: 'test', type: TYPE, name });

const program: ProgramFunction = async ({ resource }) => {
  await resource(TYPE, 'a');
  await resource(TYPE, 'b', {}, { dependencies: [urn('a')] });
};

function world(): MockWorld {
  return new MockWorld({ pkgA: {} });
}

/** Grants claims unless another change holds them, and remembers them. */
function claiming(held: readonly Claim[] = []) {
  const asked: Claim[] = [];
  const claim = async (claims: readonly Claim[]) => {
    asked.push(...claims);
    const conflict = findConflict([{ changeId: '1', changeKind: 'up', claims: held }], claims);
    return conflict && errorDiagnostic('CAIRN-CHANGE-CONFLICT', `change 1 (up) works on ${conflict.key}`);
  };
  return { asked, claim };
}

test('a step claims its resource alone and what that refers to with others', async () => {
  const { asked, claim } = claiming();
  const { result } = await runScenario({ providers: world(), program, claim });
  expect(result.summary.result).toBe('succeeded');
  expect(asked).toEqual(
    expect.arrayContaining([
      { key: urn('a'), mode: 'exclusive' },
      { key: urn('b'), mode: 'exclusive' },
      { key: urn('a'), mode: 'shared' },
    ]),
  );
});

test('a resource that somebody else holds fails before its provider is called; the others go on', async () => {
  const providers = world();
  const { claim } = claiming([{ key: urn('b'), mode: 'shared' }]);
  const outcome = await runScenario({ providers, program, claim });
  expect(outcome.result.summary.result).toBe('failed');
  expect(outcome.result.diagnostics).toEqual(
    expect.arrayContaining([expect.objectContaining({ code: 'CAIRN-CHANGE-CONFLICT', urn: urn('b') })]),
  );
  expect(outcome.names).toContain('a');
  expect(outcome.names).not.toContain('b');
  expect(providers.calls.filter((call) => call.method === 'create')).toHaveLength(1);
});

test('a preview claims nothing', async () => {
  const { asked, claim } = claiming([{ key: '*', mode: 'exclusive' }]);
  const { result } = await runScenario({ providers: world(), program, claim, preview: true });
  expect([result.summary.result, asked]).toEqual(['succeeded', []]);
});
