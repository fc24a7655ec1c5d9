import { makeProviderReference, makeUrn, rootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { ErrorCode } from '@cairn/diagnostics';
import type { EngineEvent, StepKind, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { paintFor } from '../terminal/paint.js';
import { stepDiffLines } from './diff/step-diff.js';
import type { Display } from './display.js';
import { LiveDisplay } from './live-display.js';
import type { LiveOptions } from './live-display.js';
import { PlainDisplay, messageLines } from './plain-display.js';
import type { PlainOptions } from './plain-display.js';
import { inTreeOrder } from './row-line.js';
import { RowModel, glyphOf, isListed, statusText } from './rows.js';
import type { Listing, Row, StepEvent } from './rows.js';
import { countsText, inDoubtLines, summaryLines } from './summary.js';
import { outputLines } from './value-text.js';
import { RunningTally } from './tally.js';
import { valueText } from './value-text.js';

const paint = paintFor(false);
const root = rootStackUrn('shop', 'dev');
const provider = makeProviderReference(
  makeUrn({ stack: 'dev', project: 'shop', type: 'pulumi:providers:a', name: 'default' }),
  'p',
);
const site = makeUrn({ stack: 'dev', project: 'shop', parent: root, type: 'shop:web:Site', name: 'front' });
const page = makeUrn({ stack: 'dev', project: 'shop', parent: site, type: 'a:b:Page', name: 'index' });

function entry(inputs: PropertyMap, outputs = inputs): ResourceEntry {
  return resourceEntry({
    urn: page,
    type: 'a:b:Page',
    custom: true,
    id: 'i',
    parent: site,
    provider,
    inputs,
    outputs,
  });
}

function step(kind: StepKind, more: Partial<StepView> = {}): StepView {
  return {
    kind,
    urn: page,
    type: 'a:b:Page',
    provider,
    old: undefined,
    new: entry(propertyMap({})),
    replaceKeys: [],
    changedKeys: [],
    detailedDiff: undefined,
    reason: { t: 'new' },
    refreshResult: undefined,
    ...more,
  };
}

const component = (kind: StepKind): StepView =>
  step(kind, {
    urn: site,
    type: 'shop:web:Site',
    new: resourceEntry({ urn: site, type: 'shop:web:Site', custom: false, parent: root }),
  });
const started = (view: StepView): EngineEvent => ({ t: 'step-started', step: view, planning: false });
const ended = (view: StepView, elapsedMs = 120): EngineEvent => ({
  t: 'step-ended',
  step: view,
  planning: false,
  elapsedMs,
});
const planned = (view: StepView): EngineEvent => ({
  t: 'step-ended',
  step: view,
  planning: true,
  elapsedMs: 0,
});

/** Returns a display that gets each event after the rows have applied it. */
function withRows(display: Display, rows: RowModel, nowMs: () => number = () => 0) {
  return {
    event: (event: EngineEvent) => display.event(event, rows.apply(event, nowMs())),
    close: () => display.close(),
  };
}

/** Returns the append-only display of a run, with some options changed. */
function plainDisplay({ write, ...more }: Partial<PlainOptions> & Pick<PlainOptions, 'write'>) {
  const rows = new RowModel();
  const options = { diff: false, listing: {}, showSecrets: false, debug: false, planning: false };
  const nowMs = more.nowMs ?? (() => 0);
  const every = () => () => undefined;
  const display = new PlainDisplay({ write, rows, paint, ...options, every, nowMs, ...more });
  return withRows(display, rows, nowMs);
}

describe('a row is the sum of its steps', () => {
  const cases: [string, EngineEvent[], StepKind, string, boolean][] = [
    ['create, running', [started(step('create'))], 'create', 'creating', true],
    ['create, done', [started(step('create')), ended(step('create'))], 'create', 'created', true],
    ['unchanged', [ended(step('same'))], 'same', 'unchanged', false],
    ['planned update', [planned(step('update'))], 'update', 'update', true],
    [
      'failed',
      [started(step('update')), { t: 'step-failed', step: step('update'), inDoubt: false, elapsedMs: 5 }],
      'update',
      '**updating failed**',
      true,
    ],
    [
      'create-first replacement: one row',
      [
        ended(step('create-replacement')),
        ended(step('replace')),
        started(step('delete-replaced')),
        ended(step('delete-replaced')),
      ],
      'replace',
      'replaced',
      true,
    ],
    [
      'refresh that found nothing new',
      [ended(step('refresh', { refreshResult: 'same' }))],
      'refresh',
      'refreshed',
      false,
    ],
    [
      'refresh that found drift',
      [ended(step('refresh', { refreshResult: 'update' }))],
      'update',
      'updated',
      true,
    ],
    [
      'refresh, then update',
      [ended(step('refresh', { refreshResult: 'same' })), ended(step('update'))],
      'update',
      'updated',
      true,
    ],
  ];
  test.each(cases)('%s', (_name, events, kind, text, change) => {
    const rows = new RowModel();
    for (const event of events) rows.apply(event, 0);
    const row = rows.byUrn.get(page);
    expect(row?.kind).toBe(kind);
    expect(row && statusText(row)).toBe(text);
    expect(row && isListed(row)).toBe(change);
  });

  test('its reason is that of what happens to it, not of its last step', () => {
    const rows = new RowModel();
    const why: StepView['reason'] = { t: 'property', keys: ['size'], replaces: true, sources: [] };
    rows.apply(ended(step('refresh', { reason: { t: 'refresh', asked: 'user' } })), 0);
    rows.apply(ended(step('create-replacement', { reason: why })), 0);
    rows.apply(ended(step('replace', { reason: why })), 0);
    rows.apply(ended(step('delete-replaced', { reason: { t: 'replaced' } })), 0);
    expect(rows.byUrn.get(page)?.reason).toBe(why);
  });

  test('running rows are known without a scan', () => {
    const rows = new RowModel();
    rows.apply(started(step('create')), 0);
    expect([...rows.running]).toEqual([page]);
    rows.apply(ended(step('create')), 0);
    expect(rows.running.size).toBe(0);
  });
});

describe('append-only output [CLI-5]', () => {
  function plain(more: Partial<PlainOptions> = {}) {
    const text: string[] = [];
    let tick = (): void => undefined;
    let now = 0;
    const display = plainDisplay({
      write: (chunk) => text.push(chunk),
      nowMs: () => now,
      every: (_ms, run) => {
        tick = run;
        return () => undefined;
      },
      ...more,
    });
    return {
      display,
      lines: () => text.join('').split('\n').slice(0, -1),
      pass: (ms: number) => ((now += ms), tick()),
    };
  }

  const titled = (name: string, parent: Urn): StepView => {
    const urn = makeUrn({ stack: 'dev', project: 'shop', parent, type: 'a:b:Page', name });
    const side = (inputs: PropertyMap): ResourceEntry => ({ ...entry(inputs), urn, parent });
    const old = side(propertyMap({ title: 'a' }));
    return step('update', {
      urn,
      old,
      new: side(propertyMap({ title: 'one two three four five six seven' })),
    });
  };

  test('differences are indented as their row is, and broken at blanks on a narrow terminal', () => {
    const { display, lines } = plain({ planning: true, diff: true, diffColumns: 40 });
    const planned = (view: StepView): EngineEvent => ({ ...ended(view), planning: true }) as EngineEvent;
    display.event(planned(component('create')));
    display.event(planned(titled('inner', site)));
    const [, row = '', ...diff] = lines();
    expect(row).toMatch(/^ ~ +a:b:Page inner/);
    expect(diff.length).toBeGreaterThan(1);
    for (const line of diff) {
      expect(line).toMatch(/^ {10}/);
      expect(line.length).toBeLessThanOrEqual(40);
    }
    expect(diff.map((line) => line.trim()).join(' ')).toContain('one two three four five six seven');
  });

  test('a row does not stand below an unrelated one, whatever was written between it and its component', () => {
    const { display, lines } = plain({ planning: true });
    const planned = (view: StepView): EngineEvent => ({ ...ended(view), planning: true }) as EngineEvent;
    display.event(planned(component('create')));
    display.event(planned(titled('first', site)));
    display.event(planned(titled('queue', root)));
    display.event(planned(titled('late', site)));
    const indents = lines().map((line) => [
      /(\w+) \*{0,2}(?:create|update)/.exec(line)?.[1],
      line.search(/\w/),
    ]);
    const [[, top]] = indents as [[string, number]];
    expect(indents).toEqual([
      ['front', top],
      ['first', top + 2],
      ['queue', top],
      ['late', top],
    ]);
  });

  test('where everything is known, rows are in the order of the tree', () => {
    const rows = new RowModel();
    const views = [component('create'), titled('queue', root), titled('late', site)];
    const all = views.flatMap((view) => rows.apply(ended(view), 0) ?? []).map((row) => ({ row }));
    expect(inTreeOrder(all, rows).map(({ row }) => row.name)).toEqual(['front', 'late', 'queue']);
  });

  test.each<[string, StepKind[], RegExp[]]>([
    ['create first', ['create-replacement', 'replace', 'delete-replaced'], [/\+-.*index replace/]],
    ['delete first', ['delete-replaced', 'create-replacement', 'replace'], [/\+-.*index replace/]],
    ['an old object left from before', ['delete-replaced'], [/--.*index delete original/]],
  ])('a planned replacement is one line: %s', (_title, kinds, expected) => {
    const { display, lines } = plain({ planning: true });
    for (const kind of kinds) display.event(planned(step(kind)));
    display.event({ t: 'outputs', step: step('same'), planning: true });
    expect(lines()).toEqual(expected.map((line) => expect.stringMatching(line) as string));
  });

  test('what happens is told step by step: both halves of a replacement, and each of two objects of one name', () => {
    const { display, lines } = plain();
    for (const kind of ['delete-replaced', 'create-replacement'] as const) {
      display.event(started(step(kind)));
      display.event(ended(step(kind), 5));
    }
    display.event(ended(step('replace'), 0));
    display.event(started(step('delete-replaced')));
    display.event({ t: 'step-failed', step: step('delete-replaced'), inDoubt: false, elapsedMs: 7 });
    display.event(started(step('delete')));
    display.event(ended(step('delete'), 9));
    const row = '  a:b:Page index';
    expect(lines()).toEqual([
      ` -- ${row} deleting original`,
      ` -- ${row} deleted original (5ms)`,
      ` ++ ${row} creating replacement`,
      ` ++ ${row} created replacement (5ms)`,
      ` +- ${row} replaced`,
      ` -- ${row} deleting original`,
      ` -- ${row} **deleting original failed** (7ms)`,
      ` -  ${row} deleting`,
      ` -  ${row} deleted (9ms)`,
    ]);
  });

  test.each([
    ['delete', ' -    a:b:Page index delete  its object is gone'],
    ['update', ' ~    a:b:Page index update  its object was changed outside'],
  ] as const)('a refresh says what it found: %s', (refreshResult, expected) => {
    const { display, lines } = plain({ planning: true });
    const reason: StepView['reason'] = { t: 'refresh', asked: 'user' };
    display.event(planned(step('refresh', { refreshResult, reason })));
    expect(lines()).toEqual([expected]);
  });

  test('a line at start and one at the end, indented by depth, unchanged resources left out', () => {
    const { display, lines } = plain();
    display.event(ended(component('same')));
    display.event(started(component('create')));
    display.event(started(step('create')));
    display.event(ended(step('create'), 1500));
    expect(lines()).toEqual([
      ' +    shop:web:Site front creating',
      ' +      a:b:Page index creating',
      ' +      a:b:Page index created (1.5s)',
    ]);
  });

  test('a sign of life every ten seconds for what still runs', () => {
    const { display, lines, pass } = plain();
    display.event(started(step('create')));
    pass(9000);
    expect(lines()).toHaveLength(1);
    pass(3000);
    expect(lines()[1]).toContain('create still running (12s)');
  });

  test('what a provider says of a resource stands behind its step, debug messages do not', () => {
    const { display, lines } = plain();
    const say = (severity: 'debug' | 'info', summary: string): EngineEvent => ({
      t: 'diagnostic',
      diagnostic: { severity, code: 'CAIRN-PROGRAM-LOG', summary, urn: page },
      streamId: 0,
      ephemeral: true,
    });
    display.event(started(step('create')));
    display.event(say('info', 'waiting for its address'));
    display.event(say('debug', '[raw] no value at key'));
    display.event(ended(step('create'), 1500));
    expect(lines()[1]).toBe(' +    a:b:Page index created (1.5s)  waiting for its address');
  });

  test('errors in four parts, debug messages only on demand, hostile text stripped', () => {
    const { display, lines } = plain();
    const say = (severity: 'debug' | 'info', summary: string): EngineEvent => ({
      t: 'diagnostic',
      diagnostic: { severity, code: 'CAIRN-PROGRAM-LOG', summary },
      streamId: 0,
      ephemeral: false,
    });
    display.event(say('debug', 'quiet'));
    display.event(say('info', 'hello \u001b[31mthere'));
    display.event({
      t: 'diagnostic',
      diagnostic: errorDiagnostic('CAIRN-RESOURCE-FAILED', 'cannot create', { urn: page, hint: 'try again' }),
      streamId: 0,
      ephemeral: false,
    });
    display.event({ t: 'program-output', stream: 'stdout', text: 'a\u001b[2J\nb\n' });
    expect(lines()).toEqual([
      '    hello there',
      'error[CAIRN-RESOURCE-FAILED]: cannot create',
      `  at ${page}`,
      '  hint: try again',
      '    a',
      '    b',
    ]);
  });
});

describe('an error that the verdict tells in full is only named when it happens', () => {
  const urn = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:C', name: 'r' });
  const text = `cannot create ${urn}: it is there`;
  const failing = { ...step('create'), urn, type: 'a:b:C' as never };
  const failed: EngineEvent = { t: 'step-failed', step: failing, inDoubt: false, elapsedMs: 0 };
  const say = (code: ErrorCode, about?: Urn): EngineEvent => ({
    t: 'diagnostic',
    diagnostic: errorDiagnostic(code, text, about === undefined ? {} : { urn: about }),
    streamId: 0,
    ephemeral: false,
  });
  const row = [' +    a:b:C r creating', ' +    a:b:C r **creating failed**'];
  test.each<[string, EngineEvent[], readonly string[]]>([
    ['its row, before it', [started(failing), failed, say('CAIRN-RESOURCE-FAILED', urn)], row],
    ['its row, after it', [started(failing), say('CAIRN-RESOURCE-FAILED', urn), failed], row],
    [
      'a resource without a row',
      [say('CAIRN-RESOURCE-CHECK', urn)],
      [' !    a:b:C r **failed**  CAIRN-RESOURCE-CHECK'],
    ],
    [
      'a resource without a row twice: one line',
      [say('CAIRN-RESOURCE-CHECK', urn), say('CAIRN-RESOURCE-CHECK', urn)],
      [' !    a:b:C r **failed**  CAIRN-RESOURCE-CHECK'],
    ],
    ['no resource', [say('CAIRN-PROGRAM-FAILED')], [' !    **failed**  CAIRN-PROGRAM-FAILED']],
    [
      'that it was cancelled, which no verdict tells',
      [say('CAIRN-CANCELLED')],
      [`error[CAIRN-CANCELLED]: ${text}`],
    ],
  ])('%s', (_title, events, lines) => {
    const said: string[] = [];
    const display = plainDisplay({ write: (chunk) => said.push(chunk), brief: true });
    for (const event of events) display.event(event);
    expect(said.join('')).toBe(lines.map((line) => `${line}\n`).join(''));
  });
});

describe('the live tree [CLI-7]', () => {
  function live(height: number, { listing, ...more }: Partial<LiveOptions> & { listing?: Listing } = {}) {
    const frames: string[] = [];
    let tick = (): void => undefined;
    const rows = new RowModel(listing);
    const display = new LiveDisplay({
      rows,
      screen: {
        draw: (text) => frames.push(text),
        above: () => undefined,
        done: () => undefined,
        columns: () => 100,
        rows: () => height,
      },
      paint,
      unicode: true,
      debug: false,
      nowMs: () => 0,
      every: (_ms, run) => {
        tick = run;
        return () => undefined;
      },
      ...more,
    });
    return { display: withRows(display, rows), frame: () => (tick(), frames.at(-1) ?? ''), frames };
  }

  test('rows hang below their parents', () => {
    const { display, frame } = live(40);
    display.event(ended(component('create')));
    display.event(started(step('create')));
    const lines = frame().split('\n');
    expect(lines[1]).toMatch(/^ \+ {2}shop:web:Site\s+front\s+created/);
    expect(lines[2]).toMatch(/^ \+ {2}└─ a:b:Page\s+index\s+creating/);
  });

  test('a row hangs below its own parent, also before anything is said of that', () => {
    const { display, frame } = live(40);
    const below = (parent: Urn, type: string, name: string): StepView => {
      const urn = makeUrn({ stack: 'dev', project: 'shop', parent, type, name });
      const old = resourceEntry({ urn, type, custom: true, id: 'i', parent });
      return step('delete', { urn, type: type as never, old, new: undefined });
    };
    const web = makeUrn({ stack: 'dev', project: 'shop', parent: root, type: 'shop:web:Site', name: 'web' });
    display.event(started(below(root, 'a:b:Queue', 'queue')));
    display.event(ended(below(web, 'a:b:Id', 'web-id')));
    const drawn = frame().split('\n').slice(1, -1);
    expect(drawn.map((line) => line.trimEnd())).toEqual([
      expect.stringMatching(/^ - {2}a:b:Queue\s+queue\s+deleting/),
      expect.stringMatching(/^ {4}shop:web:Site\s+web$/),
      expect.stringMatching(/^ - {2}└─ a:b:Id\s+web-id\s+deleted/),
    ]);
  });

  test.each([40, 60, 80])(
    'no line is longer than %i columns, and what happens is told in full',
    (columns) => {
      const screen = {
        draw: (_text: string, above = '') => frames.push(above),
        above: () => undefined,
        done: () => undefined,
      };
      const frames: string[] = [];
      const { display } = live(40, { screen: { ...screen, columns: () => columns, rows: () => 40 } });
      const urn = makeUrn({
        stack: 'dev',
        project: 'shop',
        parent: root,
        type: 'a-long-package:module:LongTypeName',
        name: 'n'.repeat(30),
      });
      const view = step('delete', { urn, type: 'a-long-package:module:LongTypeName' as never });
      display.event(ended(component('create')));
      display.event({ ...ended(view), undo: true } as EngineEvent);
      display.close();
      const lines = (frames.at(-1) ?? '').split('\n');
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines[2]).toMatch(/undone: deleted/);
    },
  );

  test('an error about no row stands below the tree while it runs, and is left to the end', () => {
    const { display, frame, frames } = live(40);
    display.event(started(step('create')));
    const diagnostic = errorDiagnostic('CAIRN-PROGRAM-FAILED', 'TypeError: no\n  at index.ts', {
      hint: 'try again',
    });
    display.event({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false });
    expect(frame().split('\n').slice(3, 4)).toEqual(['error[CAIRN-PROGRAM-FAILED]: TypeError: no']);
    display.close();
    expect(frames.at(-1)).toBe('');
  });

  test('nothing changed: nothing drawn', () => {
    const { display, frame, frames } = live(40);
    display.event(ended(step('create')));
    frame();
    frame();
    expect(frames).toHaveLength(1);
  });

  test.each<[string, Listing, StepKind[]]>([
    ['what changes', {}, ['create']],
    ['what is read too', { showReads: true }, ['create', 'read']],
    ['what stays too', { showSames: true }, ['create', 'same']],
    ['everything', { showReads: true, showSames: true }, ['create', 'read', 'same']],
  ])('has a row for %s, while it runs and at the end', (_title, listing, shown) => {
    const said: string[] = [];
    const { display, frame } = live(40, {
      listing,
      screen: {
        draw: (text, above = '') => (said.push(above), frames.push(text)),
        above: () => undefined,
        done: () => undefined,
        columns: () => 100,
        rows: () => 40,
      },
    });
    const frames: string[] = [];
    for (const kind of ['create', 'read', 'same'] as const) {
      const urn = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name: `it-is-${kind}` });
      display.event(ended(step(kind, { urn })));
    }
    frame();
    display.close();
    for (const text of [frames[0] ?? '', said.join('')])
      expect([...text.matchAll(/it-is-(\w+)/g)].map(([, kind]) => kind)).toEqual(shown);
  });

  test('more rows than the screen: running and failed first, the rest counted', () => {
    const { display, frame } = live(8);
    for (let index = 0; index < 20; index++) {
      const urn = makeUrn({
        stack: 'dev',
        project: 'shop',
        parent: root,
        type: 'a:b:Page',
        name: `n${index}`,
      });
      const view = step('create', {
        urn,
        new: resourceEntry({ urn, type: 'a:b:Page', custom: true, parent: root }),
      });
      display.event(index === 3 ? started(view) : ended(view));
    }
    const text = frame();
    expect(text).toContain('n3');
    expect(text).toContain('16 more rows');
    expect(text.split('\n').length).toBeLessThanOrEqual(9);
  });
});

