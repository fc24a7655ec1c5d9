import { commentFindings, longSubjects, pageFindings } from './voice.mjs';

/** Subjects from before the rule. */
const OLD_SUBJECTS = 565;

test('comments follow the rules of docs/maintainers/style.md', () => {
  const { comments, findings } = commentFindings();
  expect(comments).toBeGreaterThan(10_000);
  expect(findings).toEqual([]);
});

test('pages follow them', () => {
  expect(pageFindings()).toEqual([]);
});

test('subjects of commits have at most 72 characters', () => {
  expect(longSubjects().slice(0, -OLD_SUBJECTS)).toEqual([]);
});
