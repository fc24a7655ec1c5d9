import { asUrn } from '@cairn/addresses';
import type { OperationKind, EngineResult, WaitingTask } from '@cairn/engine';
import { parseCommandLine } from '../commands/parse.js';
import { commandTable } from '../commands/table.js';
import type { CommandContext } from '../command-context.js';
import { whatNext } from './what-next.js';

const urn = asUrn('urn:pulumi:dev::shop::a:b:Page::db');
const waits = (kind: WaitingTask['kind'], task: string): WaitingTask => ({
  task,
  urn,
  kind,
  why: 'because\nof this',
});

function said(
  line: string,
  result: EngineResult['summary']['result'],
  unfinished: boolean,
  waiting: readonly WaitingTask[] = [],
  kind: OperationKind = 'up',
): { stdout: string; stderr: string } {
  const parsed = parseCommandLine(commandTable, line.split(' '), {});
  if (parsed.t !== 'command') throw new Error(parsed.text);
  const out = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (out[name] += text) });
  whatNext(
    {
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      terminal: { colour: false },
    } as unknown as CommandContext,
    { kind, flags: parsed.invocation.flags },
    '7',
    { result: { summary: { result }, waiting } as unknown as EngineResult, unfinished },
  );
  return out;
}

test('an operation that is done says nothing', () =>
  expect(said('up', 'succeeded', false)).toEqual({ stdout: '', stderr: '' }));

test('a failed one that has recorded nothing says nothing', () =>
  expect(said('up', 'failed', false)).toEqual({ stdout: '', stderr: '' }));

test('a failed one names the commands that go on, for the stack that was named', () => {
  const { stdout } = said('up --stack prod', 'failed', true);
  expect(stdout).toMatch(/^ {4}cairn resume 7 --stack prod +# continue it/m);
  expect(stdout).toMatch(/^ {4}cairn rollback 7 --stack prod +# roll it back/m);
});

test('an answer about a step in doubt is followed by how to go on', () => {
  const { stdout } = said('up', 'succeeded', true, [], 'resolve');
  expect(stdout).toMatch(/cairn resume 7/);
});

test('an answer that is refused has told why in its error', () => {
  const { stdout } = said('up', 'failed', true, [waits('in-doubt', '3f9a2c1b')], 'resolve');
  expect(stdout).toMatch(/^3f9a2c1b db waits \[CAIRN-IN-DOUBT\]$/m);
});

test('what waits is named by tasks that can be pasted', () => {
  const tasks = [waits('in-doubt', '3f9a2c1b'), waits('gate', '4')];
  const { stdout, stderr } = said('up --json', 'waiting', true, tasks);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^3f9a2c1b db waits: because \[CAIRN-IN-DOUBT\]$/m);
  expect(stderr).toMatch(/^ {4}cairn change resolve 3f9a2c1b --created ID +# it was created/m);
  expect(stderr).toMatch(/^ {4}cairn change resolve 3f9a2c1b --not-created +# it was not created/m);
  expect(stderr).toMatch(/^ {4}cairn approve 7\/4 +# approve it/m);
});

test.each([
  [
    { names: ['arn'], needed: 'always' },
    '--created ID --outputs FILE  # it was created, with this id, and FILE',
  ],
  [
    { names: ['arn'], needed: 'unless-read' },
    '--created ID   # it was created, with this id; add --outputs FILE',
  ],
] as const)('outputs that are told with an answer: %p', (outputs, line) => {
  const { stdout } = said('up', 'waiting', true, [{ ...waits('in-doubt', '3f9a2c1b'), outputs }]);
  expect(stdout).toContain(line);
  expect(stdout).toContain('FILE has its outputs as JSON: {"arn":"…"}');
});