describe('values and differences [CLI-13]', () => {
  test.each([
    [secret('hunter2'), false, '[secret]'],
    [secret('hunter2'), true, '"hunter2"'],
    [UNKNOWN, false, 'output<string>'],
    ['a\u001b[31mb', false, '"a\\u001b[31mb"'],
    [-0, false, '-0'],
    [[], false, '[]'],
    [propertyMap({ a: [1, secret(2)] }), false, '{\n  a: [\n    1\n    [secret]\n  ]\n}'],
  ])('%j', (value, show, text) => expect(valueText(value, show)).toBe(text));

  test('an update lists what differs; secrets stay masked on either side; forced keys are marked', () => {
    const view = step('replace', {
      old: entry(propertyMap({ name: 'a', size: 1, password: secret('old'), gone: true })),
      new: entry(propertyMap({ name: 'b', size: 1, password: 'now in the clear', tag: 'x' })),
      replaceKeys: ['name', 'deletedWith'],
    });
    expect(stepDiffLines(view, { paint, showSecrets: false })).toEqual([
      '    ~ name: "a" => "b"  [forces replacement]',
      '    ~ password: [secret] => [secret] (changed)',
      '    - gone: true',
      '    + tag: "x"',
      '    ~ deletedWith  [forces replacement]',
    ]);
  });

  test('a create lists its inputs without internal ones', () => {
    const view = step('create', {
      new: entry(propertyMap({ __provider: 'code', name: 'a', password: secret('s') })),
    });
    expect(stepDiffLines(view, { paint, showSecrets: false })).toEqual([
      '    + name: "a"',
      '    + password: [secret]',
    ]);
  });
});

