import { settingsPatch } from './settings-patch.js';

const NONE = {
  ...{ preRunCommand: [], env: [], secretEnv: [], removeEnv: [] },
} as unknown as Parameters<typeof settingsPatch>[1];

test.each([
  ['nothing', {}, {}, {}],
  ['a file alone', { cairn: { recovery: 'person' } }, {}, { cairn: { recovery: 'person' } }],
  [
    'flags beside members of the file',
    { sourceContext: { git: { repoUrl: 'https://a.test/old', repoDir: 'infra' } } },
    { gitUrl: 'https://a.test/new', runnerPool: 'blue' },
    { sourceContext: { git: { repoUrl: 'https://a.test/new', repoDir: 'infra' } }, agentPoolID: 'blue' },
  ],
  [
    'variables that are set, sealed and removed',
    { operationContext: { environmentVariables: { KEPT: '1' } } },
    { env: ['A=x=y', 'B='], secretEnv: ['KEY=4711'], removeEnv: ['OLD'] },
    {
      operationContext: {
        environmentVariables: { KEPT: '1', OLD: null, A: 'x=y', B: '', KEY: { secret: '4711' } },
      },
    },
  ],
  [
    'members that are true or false',
    {},
    { deleteAfterDestroy: 'false', pushToDeploy: 'true' },
    { gitHub: { deployCommits: true }, operationContext: { options: { deleteAfterDestroy: false } } },
  ],
] as const)('%s', (_name, file, flags, patch) =>
  expect(settingsPatch(file, { ...NONE, ...flags } as typeof NONE)).toEqual(patch),
);

test('a variable without a name is refused, and its text is not repeated', () => {
  const call = (): unknown => settingsPatch({}, { ...NONE, ...({ secretEnv: ['4711'] } as object) });
  expect(call).toThrow('cannot set a variable: it is not given as NAME=VALUE');
});
