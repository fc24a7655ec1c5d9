import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { startServiceHere } from '../support/service-here.js';
import type { ServiceHere } from '../support/service-here.js';

let box: Sandbox;
let service: ServiceHere;

beforeAll(async () => {
  box = sandbox({ 'index.ts': '' });
  service = await startServiceHere(box);
  box.env['CAIRN_ACCESS_TOKEN'] = await service.token('writer');
  expectOk(await cairn('stack', 'init', 'dev'));
});
afterAll(async () => {
  await service.stop();
  box.remove();
});

const cairn = (...words: readonly string[]): Promise<Finished> =>
  box.cairn(words, { env: { CAIRN_BACKEND_URL: service.url } });
const settings = (...words: readonly string[]): Promise<Finished> =>
  cairn('deployment', 'settings', ...words);

test('settings are made from a file, changed by flags, shown and removed', async () => {
  const none = await settings('get');
  expect(none.stderr).toContain('the stack has no deployment settings');
  box.write(
    'settings.yaml',
    [
      'sourceContext: { git: { repoUrl: https://git.test/shop.git, branch: main } }',
      'operationContext: { environmentVariables: { REGION: north, KEY: { secret: plain-4711 } } }',
      'cairn: { policy: { rules: [], approvals: 1 } }',
    ].join('\n'),
  );
  const made = expectOk(await settings('edit', '--file', 'settings.yaml')).stdout;
  expect(made).toContain('repoUrl: https://git.test/shop.git');
  expect(made).not.toContain('plain-4711');
  expectOk(await settings('edit', '--folder', 'infra', '--remove-env', 'REGION', '--env', 'ZONE=b'));
  const shown = JSON.parse(expectOk(await settings('get', '--json')).stdout) as Record<string, object>;
  expect(shown).toMatchObject({
    sourceContext: { git: { repoUrl: 'https://git.test/shop.git', branch: 'main', repoDir: 'infra' } },
    cairn: { policy: { approvals: 1 } },
  });
  const { environmentVariables } = shown['operationContext'] as { readonly environmentVariables: object };
  expect(Object.keys(environmentVariables).sort()).toEqual(['KEY', 'ZONE']);
  // What was shown can be given back; the sealed secret stays.
  box.write('shown.json', JSON.stringify(shown));
  expectOk(await settings('edit', '--file', 'shown.json'));
  expect(JSON.parse(expectOk(await settings('get', '--json')).stdout)).toEqual(shown);
  expectOk(await settings('destroy', '--yes'));
  expect((await settings('get')).code).not.toBe(0);
});

test.each([
  [['edit'], 'nothing to change is given'],
  [['edit', '--file', 'missing.yaml'], 'cannot read the settings: there is no'],
  [['edit', '--file', 'bad.yaml'], 'bad.yaml:1'],
  [['edit', '--secret-env', '4711'], 'it is not given as NAME=VALUE'],
  [['destroy', '--non-interactive'], 'this removes the deployment settings of the stack'],
])('%j is refused', async (words, why) => {
  box.write('bad.yaml', '- not\n- a map\n');
  const refused = await settings(...words);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(why);
});

test('a stack or a run that the service does not have is named by its own code', async () => {
  const runs = (stack: string, ...words: readonly string[]): Promise<Finished> =>
    cairn('agent', 'runs', ...words, '--service', service.url, '--stack', stack);
  const stack = await runs('shop/none');
  expect(stack.code).toBe(6);
  expect(stack.stderr).toContain("error[CAIRN-STACK-NOT-FOUND]: cannot list runs: Not Found: Stack 'none'");
  const run = await runs('shop/dev', '7');
  expect(run.stderr).toMatch(/^error\[CAIRN-USAGE\]: cannot find run 7: /);
});
