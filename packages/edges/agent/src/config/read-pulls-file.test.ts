import { isCairnError } from '@cairn/diagnostics';
import { parsePullsFile } from './read-pulls-file.js';

const FORGES = 'forges: { lab: { kind: gitlab, repository: a/b, token: T, secret: S } }\n';

function problemsOf(text: string): readonly string[] {
  try {
    parsePullsFile(text, 'pulls.yaml');
    return [];
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return thrown.diagnostics.map(({ summary }) => summary.replace(/^.*pulls\.yaml:/, ''));
  }
}

test('stacks name their forge', () => {
  const named = 'stacks: { shop/dev: lab, shop/prod: { forge: lab, review: true } }';
  const { forges, stacks } = parsePullsFile(FORGES + named, 'pulls.yaml');
  expect(forges.map(({ name }) => name)).toEqual(['lab']);
  expect(stacks).toEqual([
    { project: 'shop', stack: 'dev', forge: 'lab', review: false },
    { project: 'shop', stack: 'prod', forge: 'lab', review: true },
  ]);
});

test.each([
  ['[]', /must be a map of keys/],
  [FORGES, /"stacks" is missing/],
  [`${FORGES}stacks: { dev: lab }`, /"stacks\.dev" must be a stack of the service/],
  [`${FORGES}stacks: { a/b/c: lab }`, /"stacks\.a\/b\/c" must be a stack of the service/],
  [`${FORGES}stacks: { shop/dev: hub }`, /"stacks\.shop\/dev" names an unknown forge "hub"/],
  [`${FORGES}stacks: { shop/dev: { review: true } }`, /"stacks\.shop\/dev\.forge" is missing/],
  [`${FORGES}stacks: { shop/dev: { forge: lab, other: 1 } }`, /unknown key "stacks\.shop\/dev\.other"/],
  [`${FORGES}stacks: { shop/dev: lab }\nother: 1`, /unknown key "other"/],
])('%j is refused', (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
});