test('the summary counts kinds in a fixed order', () => {
  const summary = {
    kind: 'up',
    preview: false,
    result: 'succeeded',
    durationMs: 1,
    changes: { same: 12, create: 3, replace: 1, 'delete-replaced': 1 },
  } as const;
  expect(countsText(summary, paint)).toBe('+ 3 created   +- 1 replaced   12 unchanged');
  expect(countsText({ ...summary, preview: true }, paint)).toBe(
    '+ 3 to create   +- 1 to replace   12 unchanged',
  );
  expect(countsText({ ...summary, changes: {} }, paint)).toBe('nothing to do');
  expect(countsText({ ...summary, changes: { same: 1 } }, paint)).toBe('1 unchanged');
  for (const changes of [{}, { same: 1 }]) {
    const failed = { ...summary, result: 'failed', changes } as const;
    expect(countsText(failed, paint)).toBe('nothing was done');
    expect(countsText({ ...failed, preview: true }, paint)).toBe('nothing was planned');
  }
  expect(countsText({ ...summary, result: 'cancelled', changes: { same: 2 } }, paint)).toBe('2 unchanged');
});

test.each([
  ['refresh', false, '~ 1 updated   - 1 deleted   2 unchanged'],
  ['refresh', true, '~ 1 to update   - 1 to delete   2 unchanged'],
  ['up', false, '~ 4 refreshed (1 changed, 1 gone)'],
] as const)('the summary counts each look by what it found: %s, preview %s', (kind, preview, text) => {
  const found = { same: 2, update: 1, delete: 1 };
  const summary = {
    kind,
    preview,
    result: 'succeeded',
    durationMs: 1,
    changes: { refresh: 4 },
    found,
  } as const;
  expect(countsText(summary, paint)).toBe(text);
});

