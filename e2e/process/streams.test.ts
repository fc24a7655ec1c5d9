import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const FILES = {
  'index.ts': `import { RandomId } from '@cairn/provider-random';
new RandomId('one', { byteLength: 2 });
export const answer = 42;
`,
  'schema.json': '{"name":"tiny"}',
  'none.yaml': 'state: none\nstacks:\n- stack: dev\n  source: { directory: . }\n',
};
const URN = 'urn:pulumi:dev::shop::cairn-random:index:Id::one';

/** A command line, its exit code, and a text that each stream contains. An empty text: the stream is empty. */
type Row = readonly [words: string, code: number, stdout: string, stderr: string];

const NO_WEBHOOKS = 'error[CAIRN-USAGE]: cannot use webhooks';
const NO_SETTINGS = 'error[CAIRN-USAGE]: cannot use deployment settings';
const NO_SCHEDULES = 'error[CAIRN-USAGE]: cannot use schedules';
const NO_LOOKS = 'error[CAIRN-USAGE]: cannot use kept looks for drift';

/** Commands that only read: they share a box. */
const READING: readonly Row[] = [
  ['about', 0, 'backend', ''],
  ['about env', 0, 'VARIABLE', ''],
  ['abort', 2, '', 'error[CAIRN-USAGE]: no change was given'],
  ['agent', 2, '', 'error[CAIRN-USAGE]: cannot find the file of the agent'],
  ['agent status --config none.yaml', 0, 'No agent is running', ''],
  ['agent runs --config none.yaml', 0, '', 'no runs found'],
  ['agent approve 1 --config none.yaml', 2, '', 'error[CAIRN-USAGE]: there is no run "1"'],
  ['agent deny 1 --config none.yaml', 2, '', 'error[CAIRN-USAGE]: there is no run "1"'],
  ['agent drain --config none.yaml', 2, '', 'error[CAIRN-USAGE]: cannot drain the agent'],
  ['agent notices --config none.yaml', 0, '', ''],
  ['agent deliveries --config none.yaml', 0, '', 'no deliveries found'],
  ['agent redeliver 1 --config none.yaml', 2, '', 'error[CAIRN-USAGE]: there is no delivery "1"'],
  ['agent warnings --config none.yaml', 0, '', 'no warnings'],
  ['approve', 2, '', "error[CAIRN-USAGE]: missing required argument 'step'"],
  ['change 1', 0, 'Update dev', ''],
  ['change resolve 1/1 --done', 1, '', 'error[CAIRN-CHANGE-ENDED]: 1/1 is not in doubt'],
  ['changes', 0, 'Update dev', ''],
  ['config', 0, 'KEY', ''],
  ['config get shop:size', 0, '3\n', ''],
  ['convert --from nothing --language typescript --out out', 1, '', 'error[CAIRN-PLUGIN-NOT-FOUND]'],
  ['follow 1', 0, 'Done     create one', ''],
  ['gen-completion bash', 0, '# bash completion of cairn', ''],
  ['import --yes', 2, '', 'error[CAIRN-USAGE]: an import needs'],
  ['logs list', 0, 'WRITTEN  SIZE  NAME', ''],
  ['logs show nothing', 2, '', 'error[CAIRN-USAGE]: there is no log nothing'],
  ['migrate sdk', 0, '', '0 files changed'],
  ['package get-mapping terraform nothing', 1, '', 'error[CAIRN-PLUGIN-NOT-FOUND]'],
  ['package get-schema cairn-random', 0, '"name":"cairn-random"', ''],
  ['package info cairn-random', 0, 'cairn-random', ''],
  ['plugin ls', 0, 'TOTAL plugin cache size', ''],
  ['plugin run nothing', 1, '', 'error[CAIRN-PLUGIN-NOT-FOUND]: no tool plugin nothing'],
  ['policy analyze', 2, '', 'error[CAIRN-USAGE]: no policy pack was given'],
  ['preview', 0, 'Previewing update (dev):', ''],
  ['provider test ./nowhere', 2, '', 'error[CAIRN-USAGE]'],
  [
    'request up --stack none --config none.yaml',
    2,
    '',
    'error[CAIRN-USAGE]: the file of the agent has no stack',
  ],
  ['resume', 1, '', 'error[CAIRN-CHANGE-ENDED]: stack dev has no change to resume'],
  ['rollback --yes', 2, '', 'error[CAIRN-NEEDS-CONFIRMATION]'],
  ['schema check schema.json', 0, 'tiny: 0 resources', ''],
  ['serve', 2, '', 'error[CAIRN-USAGE]: cannot start the service: no master key'],
  ['serve audit export --store file://.', 0, 'timestamp,event,description', ''],
  ['serve audit verify --store file://.', 0, '0:00000000', ''],
  ['serve grant ls --store file://.', 0, '', ''],
  ['serve org ls --store file://.', 0, 'organization', ''],
  ['serve backup', 2, '', 'error[CAIRN-USAGE]: cannot open the store of the service'],
  ['serve restore --store file://.', 2, '', 'error[CAIRN-USAGE]: cannot find the backup: no --from'],
  ['serve rotate-keys', 2, '', 'error[CAIRN-USAGE]: cannot rotate keys: no master key'],
  ['serve team ls --store file://.', 0, '', ''],
  ['serve migrate', 2, '', 'error[CAIRN-USAGE]: cannot take stacks: no place is given'],
  ['serve token ls', 2, '', 'error[CAIRN-USAGE]: cannot open the store of the service'],
  ['serve trust ls --store file://.', 0, '', ''],
  ['console --nothing', 2, '', "error[CAIRN-USAGE]: unknown option '--nothing'"],
  ['serve user ls --store file://.', 0, '', ''],
  ['stack', 0, 'Stack dev of project shop', ''],
  ['stack export', 0, '"deployment": {', ''],
  ['stack graph graph.dot', 0, '', 'Wrote the graph to graph.dot'],
  ['stack history', 0, '1: update succeeded', ''],
  ['stack ls', 0, 'dev*', ''],
  ['stack output answer', 0, '42\n', ''],
  ['stack tag ls', 0, 'NAME', ''],
  ['stack tag get missing', 2, '', 'error[CAIRN-USAGE]: the stack has no tag "missing"'],
  ['stack webhook ls', 2, '', NO_WEBHOOKS],
  ['stack webhook new --name a --url https://x', 2, '', NO_WEBHOOKS],
  ['stack webhook get a', 2, '', NO_WEBHOOKS],
  ['stack webhook edit a', 2, '', NO_WEBHOOKS],
  ['stack webhook rm a --yes', 2, '', NO_WEBHOOKS],
  ['stack webhook ping a', 2, '', NO_WEBHOOKS],
  ['stack webhook delivery ls a', 2, '', NO_WEBHOOKS],
  ['stack webhook delivery redeliver a b', 2, '', NO_WEBHOOKS],
  ['deployment settings get', 2, '', NO_SETTINGS],
  ['deployment settings edit --branch main', 2, '', NO_SETTINGS],
  ['deployment settings destroy --yes', 2, '', NO_SETTINGS],
  ['stack schedule ls', 2, '', NO_SCHEDULES],
  ['stack schedule new --kind drift --cron=@daily', 2, '', NO_SCHEDULES],
  ['stack schedule get a', 2, '', NO_SCHEDULES],
  ['stack schedule edit a', 2, '', NO_SCHEDULES],
  ['stack schedule rm a --yes', 2, '', NO_SCHEDULES],
  ['stack schedule pause a', 2, '', NO_SCHEDULES],
  ['stack schedule resume a', 2, '', NO_SCHEDULES],
  ['stack drift ls', 2, '', NO_LOOKS],
  ['stack drift status', 2, '', NO_LOOKS],
  ['state get ' + URN, 0, 'Type: cairn-random:index:Id', ''],
  ['state list', 0, URN, ''],
  ['version', 0, 'v', ''],
  ['watch --nothing', 2, '', "error[CAIRN-USAGE]: unknown option '--nothing'"],
  ['whoami', 0, '\n', ''],
];

