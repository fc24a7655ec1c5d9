import { UNKNOWN_VALUE } from '@cairn/tfplugin';
import { AnswerMemory, MOST_KEPT, standsInNextPass } from './answer-memory.js';
import type { RememberedAnswer } from './answer-memory.js';

const known = { name: 'n' };
const warning = { severity: 'warning', summary: 'old', detail: '' } as const;

test.each<[string, RememberedAnswer, boolean]>([
  ['valid', { config: known, outcome: 'valid', said: [] }, true],
  ['nothing to do', { config: known, outcome: 'none', said: [] }, true],
  ['something unknown', { config: { name: UNKNOWN_VALUE }, outcome: 'none', said: [] }, false],
  ['valid, with something unknown', { config: { name: UNKNOWN_VALUE }, outcome: 'valid', said: [] }, false],
  ['a warning', { config: known, outcome: 'none', said: [warning] }, false],
  ['valid, with a warning', { config: known, outcome: 'valid', said: [warning] }, false],
  ['to be stored as of another type', { config: known, outcome: 'none', moved: true, said: [] }, false],
  ['a create', { config: known, outcome: 'create', said: [] }, false],
  ['an update', { config: known, outcome: 'update', said: [] }, false],
  ['a replacement', { config: known, outcome: 'replace', said: [] }, false],
  ['a delete', { config: known, outcome: 'delete', said: [] }, false],
])('whether an answer stands in the next pass: %s [TFB-9]', (_, answer, stands) => {
  expect(standsInNextPass(answer)).toBe(stands);
});

test('no more than a bounded number of answers is kept [TFB-9]', () => {
  const memory = new AnswerMemory();
  for (let at = 0; at <= MOST_KEPT; at++)
    memory.answered(`${at}`, { config: known, outcome: 'none', said: [] });
  memory.endPass();
  expect([memory.stands('0'), memory.stands(`${MOST_KEPT - 1}`), memory.stands(`${MOST_KEPT}`)]).toEqual([
    true,
    true,
    false,
  ]);
});
