import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ContainerSettings, RunLimits } from '../src/config/agent-config.js';
import { Containers } from '../src/executors/containers.js';
import { ProcessExecutor } from '../src/executors/process.js';
import type { ProcessEnd } from '../src/executors/process.js';

/** Containers by a command that checks each word, and by the real one where there is one. */

const base = mkdtempSync(path.join(tmpdir(), 'agent-containers-'));
afterAll(() => rmSync(base, { recursive: true }));

const bin = path.join(base, 'bin');
const daemon = path.join(base, 'daemon');
const project = path.join(base, 'project');
for (const folder of [bin, path.join(daemon, 'image'), project]) mkdirSync(folder, { recursive: true });
chmodSync(path.join(__dirname, 'fake-docker.mjs'), 0o755);
symlinkSync(path.join(__dirname, 'fake-docker.mjs'), path.join(bin, 'docker'));
const hostEnv = {
  PATH: `${bin}:${process.env['PATH']}`,
  HOME: base,
  DOCKER_HOST: `unix://${daemon}/docker.sock`,
  PLANTED: 'of the agent',
};

interface Call {
  readonly call: 'run' | 'rm';
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly known: boolean;
}

const callsFile = path.join(daemon, 'calls.jsonl');
const calls = (): readonly Call[] =>
  existsSync(callsFile)
    ? readFileSync(callsFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Call)
    : [];
beforeEach(() => rmSync(callsFile, { force: true }));

let logs = 0;

interface Given {
  readonly containers?: Containers;
  readonly executor?: ProcessExecutor;
  readonly container?: Partial<ContainerSettings>;
  readonly limits?: Partial<RunLimits>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stack?: string;
}

const folderOf = (name: string): string => path.join(base, name);

/** Runs a shell script in a container. Returns its end and its log. */
async function run(script: string, given: Given = {}): Promise<ProcessEnd & { readonly log: string }> {
  const log = path.join(base, `${(logs += 1)}.log`);
  const {
    containers = new Containers(folderOf('records'), hostEnv),
    executor = new ProcessExecutor('none'),
  } = given;
  const end = await containers.run(
    {
      container: { command: 'docker', image: 'cairn:1', keepsHome: false, mounts: [], ...given.container },
      labels: { agent: 'agent-1', stack: given.stack ?? 'dev', run: '7' },
      command: 'sh',
      args: ['-c', script],
      cwd: project,
      folders: [project],
      home: path.join(base, 'home'),
      env: given.env ?? {},
      limits: { timeMs: 60_000, outputBytes: 1 << 20, ...given.limits },
      log,
      isRead: true,
    },
    executor,
  );
  return { ...end, log: existsSync(log) ? readFileSync(log, 'utf8') : '' };
}

/** Resolves when a file of the project is there. */
function written(file: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!existsSync(path.join(project, file))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(project, look);
    look();
  });
}