/** Commands that write: each has a box of its own. */
const WRITING: readonly Row[] = [
  ['alias bin', 0, '/bin/pulumi\n', 'to use this one: export PATH'],
  ['cancel --yes', 0, '', 'Stack dev is not locked'],
  ['config cp --dest other', 6, '', 'error[CAIRN-STACK-NOT-FOUND]'],
  ['config refresh', 0, '', 'has the configuration of the latest update'],
  ['config rm shop:size', 0, '', ''],
  ['config rm-all shop:nothing', 0, '', "configuration key 'shop:nothing' not found"],
  ['config set shop:size 4', 0, '', ''],
  ['config set-all --plaintext shop:size=4', 0, '', ''],
  ['destroy --yes --skip-preview', 0, 'Destroying (dev):', ''],
  ['install --no-dependencies', 0, '', ''],
  ['logs remove', 2, '', 'error[CAIRN-USAGE]: no logs to remove were given'],
  ['login', 0, '', 'Logged in to'],
  ['logout', 0, '', 'Not logged in to any backend'],
  ['new typescript --dir made --yes --generate-only', 0, '', 'Created project made'],
  ['package add nothing', 1, '', 'error[CAIRN-PLUGIN-NOT-FOUND]'],
  ['package new nothing --dir pack', 2, '', 'error[CAIRN-USAGE]: there is no package template'],
  ['package gen-sdk cairn-random --out sdk', 0, '', 'Generated @cairn-sdks/cairn-random'],
  ['plugin install resource nothing 1.0.0 --file nowhere.tar.gz', 2, '', 'error['],
  ['plugin rm --all --yes', 0, '', 'no plugins found to uninstall'],
  ['policy new nothing --dir pack', 2, '', 'error['],
  ['project new typescript --dir made --yes --generate-only', 0, '', 'Created project made'],
  ['refresh --yes --skip-preview', 0, 'Refreshing (dev):', ''],
  ['serve grant new user:alice --store file://.', 2, '', "Member 'alice' not found"],
  ['serve grant rm nothing --store file://.', 2, '', 'Grant not found'],
  ['serve org new acme --store file://.', 0, '', 'Made organization acme'],
  ['serve team rm ops --store file://.', 2, '', "Team 'ops' not found"],
  ['serve team set ops --store file://.', 0, '', 'Members of team ops: none'],
  ['serve token new alice --store file://.', 0, 'cairn-', ''],
  ['serve token rm nothing --store file://.', 2, '', 'error[CAIRN-USAGE]: cannot remove token "nothing"'],
  ['serve trust new deploys --store file://.', 2, '', 'cannot trust an issuer: none is given'],
  ['serve trust rm nothing --store file://.', 2, '', 'Trust not found'],
  ['serve user password alice --store file://.', 2, '', "There is no user 'alice'"],
  ['serve user rm alice --store file://.', 2, '', "Member 'alice' not found"],
  ['serve user set alice --store file://.', 0, '', 'alice is a member with the role reader'],
  ['stack change-secrets-provider passphrase', 2, '', 'error[CAIRN-NEEDS-CONFIRMATION]'],
  ['stack import --file nowhere.json', 2, '', 'error[CAIRN-USAGE]: cannot read nowhere.json'],
  ['stack init other', 0, '', 'Created stack other'],
  ['stack lock', 2, '', 'error[CAIRN-USAGE]: cannot lock the stack without a reason'],
  ['stack migrate', 2, '', "error[CAIRN-USAGE]: missing required argument 'url'"],
  ['stack rename other', 0, 'Renamed dev to other', 'were renamed too'],
  ['stack rm --yes', 1, '', 'error[CAIRN-STACK-NOT-EMPTY]'],
  ['stack select dev', 0, '', ''],
  ['stack tag rm missing', 2, '', 'error[CAIRN-USAGE]: the stack has no tag "missing"'],
  ['stack tag set a b', 0, '', ''],
  ['stack unlock', 0, '', 'Stack dev is not locked by a person'],
  ['stack unselect', 0, '', 'Stack was unselected'],
  ['state delete --yes ' + URN, 0, '', 'is no longer in the state'],
  ['state edit', 2, '', 'error[CAIRN-NEEDS-CONFIRMATION]'],
  ['state move', 2, '', 'error[CAIRN-USAGE]: no URN was given'],
  ['state protect --yes ' + URN, 0, '', URN],
  ['state rename --yes ' + URN + ' two', 0, '', 'two'],
  ['state repair --yes', 0, '', 'nothing had to be repaired'],
  ['state taint ' + URN, 0, '', 'is replaced by the next update'],
  ['state unprotect --yes ' + URN, 0, '', 'Nothing had to be changed'],
  ['state untaint ' + URN, 0, '', 'Nothing had to be changed'],
  ['state upgrade --yes', 0, '', 'No stacks have the old layout'],
  ['up --yes --skip-preview', 0, 'Updating (dev):', ''],
];

