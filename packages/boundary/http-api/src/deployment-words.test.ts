import { deploymentId, deploymentOfUpdate, numberOfDeployment } from './deployment-ids.js';
import { factsOfDeployment, statusOfDeployment, whyOfDeployment } from './deployment-words.js';
import type { DeployedUpdate, DeploymentAnswer } from './deployments.js';

const UUID = '3f0c2a44-9d1e-4c2b-8a77-1f2e3d4c5b6a';

test('the id of a deployment has its number, and updates name it', () => {
  for (const number of [1, 300, 0xffffffff]) {
    const id = deploymentId(number, UUID);
    expect(numberOfDeployment(id)).toBe(number);
    expect(deploymentOfUpdate({ 'ci.system': 'Cairn agent', 'ci.build.id': id })).toBe(number);
    expect(deploymentOfUpdate({ 'ci.system': 'other', 'ci.build.id': id })).toBeUndefined();
  }
  for (const text of ['', '7', '0000000z-0000-0000-0000-000000000000', `${UUID}0`])
    expect(numberOfDeployment(text)).toBeUndefined();
  expect(deploymentOfUpdate({ 'ci.system': 'Cairn agent' })).toBeUndefined();
});

const asked = (status: DeploymentAnswer['status'], run: object | null, waitsFor?: string) => ({
  status,
  cairn: { run, ...(waitsFor !== undefined && { waitsFor }) },
});
const run = { status: 'waiting', why: ['it deletes a database', 'it is Friday'], approvals: [], needed: 1 };

test.each([
  ['before an agent has it', asked('not-started', null, 'run 3'), ['not-started', 'waits for run 3']],
  ['while it waits for a person', asked('running', run), ['waiting', run.why.join('; ')]],
  ['after it was denied', asked('failed', { ...run, status: 'denied', why: [] }), ['denied', '']],
])('a run %s', (_title, deployment, expected) => {
  expect([statusOfDeployment(deployment), whyOfDeployment(deployment)]).toEqual(expected);
});

const update = (more: Partial<DeployedUpdate>): DeployedUpdate => ({
  ...{ id: 'u1', updateID: 'u1', version: 4, latestVersion: 4, kind: 'update', message: '' },
  ...{ result: 'succeeded', startTime: 0, endTime: 0, environment: {}, ...more },
});

test.each([
  [{}, { name: 'Version', text: '4: update succeeded', page: 'updates/4' }],
  [{ cairn: { change: 7 } }, { name: 'Change', text: '7: update succeeded', page: 'changes/7' }],
  [
    { kind: 'preview', cairn: { preview: true } },
    { name: 'Preview', text: 'of version 4: preview succeeded', page: 'previews/u1' },
  ],
] as const)('a run that has made %j links to it', (more, expected) => {
  expect(factsOfDeployment({ cairn: { run: null }, updates: [update(more)] })).toEqual([expected]);
});

test('a run names its agent, its pool and its pull request', () => {
  const url = 'https://hub.example.com/acme/shop/pull/12';
  const pull = { ...run, pull: 'hub/12' };
  const facts = (more: object) =>
    factsOfDeployment({ cairn: { run: { ...pull, ...more }, agent: 'one' }, agentPool: 'blue', updates: [] });
  const [agent, pool] = [
    { name: 'Agent', text: 'one' },
    { name: 'Pool', text: 'blue' },
  ];
  expect(facts({ pullPage: url })).toEqual([agent, pool, { name: 'Pull request', text: 'hub/12', url }]);
  expect(facts({})).toEqual([agent, pool, { name: 'Pull request', text: 'hub/12' }]);
});