test.each([
  ['waiting', {}, '', undefined],
  ['waiting', { same: 1 }, '', undefined],
  ['waiting', { same: 2 }, '', '2 unchanged'],
  ['waiting', {}, '1 in doubt', 'nothing was done'],
  ['failed', {}, '', 'nothing was done'],
] as const)(
  'an operation that only waits has no section of resources: %s %j %s',
  (result, changes, standing, text) => {
    const summary = { kind: 'up', preview: false, result, durationMs: 1, changes } as const;
    const [heading, counts] = summaryLines(summary, paint, undefined, standing);
    expect(heading === 'Resources:' ? counts?.trim() : undefined).toBe(text);
  },
);

test('on a narrow terminal the counts stand in as many lines as they need', () => {
  const changes = { same: 12, create: 3, update: 27, replace: 1, delete: 4 };
  const summary = { kind: 'up', preview: false, result: 'succeeded', durationMs: 1, changes } as const;
  expect(summaryLines(summary, paint, undefined, '', 50).slice(1, 3)).toEqual([
    '    + 3 created   ~ 27 updated   +- 1 replaced',
    '    - 4 deleted   12 unchanged',
  ]);
  expect(summaryLines(summary, paint)[1]).toMatch(/^ {4}\+ 3 created .* 12 unchanged$/);
});

