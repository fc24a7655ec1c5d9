import { makeUrn, rootStackUrn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, EngineResult, StepKind, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import { propertyMap, secret } from '@cairn/values';
import type { CommandContext, TerminalCapabilities } from '../command-context.js';
import type { StackFlags } from '../flags/operation.js';
import { ciMarks } from './ci-marks.js';
import type { CiMarks } from './ci-marks.js';
import { ExchangeSteps } from './exchange-steps.js';
import { openDisplay } from './open-display.js';

const root = rootStackUrn('shop', 'dev');
const site = makeUrn({ stack: 'dev', project: 'shop', parent: root, type: 'shop:web:Site', name: 'front' });
const page = makeUrn({ stack: 'dev', project: 'shop', parent: site, type: 'a:b:Page', name: 'index' });
const entry = (title: string) =>
  resourceEntry({
    ...{ urn: page, type: 'a:b:Page', custom: true, id: 'i', parent: site },
    inputs: propertyMap({ title, password: secret('hush') }),
  });

function step(kind: StepKind, more: Partial<StepView> = {}): StepView {
  return {
    ...{ kind, urn: page, type: 'a:b:Page', provider: undefined, old: entry('old'), new: entry('new') },
    ...{ replaceKeys: [], changedKeys: [], detailedDiff: undefined, refreshResult: undefined },
    reason: { t: 'property', keys: ['title'], replaces: false, sources: [] },
    ...more,
  };
}
const component = step('create', {
  ...{ urn: site, type: 'shop:web:Site', old: undefined, reason: { t: 'new' } },
  new: resourceEntry({ urn: site, type: 'shop:web:Site', custom: false, parent: root }),
});
const started = (view: StepView, planning: boolean): EngineEvent => ({
  ...{ t: 'step-started', step: view, planning },
});
const ended = (view: StepView, planning: boolean): EngineEvent => ({
  ...{ t: 'step-ended', step: view, planning, elapsedMs: 0 },
});
const failed: EngineEvent = { t: 'step-failed', step: step('update'), inDoubt: false, elapsedMs: 0 };
const said = (diagnostic: Diagnostic): EngineEvent => ({
  ...{ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false },
});
const failure = said(errorDiagnostic('CAIRN-RESOURCE-FAILED', 'no room', { urn: page }));
const doubt = said(warningDiagnostic('CAIRN-IN-DOUBT', 'unknown outcome', { urn: page }));
const planned = [component, step('update')].flatMap((view) => [started(view, true), ended(view, true)]);
const result = {
  summary: { kind: 'up', preview: true, result: 'succeeded', durationMs: 0, changes: { update: 1 } },
} as EngineResult;
const program = { values: new Map(), secretKeys: [] } as never;

/** Opens a display with these flags. */
function opened(
  which: 'preview' | 'run',
  {
    flags = {},
    terminal = {},
    ...operation
  }: {
    readonly flags?: Partial<StackFlags>;
    readonly terminal?: Partial<TerminalCapabilities>;
    readonly marks?: CiMarks;
    readonly title?: string;
    readonly keepsChanges?: boolean;
  } = {},
) {
  const written = { out: '', err: '' };
  const stdout = { write: (chunk: string) => (written.out += chunk), columns: 80, rows: 24 };
  const stderr = { write: (chunk: string) => (written.err += chunk), columns: 80 };
  const shown = { interactive: false, redraw: false, colour: false, unicode: true, debug: false };
  const context = {
    ...{ env: {}, cwd: '/shop', stdout, stderr, raw: { stdout, stderr } },
    now: () => new Date(7000),
    self: { calledAs: 'cairn' },
    terminal: { ...shown, ...terminal },
  } as unknown as CommandContext;
  const display = openDisplay(
    context,
    { kind: 'up', flags: flags as StackFlags, exchange: new ExchangeSteps(), ...operation },
    'dev',
    which,
  );
  const take = (events: readonly EngineEvent[]): void => events.forEach((event) => display.event(event));
  return { display, take, written };
}

test('a plan in lines: title, rows, and nothing else', () => {
  const { display, take, written } = opened('preview', { flags: { emoji: true } });
  take(planned);
  display.close();
  expect(written).toEqual({
    out: '🔍 Previewing update (dev):\n +    shop:web:Site front create\n ~      a:b:Page index update  title changed\n',
    err: '',
  });
});

test('details before a question: every changed resource with its differences, secrets masked', () => {
  const { display, take } = opened('preview', { terminal: { interactive: true } });
  take(planned);
  expect(display.details()).toEqual([
    ' +    shop:web:Site front create',
    ' ~      a:b:Page index update  title changed',
    '        ~ title: "old" => "new"',
  ]);
});

test('nothing is kept for details if no question follows', () => {
  const { display, take } = opened('preview');
  take(planned);
  expect(display.view.changes()).toEqual([]);
  expect(opened('run', { terminal: { interactive: true } }).display.view.changes()).toEqual([]);
});

describe('errors of a run', () => {
  test('are named when they happen and left to the end', () => {
    const { display, take, written } = opened('run');
    take([failure, failed]);
    display.close();
    expect(written.out).toContain(' !    a:b:Page index **failed**  CAIRN-RESOURCE-FAILED\n');
    expect(display.reports.named.map(({ summary }) => summary)).toEqual(['no room']);
    expect(display.reports.isReported(display.reports.named[0] as Diagnostic)).toBe(false);
  });

  test('are reported in full at once for scripts that follow each step', () => {
    const { display, take, written } = opened('run', { flags: { diff: true } });
    take([failure]);
    display.close();
    expect(written.out).toContain('CAIRN-RESOURCE-FAILED');
  });

  test('are reported if there is no result', () => {
    const { display, take, written } = opened('run', { terminal: { debug: true } });
    take([failure, failure, doubt]);
    display.failed('it broke');
    display.close();
    expect(written.out.split('\n').slice(2)).toEqual([
      'warning[CAIRN-IN-DOUBT]: unknown outcome',
      `  at ${page}`,
      'error[CAIRN-RESOURCE-FAILED]: no room (2 times)',
      `  at ${page}`,
      '    it broke',
      '',
    ]);
    expect(display.reports.named).toEqual([]);
  });
});

test.each([
  ['a run without a person leaves doubts to the end', 'run', false, 1],
  ['a person sees them when they come', 'run', true, 0],
  ['a preview leaves none', 'preview', false, 0],
] as const)('%s', (_title, which, interactive, held) => {
  const { display, take, written } = opened(which, { terminal: { interactive } });
  take([doubt]);
  display.close();
  expect(display.reports.doubts).toHaveLength(held);
  expect(written.out.includes('unknown outcome')).toBe(held === 0);
});

describe('output for programs', () => {
  test('of a preview is one document; messages about interrupts go to stderr', () => {
    const { display, take, written } = opened('preview', { flags: { json: true } });
    take([...planned, failure]);
    display.say('interrupted');
    display.failed('it broke');
    display.close();
    expect(written).toEqual({ out: '', err: 'interrupted\n' });
    const { steps, diagnostics } = JSON.parse(display.answer(result, program)) as Record<string, unknown[]>;
    expect([steps?.length, diagnostics?.length]).toEqual([2, 1]);
  });

  test('of a run is one event a line; a failure without a result is a message', () => {
    const { display, take, written } = opened('run', { flags: { json: true } });
    take([started(component, false)]);
    display.say('interrupted');
    display.failed('it broke');
    display.close();
    const lines = written.out.trimEnd().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object)[2])).toEqual([
      'resourcePreEvent',
      'stdoutEvent',
      'diagnosticEvent',
      'cancelEvent',
    ]);
    expect(display.answer(result, program)).toBe('');
  });

  test('in one line has no room for errors and warnings, which go to stderr', () => {
    const { display, take, written } = opened('run', { flags: { output: 'json' } });
    take([ended(component, false), failure, doubt, { ...failure, ephemeral: true } as EngineEvent]);
    display.close();
    expect(written).toEqual({
      out: '',
      err: `error[CAIRN-RESOURCE-FAILED]: no room\n  at ${page}\nwarning[CAIRN-IN-DOUBT]: unknown outcome\n  at ${page}\n`,
    });
    expect(display.answer(result, program)).toContain('"name":"front","op":"create"');
  });

  test('keeps no rows, except for files about the changes', () => {
    for (const keepsChanges of [false, true]) {
      const { display, take } = opened('run', { flags: { json: true }, keepsChanges });
      take([ended(step('update'), false)]);
      expect(display.view.rows.byUrn.size).toBe(Number(keepsChanges));
      expect(display.view.changes()).toHaveLength(Number(keepsChanges));
    }
  });
});

test('on a CI system the title opens a section and the end closes it', () => {
  const marks = ciMarks({ env: { GITHUB_ACTIONS: 'true' }, now: () => new Date(0), token: () => 'secret' });
  const { display, take, written } = opened('run', { marks: marks!, title: 'Resuming change 7' });
  take([ended(component, false)]);
  display.close();
  expect(written.out).toBe(
    '::group::Resuming change 7 (dev):\n::stop-commands::secret\n +    shop:web:Site front created\n::secret::\n::endgroup::\n',
  );
});

test('a live tree is written once as text at the end', () => {
  const { display, take, written } = opened('run', { terminal: { redraw: true } });
  take([ended(component, false), started(step('update'), false), ended(step('update'), false)]);
  display.stopping();
  expect(display.running()).toEqual([]);
  display.close();
  expect(written.out).toMatch(/^Updating \(dev\):\n/);
  expect(written.out).toMatch(
    /shop:web:Site +front +created\n.*└─ a:b:Page +index +updated +title changed\n/,
  );
});
