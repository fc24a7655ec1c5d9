import type { PluginLogLevel } from './log-line.js';
import { isWanted, readLogLine, wantedLevel } from './log-line.js';

test.each<[Record<string, string>, PluginLogLevel | 'none']>([
  [{}, 'warn'],
  [{ TF_LOG: '' }, 'warn'],
  [{ TF_LOG: 'DEBUG' }, 'debug'],
  [{ TF_LOG: 'info' }, 'info'],
  [{ TF_LOG: 'JSON' }, 'trace'],
  [{ TF_LOG: 'OFF' }, 'none'],
  [{ TF_LOG: 'TRACE', TF_LOG_PROVIDER: 'ERROR' }, 'error'],
])('an environment of %j tells lines from %s on [TFP-5]', (env, level) => {
  expect(wantedLevel(env)).toBe(level);
});

const LINES = [
  '{"@caller":"a.go:1","@level":"trace","@message":"says \\"@level\\":\\"error\\""}',
  '{"@level":"info","@message":"i"}',
  '2030/01/02 03:04:05 [WARN] w',
  '{"@level":"error","@message":"e"}',
  'free',
];

test.each<[PluginLogLevel | 'none', readonly string[]]>([
  ['none', []],
  ['error', ['e']],
  ['warn', ['w', 'e']],
  ['info', ['i', 'w', 'e']],
  ['debug', ['i', 'w', 'e', 'free']],
  ['trace', ['says "@level":"error"', 'i', 'w', 'e', 'free']],
])('of five lines, those from %s on are told [TFP-5]', (from, told) => {
  expect(LINES.filter((line) => isWanted(line, from)).map((line) => readLogLine(line).text)).toEqual(told);
});
