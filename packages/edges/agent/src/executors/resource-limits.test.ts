import type { RunLimits } from '../config/agent-config.js';
import { findLimitMeans, limitedCommand, unlimited } from './resource-limits.js';
import type { LimitMeans } from './resource-limits.js';

const limits = (more: Partial<RunLimits>): RunLimits => ({ timeMs: 10_000, outputBytes: 1, ...more });
const ALL = limits({ memoryBytes: 1 << 20, processors: 2, processes: 50 });
const COMMAND = { command: 'node', args: ['main.js', 'a b'] };
const PROPERTIES = [
  ...['--property=MemoryMax=1048576', '--property=MemorySwapMax=0'],
  ...['--property=CPUQuota=200%', '--property=TasksMax=50'],
];
const SCOPE = ['--scope', '--quiet', '--collect'];

test.each<[LimitMeans, RunLimits, string, readonly string[]]>([
  ['system', ALL, 'systemd-run', [...SCOPE, ...PROPERTIES, '--', 'node', 'main.js', 'a b']],
  [
    'user',
    ALL,
    'systemd-run',
    [
      ...['--user', ...SCOPE, ...PROPERTIES, '--'],
      ...['env', '-u', 'XDG_RUNTIME_DIR', '-u', 'DBUS_SESSION_BUS_ADDRESS', 'node', 'main.js', 'a b'],
    ],
  ],
  [
    'ulimit',
    ALL,
    'sh',
    [
      '-c',
      'ulimit -d 1024 2>/dev/null; ulimit -t 20 2>/dev/null; exec "$@"',
      ...['sh', 'node', 'main.js', 'a b'],
    ],
  ],
  ['system', limits({}), 'node', ['main.js', 'a b']],
  ['ulimit', limits({}), 'node', ['main.js', 'a b']],
  ['none', ALL, 'node', ['main.js', 'a b']],
])('by %s', (means, given, command, args) => {
  expect(limitedCommand(means, given, COMMAND)).toEqual({ command, args });
});

test.each<[NodeJS.Platform, boolean, boolean, boolean, LimitMeans]>([
  ['linux', true, true, true, 'system'],
  ['linux', true, false, true, 'user'],
  ['linux', true, true, false, 'ulimit'],
  ['linux', false, true, true, 'ulimit'],
  ['darwin', false, false, true, 'none'],
  ['win32', false, false, true, 'none'],
])('means of %s, systemd %p, root %p, scopes %p', (platform, hasSystemd, isRoot, works, means) => {
  const asked: string[] = [];
  const succeeds = (command: string, args: readonly string[]): boolean => {
    asked.push([command, ...args].join(' '));
    return works;
  };
  expect(findLimitMeans({ platform, hasSystemd, isRoot, succeeds })).toBe(means);
  const user = isRoot ? '' : ' --user';
  expect(asked).toEqual(hasSystemd ? [`systemd-run${user} --scope --quiet --collect -- true`] : []);
});

test('what a machine cannot limit has a name', () => {
  expect(unlimited('none', [limits({}), ALL])).toEqual(['memory', 'processors', 'processes']);
  expect(unlimited('none', [limits({})])).toEqual([]);
  expect(unlimited('ulimit', [ALL])).toEqual(['processes']);
  expect(unlimited('system', [ALL])).toEqual([]);
});
