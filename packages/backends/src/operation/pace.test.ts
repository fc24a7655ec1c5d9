import { waitBefore } from './pace.js';

describe('the checkpoint while an operation runs', () => {
  test.each<[string, number, number, number]>([
    ['at first after ten seconds', 0, 0, 10_000],
    ['what has passed counts', 4000, 0, 6000],
    ['a quick write: ten seconds', 0, 400, 10_000],
    ['a slow write: twenty times what it took', 0, 3000, 60_000],
    ['long enough ago: at once', 70_000, 3000, 0],
  ])('%s', (_title, since, last, wait) => {
    expect(waitBefore(since, last)).toBe(wait);
  });
});