describe('what changes though the object stays as it is is told and counted', () => {
  const old = entry(propertyMap({}));
  const above = makeUrn({ stack: 'dev', project: 'shop', type: 'a:b:Page', name: 'index' });
  const before = makeUrn({ stack: 'dev', project: 'shop', parent: site, type: 'a:b:Page', name: 'home' });
  test.each<[string, Partial<ResourceEntry>, Partial<ResourceEntry>, string, string]>([
    ['renamed', { urn: before }, {}, ' =>   a:b:Page index move  was home', '=> 1 to move'],
    [
      'moved',
      { urn: above, parent: undefined },
      {},
      ' =>   a:b:Page index move  was below the stack',
      '=> 1 to move',
    ],
    ['protected', {}, { protect: true }, ' ~    a:b:Page index protect', '~ 1 to protect'],
    ['unprotected', { protect: true }, {}, ' ~    a:b:Page index unprotect', '~ 1 to unprotect'],
  ])('%s', (_title, was, now, line, count) => {
    const event = planned(step('same', { old: { ...old, ...was }, new: { ...old, ...now } }));
    const said: string[] = [];
    const tally = new RunningTally();
    const display = plainDisplay({ write: (text) => said.push(text), planning: true });
    display.event(event);
    tally.take(event);
    expect(said.join('')).toBe(`${line}\n`);
    const summary = {
      kind: 'up',
      preview: true,
      result: 'succeeded',
      durationMs: 1,
      changes: { same: 3 },
    } as const;
    expect(countsText(summary, paint, tally)).toBe(`${count}   2 unchanged`);
  });
});

