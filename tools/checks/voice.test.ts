import { commentFindings, longSubjects, pageFindings } from './voice.mjs';

/** Findings that are left. These numbers only fall. */
const LEFT = { comments: 3_662, pages: 0 };
/** Subjects from before the rule. */
const OLD_SUBJECTS = 565;

test('no more comments than recorded break the rules of docs/maintainers/style.md', () => {
  const { comments, findings } = commentFindings();
  expect(comments).toBeGreaterThan(10_000);
  expect(findings.slice(LEFT.comments)).toEqual([]);
});

test('no more lines of pages than recorded break them', () => {
  expect(pageFindings().slice(LEFT.pages)).toEqual([]);
});

test('subjects of commits have at most 72 characters', () => {
  expect(longSubjects().slice(0, -OLD_SUBJECTS)).toEqual([]);
});
