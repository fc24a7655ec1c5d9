import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parallelAnalyses, policyPacks } from './policy-packs.js';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'cairn-packs-'));
  writeFileSync(
    path.join(cwd, 'a.json'),
    '{"all":"disabled","size":{"enforcementLevel":"advisory","max":[1]},"x":{}}',
  );
  writeFileSync(path.join(cwd, 'broken.json'), '{');
  writeFileSync(path.join(cwd, 'level.json'), '{"size":"fatal"}');
  writeFileSync(path.join(cwd, 'shape.json'), '{"size":3}');
  writeFileSync(path.join(cwd, 'list.json'), '[]');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const packs = (given: readonly string[], configs: readonly string[] = []) =>
  policyPacks(cwd, { policyPacks: given, policyPackConfigs: configs });

test('each configuration is for the pack at its place', async () => {
  expect(await packs(['p', '/q'], ['a.json'])).toEqual([
    {
      t: 'local',
      directory: path.join(cwd, 'p'),
      settings: {
        all: { enforcementLevel: 'disabled', properties: {} },
        size: { enforcementLevel: 'advisory', properties: { max: [1] } },
        x: { enforcementLevel: undefined, properties: {} },
      },
    },
    { t: 'local', directory: path.resolve('/q'), settings: {} },
  ]);
});

test.each([
  [[], ['a.json'], 'there are more --policy-pack-config than --policy-pack'],
  [['p'], ['missing.json'], 'cannot read the configuration of a policy pack'],
  [['p'], ['broken.json'], 'cannot read the configuration of a policy pack'],
  [['p'], ['level.json'], 'size: "fatal" is not one of advisory, mandatory, remediate, disabled'],
  [['p'], ['shape.json'], 'size is neither a level nor an object'],
  [['p'], ['list.json'], 'it is not an object of policies'],
])('%j with %j is refused', async (given, configs, message) => {
  await expect(packs(given, configs)).rejects.toThrow(message);
});

test('analyses at a time come from the environment', () => {
  const limit = (env: Record<string, string>) => parallelAnalyses(env);
  expect(limit({ PULUMI_PARALLEL_ANALYZE: '3' })).toBe(3);
  expect(limit({ PULUMI_PARALLEL_ANALYZE: '3', CAIRN_PARALLEL_ANALYZE: '2' })).toBe(2);
  expect([
    limit({}),
    limit({ PULUMI_PARALLEL_ANALYZE: 'x' }),
    limit({ PULUMI_PARALLEL_ANALYZE: '-1' }),
  ]).toEqual([0, 0, 0]);
});