test('outputs are aligned, sorted and masked', () => {
  expect(outputLines(propertyMap({ url: 'u', adminPassword: secret('p') }), false, paint)).toEqual([
    'Outputs:',
    '    adminPassword: [secret]',
    '    url          : "u"',
    '',
  ]);
});

test('a step in doubt says how to find out: a look-up needs an id', () => {
  const cause = 'it was killed';
  const lines = inDoubtLines(
    [
      { urn: page, kind: 'create', id: '', cause },
      { urn: page, kind: 'update', id: 'i', cause },
    ],
    paint,
  );
  expect(lines.filter((line) => line.includes('look for'))).toHaveLength(1);
  expect(lines.slice(4, 7)).toEqual([
    `in doubt: update ${page}`,
    '    it was killed',
    '    run `cairn refresh` to see what happened to it',
  ]);
});

test('the cause of a step in doubt that is told with what failed is not told again', () => {
  const cause = 'it was killed';
  const told = [errorDiagnostic('CAIRN-RESOURCE-FAILED', cause, { urn: page })];
  const lines = inDoubtLines([{ urn: page, kind: 'update', id: 'i', cause }], paint, told);
  expect(lines).toEqual([`in doubt: update ${page}`, expect.stringContaining('cairn refresh'), '']);
});

test('an object that is retained is shown and counted as retained, not as deleted', () => {
  const kept = step('delete', { old: { ...entry(propertyMap({})), retainOnDelete: true }, new: undefined });
  const rows = new RowModel();
  const tally = new RunningTally();
  const take = (event: EngineEvent) => {
    tally.take(event);
    return statusText(rows.apply(event, 0) as Row);
  };
  expect(take(planned(kept))).toBe('retain');
  expect([take(started(kept)), take(ended(kept))]).toEqual(['retaining', 'retained']);
  expect(take(ended(step('delete', { old: entry(propertyMap({})), new: undefined })))).toBe('deleted');
  const summary = { kind: 'up' as const, preview: false, result: 'succeeded' as const, durationMs: 0 };
  expect(countsText({ ...summary, changes: { delete: 3 } }, paint, tally)).toBe('- 1 deleted   < 2 retained');
});

