import { InitFailedError, ProviderError } from '@cairn/wire';
import { RunningCalls } from './calls.js';
import { InitFailed } from './init-failed.js';

describe('what a handler that was cancelled says', () => {
  const initFailed = new InitFailed('id', {}, ['half done']);
  const answered = new InitFailedError('id', {}, undefined, ['half done'], false, 'half done');
  const definite = new ProviderError('FAILED_PRECONDITION', 'nothing was done');
  const interrupted = Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });
  test.each<[string, (signal: AbortSignal) => unknown, object]>([
    ["the signal's reason leaves doubt", (signal) => signal.reason, { code: 'CANCELLED', inDoubt: true }],
    ['an error of a library leaves doubt', () => interrupted, { code: 'CANCELLED', inDoubt: true }],
    ['its own CANCELLED leaves doubt', () => new ProviderError('CANCELLED', 'x'), { inDoubt: true }],
    ['a definite code counts', () => definite, definite],
    ['an object that is not ready counts', () => initFailed, initFailed],
    ['so does one of the contract', () => answered, answered],
  ])('%s', async (_, failure, expected) => {
    const calls = new RunningCalls();
    const running = calls.run(
      0,
      (signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(failure(signal) as Error)),
        ),
    );
    const outcome = expect(running).rejects.toMatchObject(expected);
    calls.cancel();
    await outcome;
  });

  test('a result counts', async () => {
    const calls = new RunningCalls();
    const running = calls.run(
      0,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('done'))),
    );
    calls.cancel();
    await expect(running).resolves.toBe('done');
  });

  test('without a cancel an error stays what it is', async () => {
    await expect(new RunningCalls().run(0, () => Promise.reject(interrupted))).rejects.toBe(interrupted);
  });

  test('what comes after it is not begun, and says so', async () => {
    const calls = new RunningCalls();
    calls.cancel();
    const work = jest.fn(() => Promise.resolve());
    await expect(calls.run(0, work)).rejects.toMatchObject({ code: 'ABORTED', inDoubt: false });
    expect(work).not.toHaveBeenCalled();
  });
});
