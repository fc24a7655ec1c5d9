import type { ContainerSettings, RunLimits } from '../config/agent-config.js';
import {
  clientVariables,
  containerVariables,
  containerWords,
  removalCalls,
  variablesProblem,
} from './container-command.js';
import type { ContainerCommand } from './container-command.js';

const LIMITS: RunLimits = { timeMs: 1, outputBytes: 1 };
const SELF = { uid: 998, gid: 997 };

function commandOf(
  container: Partial<ContainerSettings> = {},
  more: Partial<ContainerCommand> = {},
): ContainerCommand {
  return {
    container: { command: 'docker', image: 'cairn:1', keepsHome: false, mounts: [], ...container },
    name: 'cairn-1',
    labels: { agent: 'a', stack: 'dev', run: '7' },
    command: 'cairn',
    args: ['preview', '--stack', 'dev'],
    cwd: '/agent/sources/dev/infra',
    folders: ['/agent/sources/dev', '/agent/runs/7'],
    home: '/agent/homes/dev',
    env: {},
    limits: LIMITS,
    ...more,
  };
}

const words = (command: ContainerCommand, self: typeof SELF | undefined = SELF): string =>
  containerWords(command, 'cairn-1.env', self).join(' ');

test('every word', () => {
  expect(words(commandOf())).toBe(
    [
      'run --rm --init --name cairn-1 --label cairn.agent=a --label cairn.stack=dev --label cairn.run=7',
      '--read-only --cap-drop ALL --security-opt no-new-privileges --log-driver none --user 998:997',
      '--tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777 --tmpfs /home/cairn:rw,exec,nosuid,nodev,mode=1777',
      '--mount type=bind,source=/agent/sources/dev,target=/agent/sources/dev',
      '--mount type=bind,source=/agent/runs/7,target=/agent/runs/7',
      '--workdir /agent/sources/dev/infra --env-file cairn-1.env',
      '--entrypoint cairn cairn:1 preview --stack dev',
    ].join(' '),
  );
});

test.each<[string, ContainerCommand, string]>([
  ['network', commandOf({ network: 'clouds' }), ' --network clouds '],
  ['user', commandOf({ user: '0:0' }), ' --user 0:0 '],
  ['podman', commandOf({ command: '/usr/bin/podman' }), ' --userns keep-id --user 998:997 '],
  [
    'limits',
    commandOf({}, { limits: { ...LIMITS, memoryBytes: 1024, processors: 2, processes: 50 } }),
    ' --memory 1024 --memory-swap 1024 --cpus 2 --pids-limit 50 ',
  ],
  [
    'disk',
    commandOf({}, { limits: { ...LIMITS, diskBytes: 4096 } }),
    ' --tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777,size=4096 ',
  ],
  [
    'home',
    commandOf({ keepsHome: true }),
    ' --mount type=bind,source=/agent/homes/dev,target=/agent/homes/dev ',
  ],
  [
    'mounts',
    commandOf({ mounts: ['/srv/a,"b"'] }),
    ' --mount type=bind,"source=/srv/a,""b""","target=/srv/a,""b""" ',
  ],
])('%s', (_, command, part) => {
  expect(words(commandOf())).not.toContain(part);
  expect(words(command)).toContain(part);
});

test('a kept home is no folder of memory, and a folder is mounted once', () => {
  expect(words(commandOf({ keepsHome: true }))).not.toContain('/home/cairn');
  expect(words(commandOf({ mounts: ['/agent/sources/dev'] }))).toBe(words(commandOf()));
});

test('podman of root, and a system without users, map none', () => {
  expect(words(commandOf({ command: 'podman' }), { uid: 0, gid: 0 })).not.toContain('keep-id');
  expect(containerWords(commandOf(), '/x', undefined)).not.toContain('--user');
});

test('podman kills a container before it removes it', () => {
  expect(removalCalls('docker', 'c')).toEqual([['rm', '--force', 'c']]);
  expect(removalCalls('/usr/bin/podman', 'c')).toEqual([
    ['kill', 'c'],
    ['rm', '--force', 'c'],
  ]);
});

test('variables are those of the stack, with folders of the container', () => {
  const env = { PATH: '/host', HOME: '/host', TMPDIR: '/host', UNSET: undefined, API_TOKEN: ' a="b" #c ' };
  expect(containerVariables(commandOf({}, { env }))).toBe(
    'HOME=/home/cairn\nTMPDIR=/tmp\nAPI_TOKEN= a="b" #c \n',
  );
  expect(containerVariables(commandOf({ keepsHome: true }))).toBe('HOME=/agent/homes/dev\nTMPDIR=/tmp\n');
});

test.each([
  [{ KEY: 'one line' }, undefined],
  [{ PATH: 'a\nb' }, undefined],
  [{ KEY: 'a\nb' }, expect.stringMatching(/^the variable KEY has several lines/)],
  [{ KEY: 'x'.repeat(60_001) }, expect.stringMatching(/^the variable KEY has more than 60000 characters/)],
])('variables that a container cannot have: %#', (env, problem) => {
  expect(variablesProblem(env)).toEqual(problem);
});

test('the command itself gets its own variables only', () => {
  const own = { DOCKER_HOST: 'h', PATH: '/bin', CONTAINERS_CONF: '/c' };
  expect(clientVariables({ ...own, API_TOKEN: 's', LD_PRELOAD: 'x' })).toMatchObject(own);
  expect(Object.keys(clientVariables({ API_TOKEN: 's', LD_PRELOAD: 'x' }))).not.toContain('API_TOKEN');
  expect(Object.keys(clientVariables({ LD_PRELOAD: 'x' }))).not.toContain('LD_PRELOAD');
});
