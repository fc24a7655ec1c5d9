import { urnName } from '@cairn/addresses';
import { ProviderError } from '@cairn/wire';
import type { Snapshot } from '@cairn/state';
import { MockWorld, runScenario } from '../src/index.js';
import type { Outcome, ProgramFunction, Scenario } from '../src/index.js';

/** An operation that fails takes back what it has done (changes.md g.2, g.3). */

const TYPE = 'pkgA:m:typA';
const refused = () => new ProviderError('INVALID_ARGUMENT', 'no room');

/** What a stack comes to, with everything that a rollback must bring back. */
function essence({ resources }: Snapshot): unknown {
  return [...resources]
    .sort((a, b) => a.urn.localeCompare(b.urn))
    .map((entry) => ({ ...entry, aliases: [] }));
}

/** Steps of the rollback, in the order in which they ended. */
function undone({ events }: Outcome): readonly string[] {
  return events.flatMap((event) => {
    if ((event.t !== 'step-ended' && event.t !== 'step-failed') || event.undo !== true) return [];
    return [`${event.t === 'step-failed' ? '!' : ''}${event.step.kind} ${urnName(event.step.urn)}`];
  });
}

function rolledBack(scenario: Omit<Scenario, 'policy'>): Promise<Outcome> {
  return runScenario({ ...scenario, policy: { onError: 'rollback' } });
}

test('a first up that fails leaves nothing, in the state and outside', async () => {
  const providers = new MockWorld({ pkgA: {} });
  providers.failNext('create', 'c', refused());
  const outcome = await rolledBack({
    providers,
    program: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { x: 1 });
      await resource(TYPE, 'b', { y: a.id }, { dependencies: [a.urn] });
      await resource(TYPE, 'c');
    },
  });
  expect(outcome.result.summary.result).toBe('rolled-back');
  expect(outcome.snapshot.resources).toEqual([]);
  expect(providers.alive).toEqual([]);
  expect(undone(outcome).slice(0, 2)).toEqual(['delete b', 'delete a']);
});

interface Row {
  readonly title: string;
  readonly before: ProgramFunction;
  readonly failing: ProgramFunction;
  readonly fails?: string;
  readonly undone: readonly string[];
}

const rows: readonly Row[] = [
  {
    title: 'an update is changed back with the prior inputs',
    before: async ({ resource }) => {
      await resource(TYPE, 'a', { x: 1 });
    },
    failing: async ({ resource }) => {
      await resource(TYPE, 'a', { x: 2 });
      await resource(TYPE, 'z');
    },
    undone: ['update a'],
  },
  {
    title: 'what was only written about a resource comes back without a call',
    before: async ({ resource, component }) => {
      const p = await component('my:m:Comp', 'p');
      await resource(TYPE, 'a', { x: 1 }, { parent: p.urn });
      await resource(TYPE, 'q');
      await resource(TYPE, 'b', { x: 1 });
    },
    failing: async ({ resource, component }) => {
      const p = await component('my:m:Comp', 'p');
      await resource(TYPE, 'a', { x: 1 }, { parent: p.urn, protect: true });
      const n = await resource(TYPE, 'n');
      const q = await resource(TYPE, 'q', {}, { dependencies: [n.urn] });
      await resource(TYPE, 'b', { x: 1 }, { dependencies: [q.urn] });
      await resource(TYPE, 'z');
    },
    undone: ['delete n'],
  },
];

test.each(rows)('$title', async ({ before, failing, fails = 'z', undone: steps }) => {
  const providers = new MockWorld({ pkgA: {} });
  const { snapshot: prior } = await runScenario({ providers, program: before });
  const objects = [...providers.objects];
  providers.failNext('create', fails, refused());
  const outcome = await rolledBack({ providers, prior, program: failing });
  expect(outcome.complaints.join('\n')).toMatch(/no room/);
  expect([outcome.result.summary.result, undone(outcome)]).toEqual(['rolled-back', steps]);
  expect(essence(outcome.snapshot)).toEqual(essence(prior));
  expect([...providers.objects]).toEqual(objects);
  const again = await runScenario({ providers, prior: outcome.snapshot, program: before });
  expect(again.steps.every((step) => step.startsWith('same'))).toBe(true);
});
