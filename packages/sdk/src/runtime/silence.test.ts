import { CustomResource } from '../index.js';
import { FakeEngine } from '../testdata/fake-engine.js';
import { runFunction } from './run-function.js';

const settings = {
  ...{ project: 'shop', stack: 'dev', organization: 'organization', rootDirectory: process.cwd() },
  ...{ dryRun: false, parallel: 16, config: {}, configSecretKeys: [] },
};

test('a function that waits for what never comes is told of once, and is waited for until it is stopped', async () => {
  const { monitor, engine, logs: logs } = new FakeEngine(settings, {});
  const program = (): void =>
    void new CustomResource('a:b:C', 'stuck', { size: new Promise(() => undefined) });
  const patience = { tellAfterMs: 50 };
  const running = runFunction(program, { monitor, engine, settings, directory: process.cwd(), patience });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const warnings = logs.filter(({ severity }) => severity === 'warning');
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^nothing has been under way for 0\.1 s.*\n  stuck \[a:b:C\] declared at .*silence\.test\.ts:\d+/,
    ),
  ]);
  running.stop();
  expect(await running.finished).toBe('stopped');
});
