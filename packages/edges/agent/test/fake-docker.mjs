#!/usr/bin/env node
/**
 * Command line of containers for tests: knows the words of `docker run` and `docker rm` that the agent uses, and
 * refuses all others. It runs the command of a container as a process that outlives its client, as a daemon does.
 * Its folder is that of the socket in DOCKER_HOST: `image` has the commands of the image, `calls.jsonl` gets a line
 * for each call.
 */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';

const state = path.dirname(new URL(process.env.DOCKER_HOST).pathname);
const MARK = 'FAKE_CONTAINER';
/** Variables that a client may have: its own, and the mark by which the agent finds strays. */
const CLIENT =
  /^(PATH|HOME|LANG|XDG_(RUNTIME_DIR|(CONFIG|DATA)_HOME)|(DOCKER|CONTAINERS?)_\w+|CAIRN_AGENT_COMMAND|PWD|SHLVL|_)$/;
/** Options of `run`: false if they have no value, a pattern of the value otherwise. */
const OPTIONS = {
  '--rm': false,
  '--init': false,
  '--read-only': false,
  '--name': /^cairn-[0-9a-f-]{36}$/,
  '--label': /^cairn\.(agent|stack|run)=./,
  '--cap-drop': /^ALL$/,
  '--security-opt': /^no-new-privileges$/,
  '--log-driver': /^none$/,
  '--user': /^\d+:\d+$/,
  '--network': /^[\w.-]+$/,
  '--memory': /^\d+$/,
  '--memory-swap': /^\d+$/,
  '--cpus': /^\d+$/,
  '--pids-limit': /^\d+$/,
  '--tmpfs': /^(\/tmp|\/home\/cairn):rw,exec,nosuid,nodev,mode=1777(,size=\d+)?$/,
  '--mount': /^type=bind,source=([^,"]+),target=\1$/,
  '--workdir': /^\//,
  // podman reads a list of files in the form of CSV.
  '--env-file': /^[^,"]+$/,
  '--entrypoint': /./,
};
const REQUIRED = Object.keys(OPTIONS).filter((name) => !/network|memory|cpus|pids/.test(name));

function fail(text, code = 125) {
  process.stderr.write(`docker: ${text}\n\nRun 'docker run --help' for more information\n`);
  process.exit(code);
}

function parse(words) {
  const options = {};
  while (words[0]?.startsWith('--')) {
    const name = words.shift();
    if (!(name in OPTIONS)) fail(`unknown flag: ${name}`);
    const value = OPTIONS[name] === false ? '' : words.shift();
    if (OPTIONS[name] !== false && !OPTIONS[name].test(value)) fail(`invalid argument ${value} for ${name}`);
    (options[name] ??= []).push(value);
  }
  for (const name of REQUIRED) if (options[name] === undefined) fail(`${name} is missing`);
  return { options, image: words.shift(), args: words };
}

function variablesIn(file) {
  if ((fs.statSync(file).mode & 0o777) !== 0o600) fail(`${file} can be read by others`);
  const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

const fileOf = (name, ending) => path.join(state, `${name}.${ending}`);

function note(call) {
  fs.appendFileSync(path.join(state, 'calls.jsonl'), `${JSON.stringify(call)}\n`);
}

function run(words) {
  const { options, image, args } = parse([...words]);
  const [name] = options['--name'];
  const env = variablesIn(options['--env-file'][0]);
  note({ call: 'run', words, env });
  for (const variable of Object.keys(process.env))
    if (!CLIENT.test(variable)) fail(`the client has the variable ${variable}`);
  if (image === 'missing') fail('Error response from daemon: pull access denied for missing');
  if (fs.existsSync(fileOf(name, 'json'))) fail(`Error response from daemon: the name ${name} is in use`);
  for (const mount of options['--mount']) {
    const source = mount.split('=')[2].replace(/,target$/, '');
    if (!fs.existsSync(source))
      fail(`Error response from daemon: bind source path does not exist: ${source}`);
  }
  // The folders that a container has of its own.
  for (const [place, variable] of [
    ['/home/cairn', 'HOME'],
    ['/tmp', 'TMPDIR'],
  ])
    if (env[variable] === place) fs.mkdirSync((env[variable] = fileOf(name, variable)));
  const streams = ['stdout', 'stderr'].map((stream) => fs.openSync(fileOf(name, stream), 'a+'));
  const PATH = [path.join(state, 'image'), path.dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const child = spawn(options['--entrypoint'][0], args, {
    cwd: options['--workdir'][0],
    env: { PATH, ...env, [MARK]: name },
    detached: true,
    stdio: ['ignore', ...streams],
  });
  child.once('error', (error) => {
    remove(name);
    fail(`Error response from daemon: exec: ${error.message}`, 127);
  });
  fs.writeFileSync(fileOf(name, 'json'), JSON.stringify({ pid: child.pid }));
  const at = [0, 0];
  const show = () =>
    streams.forEach((stream, index) => {
      const chunk = Buffer.alloc(65_536);
      for (let read; (read = fs.readSync(stream, chunk, 0, chunk.length, at[index])) > 0; at[index] += read)
        fs.writeSync(index + 1, chunk.subarray(0, read));
    });
  const timer = setInterval(show, 20);
  child.once('exit', (code, signal) => {
    clearInterval(timer);
    show();
    remove(name);
    process.exitCode = code ?? 128 + { SIGKILL: 9, SIGINT: 2, SIGTERM: 15 }[signal];
  });
}

/** Ends the processes of a container, and deletes its files. */
function remove(name) {
  const { pid } = fs.existsSync(fileOf(name, 'json'))
    ? JSON.parse(fs.readFileSync(fileOf(name, 'json')))
    : {};
  if (pid !== undefined) kill(-pid);
  for (let left = [undefined]; left.length > 0; left.forEach(kill)) left = processesOf(name);
  for (const ending of ['json', 'stdout', 'stderr', 'HOME', 'TMPDIR'])
    fs.rmSync(fileOf(name, ending), { recursive: true, force: true });
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Processes that have left the group of their container, where the system shows them. */
function processesOf(name) {
  if (!fs.existsSync('/proc/self/environ')) return [];
  return fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && hasMark(pid, name))
    .map(Number);
}

function hasMark(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${MARK}=${name}`);
  } catch {
    return false;
  }
}

const [command, ...words] = process.argv.slice(2);
if (command === 'run') run(words);
else if (command === 'rm' && words.length === 2 && words[0] === '--force') {
  const known = fs.existsSync(fileOf(words[1], 'json'));
  note({ call: 'rm', name: words[1], known });
  remove(words[1]);
  if (!known) {
    process.stderr.write(`Error response from daemon: No such container: ${words[1]}\n`);
    process.exitCode = 1;
  }
} else fail(`unknown command: ${command} ${words.join(' ')}`);
