import { AnswerOrder } from './answer-order.js';

test.each([
  ['answers in order are taken', [1, 2, 3], [1, 2, 3]],
  ['a late answer is not taken', [1, 3, 2], [1, 3]],
  ['a call without an answer holds back no other', [2, 3], [2, 3]],
  ['the newest answer first leaves no other', [3, 1, 2], [3]],
])('%s', (_title, answered, taken) => {
  const order = new AnswerOrder();
  expect([order.begin(), order.begin(), order.begin()]).toEqual([1, 2, 3]);
  expect(answered.filter((call) => order.take(call))).toEqual(taken);
});