/** Tells if a process runs. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

const pidIn = (file: string): number => Number(readFileSync(path.join(project, file), 'utf8'));

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a fake command', () => {
  test('the command runs with its variables, and nothing is left', async () => {
    const secret = 'hunter2-planted';
    const end = await run('echo "$API_TOKEN" >&2; env; pwd; exit 3', {
      env: { API_TOKEN: secret, PATH: '/host' },
    });
    expect(end).toMatchObject({ code: 3, words: 'exit code 3', isStopped: false, isDead: false });
    expect(end.stdout).toContain(`API_TOKEN=${secret}\n`);
    expect(end.stdout).toContain(`${project}\n`);
    expect(end.stdout).not.toMatch(/PLANTED|DOCKER_HOST|\/host/);
    expect(end.log).toBe('[secret]\n');
    const [call, ...others] = calls();
    expect(others).toEqual([]);
    expect(call?.env).toEqual({ HOME: '/home/cairn', TMPDIR: '/tmp', API_TOKEN: secret });
    expect(call?.words.join(' ')).not.toContain(secret);
    expect(call?.words).toEqual(
      expect.arrayContaining(['cairn.agent=agent-1', 'cairn.stack=dev', 'cairn.run=7']),
    );
    expect(readdirSync(folderOf('records'))).toEqual([]);
  });

  test('limits are those of the container', async () => {
    const limits = { memoryBytes: 1 << 26, processors: 2, processes: 9, diskBytes: 1 << 20 };
    expect((await run('true', { limits, container: { network: 'clouds' } })).code).toBe(0);
    const words = calls()[0]?.words.join(' ');
    expect(words).toContain(
      '--network clouds --memory 67108864 --memory-swap 67108864 --cpus 2 --pids-limit 9',
    );
    expect(words).toContain('mode=1777,size=1048576');
  });

  test('at its time limit the container is removed', async () => {
    const end = await run("trap '' TERM INT; echo $$ > late.pid; while :; do sleep 600; done", {
      limits: { timeMs: 1_500 },
    });
    expect(end).toMatchObject({ words: 'ended at its time limit of 1.5 s', isDead: true, isStopped: false });
    expect(calls().map(({ call, known }) => [call, known])).toEqual([
      ['run', undefined],
      ['rm', true],
    ]);
    expect(isAlive(pidIn('late.pid'))).toBe(false);
    expect(readdirSync(folderOf('records'))).toEqual([]);
  });

  test.each([
    [
      'an image that is not there',
      { image: 'missing' },
      'docker: Error response from daemon: pull access denied for missing',
    ],
    [
      'a folder that is not there',
      { mounts: ['/no/such'] },
      'docker: Error response from daemon: bind source path does not exist: /no/such',
    ],
  ])('%s', async (_, container, reason) => {
    const why = `docker cannot run the container: ${reason}`;
    expect(await run('true', { container })).toMatchObject({ code: undefined, isDead: true, why });
  });

  test('a command of this machine that is not there has a reason', async () => {
    const end = await run('true', { container: { command: 'no-such-docker' } });
    expect([end.code, end.words]).toEqual([127, expect.stringContaining('cannot be started: ')]);
    expect(readdirSync(folderOf('records'))).toEqual([]);
  });

  test('a command that is killed in its container has died', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ code: undefined, words: 'signal SIGKILL', isDead: true });
  });

  test('a variable of several lines begins nothing', async () => {
    const end = await run('true', { env: { KEY: 'a\nb' } });
    expect(end).toMatchObject({
      isDead: true,
      why: expect.stringContaining('the variable KEY has several lines'),
    });
    expect(calls()).toEqual([]);
  });

  test('a stop reaches the command, which ends its step', async () => {
    const executor = new ProcessExecutor('none');
    const running = run("trap 'echo ended its step; exit 8' INT; : > ready; while :; do sleep 0.05; done", {
      executor,
    });
    await written('ready');
    await executor.stop();
    expect(await running).toMatchObject({ code: 8, stdout: 'ended its step\n' });
    expect(calls().map(({ call }) => call)).toEqual(['run']);
    expect(await run('true', { executor })).toMatchObject({ isStopped: true });
  });

  test('a kill ends the container, and is waited for', async () => {
    const executor = new ProcessExecutor('none');
    const containers = new Containers(folderOf('killed'), hostEnv);
    const running = run('echo $$ > killed.pid; : > begun; exec sleep 600', { executor, containers });
    await written('begun');
    executor.kill();
    await containers.settled();
    expect(isAlive(pidIn('killed.pid'))).toBe(false);
    expect(await running).toMatchObject({ isStopped: true, isDead: false });
  });

  test('the next agent removes containers of one that died', async () => {
    const running = run('echo $$ > left.pid; : > left; exec sleep 600', {
      containers: new Containers(folderOf('died'), hostEnv),
    });
    await written('left');
    expect(readdirSync(folderOf('died'))).toHaveLength(2);
    expect(await new Containers(folderOf('died'), hostEnv).removeLeft()).toBeUndefined();
    expect(isAlive(pidIn('left.pid'))).toBe(false);
    expect(readdirSync(folderOf('died'))).toEqual([]);
    await running;
  });

  test('while one cannot be removed, its stack begins nothing', async () => {
    const records = folderOf('broken');
    mkdirSync(records);
    writeFileSync(path.join(records, 'cairn-x.json'), JSON.stringify({ command: 'false', stack: 'dev' }));
    writeFileSync(path.join(records, 'cairn-y.json'), '{"comm');
    const containers = new Containers(records, hostEnv);
    expect(await containers.removeLeft()).toMatch(
      /^cannot remove the container cairn-x of an agent that died: /,
    );
    expect(await run('true', { containers })).toMatchObject({
      isDead: true,
      why: expect.stringContaining('cairn-x'),
    });
    expect(calls()).toEqual([]);
    expect(await run('true', { containers, stack: 'other' })).toMatchObject({ code: 0 });
    // A record that is not whole is of a container that was not started.
    expect(readdirSync(records)).toEqual(['cairn-x.json']);
  });
});

/** Image of the tests with real commands, with a shell. It is not pulled. */
const IMAGE = process.env['CAIRN_TEST_IMAGE'] ?? 'busybox';