describe('a step that is undone', () => {
  const undo = { undo: true } as const;
  const back = step('delete', { old: entry(propertyMap({})), new: undefined, reason: { t: 'rollback' } });

  test('names its row from then on', () => {
    const rows = new RowModel();
    const take = (event: EngineEvent): string => statusText(rows.apply(event, 0) as Row);
    expect(take(ended(step('create')))).toBe('created');
    expect(take({ ...(started(back) as StepEvent), ...undo })).toBe('undoing: deleting');
    expect(take({ ...(ended(back) as StepEvent), ...undo })).toBe('undone: deleted');
    expect(take({ t: 'step-failed', step: back, inDoubt: true, elapsedMs: 1, ...undo })).toBe(
      '**undoing failed**: deleting',
    );
    expect(rows.byUrn.get(page)).toMatchObject({ undo: true, inDoubt: true, status: 'failed' });
  });

  test('replaces a failure of the step itself', () => {
    const rows = new RowModel();
    rows.apply({ t: 'step-failed', step: step('create'), inDoubt: false, elapsedMs: 1 }, 0);
    rows.apply({ ...(ended(back) as StepEvent), ...undo }, 0);
    expect(statusText(rows.byUrn.get(page) as Row)).toBe('undone: deleted');
  });

  test('of a replacement is one row', () => {
    const rows = new RowModel();
    const undone = (kind: StepKind): EngineEvent => ({ ...(planned(step(kind)) as StepEvent), ...undo });
    rows.apply(undone('create'), 0);
    const row = rows.apply(undone('delete'), 0) as Row;
    expect([row.kind, statusText(row), glyphOf(row)]).toEqual(['replace', 'undo: replace', '+-']);
  });

  test('is counted apart', () => {
    const summary = {
      kind: 'up' as const,
      preview: false,
      result: 'rolled-back' as const,
      durationMs: 0,
      changes: { create: 3 },
      rollback: { undone: 2, held: 1, retained: 0, failed: 0, changes: { delete: 2 } },
    };
    expect(countsText(summary, paint)).toBe('+ 3 created   2 undone   1 held');
    expect(summaryLines(summary, paint).join('\n')).toContain('rolled back');
  });
});

test('that an operation was cancelled is told as scripts look for it under the name pulumi, as it is else', () => {
  const diagnostic = errorDiagnostic('CAIRN-CANCELLED', 'the operation was cancelled');
  const told = (alias: boolean) => messageLines({ diagnostic }, { paint, debug: false, alias }).join('\n');
  expect(told(true)).toContain('error: update canceled');
  expect(told(false)).toContain('error[CAIRN-CANCELLED]: the operation was cancelled');
});
