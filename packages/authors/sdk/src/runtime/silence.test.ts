import { CustomResource } from '../index.js';
import { FakeEngine } from '../testdata/fake-engine.js';
import { runFunction } from './run-function.js';
import type { SilenceLimits } from './silence.js';

const settings = {
  ...{ project: 'shop', stack: 'dev', organization: 'organization', rootDirectory: process.cwd() },
  ...{ dryRun: false, parallel: 16, config: {}, configSecretKeys: [] },
};

/** Runs a function that waits for a value that never comes. The returned promise resolves at the first report of it. */
function stuck(patience: SilenceLimits) {
  const { monitor, engine, logs } = new FakeEngine(settings, {});
  const told = new Promise<void>((resolve) => {
    const log = engine.log;
    engine.log = async (request) => {
      await log(request);
      resolve();
    };
  });
  const program = (): void =>
    void new CustomResource('a:b:C', 'stuck', { size: new Promise(() => undefined) });
  const running = runFunction(program, { monitor, engine, settings, directory: process.cwd(), patience });
  return { running, told, warnings: () => logs.filter(({ severity }) => severity === 'warning') };
}

test('a function that waits for what never comes is told of, and is waited for until it is stopped', async () => {
  const { running, told, warnings } = stuck({ tellAfterMs: 50 });
  await told;
  expect(warnings().map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^nothing has been running for 0\.1 s.*\n  stuck \[a:b:C\] declared at .*silence\.test\.ts:\d+/,
    ),
  ]);
  running.stop();
  expect(await running.finished).toBe('stopped');
});

test('it is told of once, however long it is waited for', async () => {
  const { running, warnings } = stuck({ tellAfterMs: 10, endAfterMs: 100 });
  expect([await running.finished, warnings().length]).toEqual(['failed', 1]);
});