const COMMANDS = ['docker', 'podman'] as const;

/** Returns why the tests with a real command are skipped. Undefined if they are not. */
function whyNot(command: string): string | undefined {
  const call = (...args: readonly string[]) =>
    spawnSync(command, args, { encoding: 'utf8', timeout: 20_000 });
  const daemon = call('info');
  if (daemon.error !== undefined) return `there is no ${command}`;
  if (daemon.status !== 0) return `${command} cannot run containers`;
  return call('image', 'inspect', IMAGE).status === 0 ? undefined : `there is no image ${IMAGE}`;
}

const hasDocker = spawnSync('docker', ['--version']).error === undefined;

(hasDocker ? test : test.skip)(
  `docker knows every word${hasDocker ? '' : ' (skipped: there is no docker)'}`,
  async () => {
    const containers = new Containers(folderOf('words'), {
      PATH: process.env['PATH'],
      DOCKER_HOST: `unix://${base}/none`,
    });
    const limits = { memoryBytes: 1 << 26, processors: 1, processes: 9, diskBytes: 1 << 20 };
    const container = { network: 'none', mounts: ['/srv/a,"b"'] };
    const end = await run('true', { containers, container, limits, env: { KEY: 'v' } });
    // It has read all words and the file when it looks for its daemon.
    expect(end.why).toMatch(/cannot connect to the docker daemon/i);
  },
);

describe.each(COMMANDS)('the real %s', (command) => {
  const why = whyNot(command);
  const real = why === undefined ? test : test.skip;
  const reason = why === undefined ? '' : ` (skipped: ${why})`;
  const env = { ...process.env };
  const container = { command, image: IMAGE, network: 'none' };
  /** Containers of a folder whose name podman would take for a list. */
  const containersIn = (name: string): Containers => new Containers(folderOf(`${command},"${name}"`), env);

  real(`runs a command with its limits, and leaves nothing${reason}`, async () => {
    const mount = folderOf(`${command}, "mount"`);
    mkdirSync(mount);
    const end = await run('echo "$KEY"; touch /etc/x || touch made; id -u; touch "$MOUNT/made"; ls "$HOME"', {
      containers: containersIn('ran'),
      container: { ...container, mounts: [mount] },
      env: { KEY: ' "v" #x $y ', MOUNT: mount },
      limits: { memoryBytes: 1 << 27, processors: 1, processes: 50, diskBytes: 1 << 20 },
    });
    expect([end.code, end.stdout]).toEqual([0, ` "v" #x $y \n${process.getuid?.()}\n`]);
    expect([existsSync(path.join(project, 'made')), existsSync(path.join(mount, 'made'))]).toEqual([
      true,
      true,
    ]);
    expect(readdirSync(folderOf(`${command},"ran"`))).toEqual([]);
  });

  real(`kills a container that ignores signals${reason}`, async () => {
    const containers = containersIn('killed');
    const script = "trap '' TERM INT; : > ignores; while :; do sleep 1; done";
    const executor = new ProcessExecutor('none');
    const running = run(script, { containers, container, executor });
    await written('ignores');
    executor.kill();
    await containers.settled();
    expect(await running).toMatchObject({ isStopped: true });
    expect(readdirSync(folderOf(`${command},"killed"`))).toEqual([]);
  });

  real(`gives a reason for an image that is not there${reason}`, async () => {
    const end = await run('true', {
      containers: containersIn('missing'),
      container: { ...container, image: 'localhost:1/missing:1' },
    });
    expect(end.why).toMatch(new RegExp(`^${command} cannot run the container: (docker|Error): `));
  });
});
