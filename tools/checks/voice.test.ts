import { messagesOf } from './messages.mjs';
import { commentFindings, longSubjects, messageFault, messageFindings, pageFindings } from './voice.mjs';

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

test('messages follow them', () => {
  const { messages, findings } = messageFindings();
  expect(messages).toBeGreaterThan(4_000);
  expect(findings).toEqual([]);
});

test.each([
  ['hint', 'go and look at it.', 'hint without a capital'],
  ['hint', 'Look at it', 'hint without a full stop'],
  ['hint', 'Run `cairn resume`.', undefined],
  ['hint', 'Choose one of …', undefined],
  ['error', 'Cannot read …', 'error with a capital'],
  ['error', 'cannot read it.', 'error with a full stop'],
  ['error', 'GitHub refuses further requests', undefined],
  ['error', "Target '…' could not be found in the stack.", undefined],
  ['flag', 'show every property', 'summary without a capital'],
  ['flag', 'Show every property.', 'summary with a full stop'],
  ['text', 'nobody knows it', 'nobody'],
  ['text', 'the change goes on', 'goes on'],
  ['text', 'it is sealed anew', 'anew'],
  ['text', 'the change continues.', undefined],
])('%s: %s', (kind, words, fault) => expect(messageFault(kind, words)).toBe(fault));

test('the kind of a message follows from its place', () => {
  const source = `
    import x from 'a module';
    throw cairnError('CAIRN-USAGE', isIt ? 'cannot do it' : \`cannot do \${x} here\`, { hint: 'Do it.  Then go.' });
    const choice = { label: 'do it', hint: 'it is done' };
    const row = { summary: 'Do the thing' };
    const word = 'word';`;
  const found = (file) => messagesOf(file, source).map(({ line, kind, words }) => [line, kind, words]);
  expect(found('packages/edges/cli/src/flags/stack.ts')).toEqual([
    [3, 'error', 'cannot do it'],
    [3, 'error', 'cannot do … here'],
    [3, 'hint', 'Do it. Then go.'],
    [4, 'text', 'do it'],
    [4, 'text', 'it is done'],
    [5, 'flag', 'Do the thing'],
  ]);
  expect(found('packages/edges/cli/src/main.ts').at(-1)).toEqual([5, 'text', 'Do the thing']);
});
