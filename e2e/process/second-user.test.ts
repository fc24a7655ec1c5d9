import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asUrn } from '@cairn/addresses';
import { registerRequest } from '@cairn/testkit';
import { callAs, NOBODY, othersCanBeTried, runAs, WHY_NO_OTHERS } from '@cairn/testkit/servers';
import type { UnaryCall } from '@cairn/testkit/servers';
import { propertyMap } from '@cairn/values';
import type { Caller } from '@cairn/wire/caller';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { ProviderClient } from '@cairn/wire/provider-client';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running } from '../support/cairn.js';

/** Another user of the machine can do nothing while an operation runs. With a real process of another user id. */

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

/** Returns the user's answers to calls, then to attempts to read files. */
async function intrude(
  uid: number,
  addresses: readonly string[],
  calls: readonly UnaryCall[],
  files: readonly string[],
): Promise<readonly string[]> {
  const read = `console.log(JSON.stringify(process.argv.slice(1).map((file) => {
    try { require('node:fs').readFileSync(file); return 'read'; } catch (error) { return 'error ' + error.code; }
  })))`;
  return [
    ...(await callAs(uid, addresses, calls)),
    ...(JSON.parse(await runAs(uid, read, ...files)) as string[]),
  ];
}

/** Records a call as sent over the wire. */
async function recorded(make: (caller: Caller) => Promise<unknown>): Promise<UnaryCall> {
  let call: UnaryCall | undefined;
  const caller: Caller = {
    unary: async (method, body) => {
      call = [method, Buffer.from(body).toString('base64')];
      throw new Error('only recorded');
    },
    serverStream: () => {
      throw new Error('not used');
    },
    close: () => {},
  };
  await make(caller).catch(() => undefined);
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

const asRoot = othersCanBeTried ? test : test.skip;

asRoot(
  `another user cannot register a resource, nor read a secret, while an update runs${WHY_NO_OTHERS}`,
  async () => {
    const box = sandbox({ 'index.ts': PROGRAM });
    let running: Running | undefined;
    try {
      expectOk(await box.cairn(['stack', 'init', 'dev']));
      const effect = path.join(box.directory, 'intruded');
      const calls = [
        await recorded((caller) =>
          new MonitorClient(caller).registerResource(
            registerRequest({
              type: 'cairn-local:index:Command',
              name: 'intruder',
              inputs: propertyMap({ create: `touch ${effect}` }),
            }),
          ),
        ),
        await recorded((caller) => new MonitorClient(caller).getDeploymentInfo()),
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
        ...[...ports, monitor].map(() => expect.stringMatching(/^answer/) as string),
        'read',
        'read',
      ]);
      writeFileSync(path.join(box.directory, 'go'), '');
      const finished = expectOk(await up.finished);
      expect(finished.text).toMatch(
        /warning.*process \d+ of user nobody \(uid 65534\) tried to connect to the engine/,
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

asRoot(
  `another user cannot have a provider of ours do anything, which runs as a plugin process${WHY_NO_OTHERS}`,
  async () => {
    const box = sandbox();
    const plugin = path.join(__dirname, '..', '..', 'packages', 'providers', 'local', 'bin', 'plugin.js');
    const child = spawn(process.execPath, [plugin], {
      cwd: box.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    try {
      const [port] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const effect = path.join(box.directory, 'made');
      const type = 'cairn-local:index:Command';
      const calls = [
        await recorded((caller) =>
          new ProviderClient(caller).create({
            urn: asUrn(`urn:pulumi:dev::shop::${type}::intruder`),
            name: 'intruder',
            type,
            inputs: propertyMap({ create: `touch ${effect}` }),
            timeoutSeconds: 0,
            preview: false,
          }),
        ),
        await recorded((caller) => new ProviderClient(caller).getPluginInfo()),
      ];
      const answers = await callAs(NOBODY, [port.trim()], calls);
      expect(answers).toEqual(calls.map(() => expect.stringMatching(/^(error|closed)/) as string));
      expect(await callAs(0, [port.trim()], calls.slice(1))).toEqual([expect.stringMatching(/^answer/)]);
      expect(existsSync(effect)).toBe(false);
      expect(said.join('')).toMatch(
        /^process \d+ of user nobody \(uid 65534\) tried to call this provider and was refused\n/,
      );
      // The same call succeeds for a user who may make it.
      expect(await callAs(0, [port.trim()], calls.slice(0, 1))).toEqual([expect.stringMatching(/^answer/)]);
      expect(existsSync(effect)).toBe(true);
    } finally {
      child.kill('SIGKILL');
      box.remove();
    }
  },
);
