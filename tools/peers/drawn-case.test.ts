import { Script } from 'node:vm';
import { randomFrom } from '../../e2e/support/random.js';
import { drawnCase } from './drawn-case.mjs';
import { comparable } from './drawn-facts.mjs';

test('a seed always gives the same case, whose programs can be read and whose operations name their resources', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const drawn = drawnCase('drawn', randomFrom(seed), 8);
    expect(drawnCase('drawn', randomFrom(seed), 8)).toEqual(drawn);
    expect(drawn.steps.map(({ run }) => run[0]).slice(-1)).toEqual(['destroy']);
    let text = '';
    for (const { run, files } of drawn.steps) {
      const before = text;
      text = files?.['index.js'] ?? text;
      expect(() => new Script(`(require, exports) => {${text}}`)).not.toThrow();
      const names = run
        .filter((word) => word.startsWith('urn:'))
        .map((urn) => urn.slice(urn.lastIndexOf(':') + 1));
      for (const name of names) expect(`${before}${text}`).toContain(`'${name}'`);
    }
  }
});

test('records are compared up to the step that fails in both, and without what passes', () => {
  const entry = { id: 'a-0-0', modified: '<time>', propertyDependencies: { label: [] as string[] } };
  const record = (code: number, resources: object): object => ({ code, state: { resources } });
  const peer = { name: 'one', steps: [record(0, { a: entry }), record(0, { a: '=' }), record(1, {})] };
  const ours = {
    name: 'one',
    steps: [record(0, { a: { id: 'a-0-0' } }), record(0, { a: '=' }), record(1, {})],
  };
  const [first, second] = comparable(peer, ours);
  expect(first).toEqual(second);
  expect(first?.steps.map(({ resources }) => resources)).toEqual([
    { a: { id: 'a-0-0', dependencies: [], propertyDependencies: {} } },
    { a: { id: 'a-0-0', dependencies: [], propertyDependencies: {} } },
  ]);
  const [other] = comparable(
    { ...peer, steps: [record(0, { a: { id: 'b' } })] },
    { ...ours, steps: [record(0, {})] },
  );
  expect(other).not.toEqual(second);
});
