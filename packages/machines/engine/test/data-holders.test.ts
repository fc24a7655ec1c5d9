import { ProviderError } from '@cairn/wire';
import { MockWorld, Story, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramFunction } from '@cairn/testkit';

/** A rollback does not delete or recreate objects that hold data unless the resource allows it [REC-7]. */

const STORE = 'pkgA:m:Store';
const PLAIN = 'pkgA:m:Plain';
const holding = { extras: { types: { [STORE]: { holdsData: true } } } };

const program =
  (rollback?: 'auto'): ProgramFunction =>
  async ({ resource }) => {
    await resource(PLAIN, 'plain');
    await resource(STORE, 'store', {}, rollback && { rollback });
    await resource(PLAIN, 'fails');
  };

const held = ({ result }: Outcome) =>
  result.diagnostics
    .filter(({ code, severity }) => code === 'CAIRN-ROLLBACK-HELD' && severity === 'warning')
    .map(({ urn }) => urn?.split('::').at(-1));

function failing(): MockWorld {
  const providers = new MockWorld({ pkgA: { behaviour: holding } });
  providers.failNext('create', 'fails', new ProviderError('INVALID_ARGUMENT', 'no room'));
  return providers;
}

test('a store that a failed operation has made stays for a person to look at', async () => {
  const providers = failing();
  const outcome = await runScenario({ providers, program: program(), policy: { onError: 'rollback' } });
  expect([outcome.result.summary.result, held(outcome)]).toEqual([
    'failed',
    // Objects that it needs remain with it, and are not named for that.
    ['store'],
  ]);
  expect(providers.alive).toEqual(['store']);
  expect(outcome.names).toContain('store');
});

test('it goes when the resource says so', async () => {
  const providers = failing();
  const outcome = await runScenario({
    providers,
    program: program('auto'),
    policy: { onError: 'rollback' },
  });
  expect([outcome.result.summary.result, held(outcome)]).toEqual(['rolled-back', []]);
  expect(providers.alive).toEqual([]);
});

test('a rollback of its own, and its preview, leave the data of stores alone', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: holding } });
  const story = new Story(providers);
  await story.run({ program: program() });
  await story.run({ kind: 'destroy' });
  expect(providers.alive).toEqual([]);
  const preview = await story.goOn('rollback', { preview: true });
  const outcome = await story.goOn('rollback');
  expect([held(preview), held(outcome)]).toEqual([['store'], ['store']]);
  expect(providers.alive).toEqual(['fails', 'plain']);
});
