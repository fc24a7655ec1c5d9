import { ProviderAnswers } from './provider-answers.js';

const key = new Uint8Array(32);

test.each<[string, boolean, (answers: ProviderAnswers) => void, readonly string[] | undefined]>([
  ['nothing was asked by a limited operation', false, () => {}, undefined],
  ['nothing was asked by a whole operation', true, () => {}, []],
  ['one of two was asked by a whole operation', true, (answers) => answers.has('a'), ['a']],
  ['one of two was asked by a limited operation', false, (answers) => answers.has('a'), undefined],
  ['all were asked', true, (answers) => ['a', 'b'].forEach((each) => answers.has(each)), undefined],
  ['a known one was made again', false, (answers) => answers.keep('a'), undefined],
  ['one was made by a limited operation', false, (answers) => answers.keep('c'), ['a', 'b', 'c']],
  ['an unknown one was asked', true, (answers) => answers.has('c'), []],
])('what is kept for the next operation: %s', (_title, isWhole, ask, kept) => {
  const answers = new ProviderAnswers(key, new Set(['a', 'b']));
  ask(answers);
  const result = answers.result(isWhole);
  expect(result && [...result]).toEqual(kept);
});
