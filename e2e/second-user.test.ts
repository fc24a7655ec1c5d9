import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RegisterResourceRequest } from '@cairn/wire';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { expectOk, sandbox } from './support/cairn.js';
import type { Running } from './support/cairn.js';

/** What another user of the machine can do while an operation runs: nothing. With a real process of `nobody`. */

const NOBODY = 65_534;

/** The program tells that it runs, then waits until it may end. */
const PROGRAM = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { secret } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
writeFileSync('monitor', process.env.CAIRN_MONITOR + '\\n' + process.pid);
new LocalCommand('mine', { create: 'echo mine >> effects.log', environment: { TOKEN: secret('planted-token') } });
while (!existsSync('go')) await setTimeout(20);
`;

const REQUEST: RegisterResourceRequest = {
  type: 'cairn-local:index:Command',
  name: 'intruder',
  parent: '',
  custom: true,
  remote: false,
  inputs: {},
  protect: undefined,
  retainOnDelete: undefined,
  dependencies: [],
  propertyDependencies: {},
  provider: '',
  providers: {},
  package: { version: '', pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' },
  deleteBeforeReplace: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  hideDiffs: [],
  additionalSecretOutputs: [],
  aliases: [],
  importId: '',
  customTimeouts: { create: '', update: '', delete: '' },
  deletedWith: '',
  replaceWith: [],
  replacementTrigger: undefined,
  transforms: [],
  hooks: undefined,
  sourcePosition: undefined,
  stackTrace: [],
  accepts: { secrets: true, resources: true, partialValues: true, resultReporting: true },
  aliasSpecs: true,
  envVarMappings: {},
};

/** Sends calls to every address given and writes what came back as JSON; then tries to read files. */
const INTRUDER = `
const { connect } = require('node:net');
const http2 = require('node:http2');
const [addresses, calls, files] = JSON.parse(process.argv.at(-1));
const ask = (address, [path, body]) => new Promise((resolve) => {
  const socket = address.startsWith('unix:') ? connect(address.slice(5)) : connect(Number(address), '127.0.0.1');
  socket.on('error', (error) => resolve('error ' + error.code));
  const session = http2.connect('http://localhost', { createConnection: () => socket });
  session.on('error', (error) => resolve('error ' + error.code));
  const stream = session.request({ ':method': 'POST', ':path': path, te: 'trailers', 'content-type': 'application/grpc' });
  stream.on('error', (error) => resolve('error ' + error.code));
  stream.on('response', () => resolve('answered'));
  stream.on('close', () => resolve('closed'));
  const message = Buffer.from(body, 'base64');
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
});
const read = (file) => { try { require('node:fs').readFileSync(file); return 'read'; } catch (error) { return 'error ' + error.code; } };
(async () => {
  const answers = [];
  for (const address of addresses) for (const call of calls) answers.push(await ask(address, call));
  console.log(JSON.stringify([...answers, ...files.map(read)]));
  process.exit();
})();
`;

async function intrude(uid: number, ...what: readonly unknown[]): Promise<string[]> {
  const child = spawn(process.execPath, ['-e', INTRUDER, '--', JSON.stringify(what)], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return JSON.parse(text) as string[];
}

/** The calls of a program as they go over the wire. */
async function recorded(make: (monitor: MonitorClient) => Promise<unknown>): Promise<[string, string]> {
  let call: [string, string] | undefined;
  const monitor = new MonitorClient({
    unary: async (method, body) => {
      call = [method, Buffer.from(body).toString('base64')];
      throw new Error('only recorded');
    },
    serverStream: () => {
      throw new Error('not used');
    },
    close: () => {},
  });
  await make(monitor).catch(() => undefined);
  if (call === undefined) throw new Error('no call was made');
  return call;
}

/** Ports of 127.0.0.1 at which a process listens. */
function portsOf(pid: number): string[] {
  const descriptors = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
  const rows = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter((row) => row[3] === '0A' && descriptors.includes(`socket:[${row[9]}]`))
    .map((row) => String(Number.parseInt((row[1] as string).split(':')[1] as string, 16)));
}

const cannot = process.platform !== 'linux' || process.geteuid?.() !== 0;
/** Only root can start a process of another user. */
(cannot ? test.skip : test)(
  'another user cannot register a resource, nor read a secret, while `up` runs',
  async () => {
    const box = sandbox({ 'index.ts': PROGRAM });
    let running: Running | undefined;
    try {
      expectOk(await box.cairn(['stack', 'init', 'dev']));
      const effect = path.join(box.directory, 'intruded');
      const calls = [
        await recorded((monitor) =>
          monitor.registerResource({ ...REQUEST, inputs: { create: `touch ${effect}` } }),
        ),
        await recorded((monitor) => monitor.getDeploymentInfo()),
      ];
      const up = (running = box.start(['up', '--yes', '--skip-preview', '--event-log', 'events.json']));
      await up.shown('mine');
      const [monitor, program] = readFileSync(path.join(box.directory, 'monitor'), 'utf8').split('\n') as [
        string,
        string,
      ];
      expect(monitor).toMatch(/^unix:/);
      const engine = up.process.pid as number;
      const ports = portsOf(engine);
      expect(ports.length).toBeGreaterThan(0);
      const files = [`/proc/${engine}/environ`, `/proc/${program}/environ`];
      const answers = await intrude(NOBODY, [...ports, monitor], calls, files);
      expect(answers).toEqual(answers.map(() => expect.stringMatching(/^(error|closed)/)));
      expect(await intrude(0, [...ports, monitor], calls.slice(1), files)).toEqual([
        ...[...ports, monitor].map(() => 'answered'),
        'read',
        'read',
      ]);
      writeFileSync(path.join(box.directory, 'go'), '');
      const finished = expectOk(await up.finished);
      expect(finished.text).toMatch(
        /warning.*process \d+ of user nobody \(uid 65534\) tried to speak to the engine/,
      );
      expect(existsSync(effect)).toBe(false);
      expect(readFileSync(path.join(box.directory, 'effects.log'), 'utf8')).toBe('mine\n');
      expectOk(await box.cairn(['stack', 'export', '--file', 'state.json']));
      expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
      const state = readFileSync(path.join(box.directory, 'state.json'), 'utf8');
      expect([state.includes('intruder'), existsSync(monitor.slice('unix:'.length))]).toEqual([false, false]);
      const modes = ['state.json', 'plan.json', 'events.json', '../home/.cairn'].map(
        (file) => statSync(path.join(box.directory, file)).mode & 0o777,
      );
      expect(modes).toEqual([0o600, 0o600, 0o600, 0o700]);
    } finally {
      running?.process.kill('SIGKILL');
      box.remove();
    }
  },
);