let shared: Sandbox;
beforeAll(async () => {
  shared = sandbox(FILES);
  giveStack(shared);
  expectOk(await shared.cairn(['config', 'set', 'shop:size', '3']));
  expectOk(await shared.cairn(['up', '--yes', '--skip-preview']));
});
afterAll(() => shared.remove());

/** A box with the files, the stack and the state of the shared one. */
function copy(): Sandbox {
  const box = sandbox(FILES);
  giveStack(box);
  cpSync(shared.state, box.state, { recursive: true });
  box.write('Cairn.dev.yaml', readFileSync(path.join(shared.directory, 'Cairn.dev.yaml'), 'utf8'));
  return box;
}

async function hold(box: Sandbox, [words, code, stdout, stderr]: Row): Promise<void> {
  const end = await box.process(words.split(' '));
  expect({ ...end, text: '' }).toEqual({
    ...{ code, signal: null, text: '' },
    stdout: stdout === '' ? '' : expect.stringContaining(stdout),
    stderr: stderr === '' ? '' : expect.stringContaining(stderr),
  });
}

describe('a command as a process: its exit code and its streams', () => {
  test.each(READING)('%s', async (...row) => hold(shared, row));

  test.each(WRITING)('%s', async (...row) => {
    const box = copy();
    try {
      await hold(box, row);
    } finally {
      box.remove();
    }
  });

  test('each command of the reference has a row', () => {
    const page = readFileSync(path.join(__dirname, '..', '..', 'docs', 'cli.md'), 'utf8');
    const commands = [...page.matchAll(/^\| \[`([a-z -]+)`\]\(#/gm)].map(([, name]) => name ?? '');
    const rows = [...READING, ...WRITING].map(([words]) => `${words} `);
    expect(commands.length).toBeGreaterThan(60);
    expect(commands.filter((name) => !rows.some((words) => words.startsWith(`${name} `)))).toEqual([]);
  });
});
