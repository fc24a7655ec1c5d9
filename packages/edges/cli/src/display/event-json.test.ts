import { makeProviderReference, makeUrn, rootStackUrn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { EngineEvent, OperationKind, OperationSummary, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import { Archive, Asset, OutputValue, UNKNOWN, propertyMap, secret } from '@cairn/values';
import { ExchangeSteps } from './exchange-steps.js';
import { JsonEventLines } from './json-events.js';
import { PreviewDigest } from './preview-digest.js';
import { resourceChanges } from '@cairn/operations';
import { ResultLine } from './result-line.js';

const root = rootStackUrn('shop', 'dev');
const provider = makeProviderReference(
  makeUrn({ stack: 'dev', project: 'shop', type: 'pulumi:providers:a', name: 'default' }),
  'p',
);
const page = makeUrn({ stack: 'dev', project: 'shop', parent: root, type: 'a:b:Page', name: 'index' });
const site = makeUrn({ stack: 'dev', project: 'shop', parent: root, type: 'shop:web:Site', name: 'front' });

const entry = (inputs: Parameters<typeof propertyMap>[0], more = {}) =>
  resourceEntry({
    ...{ urn: page, type: 'a:b:Page', custom: true, id: 'i', parent: root, provider },
    inputs: propertyMap(inputs),
    ...more,
  });
const step = (more: Partial<StepView> = {}): StepView => ({
  ...{ kind: 'create', urn: page, type: 'a:b:Page', provider, old: undefined, new: entry({}) },
  ...{ replaceKeys: [], changedKeys: [], detailedDiff: undefined, refreshResult: undefined },
  reason: { t: 'new' },
  ...more,
});
const ended = (view: StepView): EngineEvent => ({
  t: 'step-ended',
  step: view,
  planning: false,
  elapsedMs: 1,
});
const component = (kind: StepView['kind']): StepView =>
  step({
    kind,
    urn: site,
    type: 'shop:web:Site',
    new: resourceEntry({ urn: site, type: 'shop:web:Site', custom: false, parent: root }),
  });
const summary: OperationSummary = {
  ...{ kind: 'up', preview: false, result: 'succeeded', durationMs: 1001 },
  changes: { same: 2, replace: 1, 'create-replacement': 1, 'delete-replaced': 1 },
};

/** Returns the lines of events, with their secrets if `show` is set. */
function lines(
  events: readonly EngineEvent[],
  { operation = 'up' as OperationKind, show = false, ours = true } = {},
): string[] {
  const text: string[] = [];
  const display = new JsonEventLines({
    write: (chunk) => text.push(chunk),
    ...{ showSecrets: show, operation, internal: false, ours, exchange: new ExchangeSteps() },
    now: () => new Date(7_999),
  });
  for (const event of events) display.event(event);
  return text.join('').split('\n').slice(0, -1);
}
/** Returns the body of a single event, without its envelope. */
const body = (event: EngineEvent, options = {}): string =>
  (lines([event], options)[0] ?? '').replace('{"sequence":0,"timestamp":7,', '{');

describe('events [EVT-1]: exact text, keys in the order of the format', () => {
  test.each<[string, EngineEvent, string]>([
    [
      'prelude: secrets blinded, keys sorted',
      {
        t: 'prelude',
        config: { 'shop:b': 'x', 'aws:region': 'r', 'shop:a': 'hidden' },
        secretKeys: ['shop:a'],
      },
      '{"preludeEvent":{"config":{"aws:region":"r","shop:a":"[secret]","shop:b":"x"}}}',
    ],
    [
      'an error: ANSI codes and colour directives removed',
      {
        t: 'diagnostic',
        diagnostic: errorDiagnostic('CAIRN-RESOURCE-FAILED', 'no \u001b[31m<{%fg 1%}>entry<{%reset%}>', {
          urn: page,
          causes: ['closed'],
        }),
        ...{ streamId: 3, ephemeral: true },
      },
      `{"diagnosticEvent":{"urn":"${page}","prefix":"error: ","message":"no entry\\nclosed\\n","color":"never","severity":"error","streamID":3,"ephemeral":true,"cairn":{"code":"CAIRN-RESOURCE-FAILED"}}}`,
    ],
    [
      'a message',
      {
        t: 'diagnostic',
        diagnostic: { severity: 'info', code: 'CAIRN-PROGRAM-LOG', summary: '<hi>\u2028' },
        ...{ streamId: 0, ephemeral: false },
      },
      '{"diagnosticEvent":{"message":"<hi>\\u2028\\n","color":"never","severity":"info"}}',
    ],
    [
      'what the program wrote',
      { t: 'program-output', stream: 'stderr', text: 'a\n' },
      '{"diagnosticEvent":{"message":"a\\n\\n","color":"never","severity":"info#err"}}',
    ],
    [
      'the summary: halves of a replacement are not counted, seconds rounded up',
      { t: 'summary', summary: { ...summary, policyPacks: { pack: '1' } } },
      '{"summaryEvent":{"maybeCorrupt":false,"durationSeconds":2,"resourceChanges":{"replace":1,"same":2},"PolicyPacks":{"pack":"1"},"isPreview":false,"result":"succeeded"}}',
    ],
    ['policies are loaded', { t: 'policies-loading' }, '{"policyLoadEvent":{}}'],
    [
      'a policy summary',
      {
        ...{ t: 'policy-summary', of: 'analyze-stack', urn: undefined },
        summary: { packName: 'p', packVersion: '1', passed: ['a'], failed: [] },
      } as unknown as EngineEvent,
      '{"policyAnalyzeStackSummaryEvent":{"policyPackName":"p","policyPackVersion":"1","policyPackVersionTag":"1","passed":["a"]}}',
    ],
    [
      'a remediation',
      {
        ...{ t: 'policy-remediation', urn: page, policyName: 'n', packName: 'p', packVersion: '1' },
        ...{ before: propertyMap({}), after: propertyMap({ b: 1, a: secret('s') }) },
      } as EngineEvent,
      `{"policyRemediationEvent":{"resourceUrn":"${page}","color":"never","policyName":"n","policyPackName":"p","policyPackVersion":"1","policyPackVersionTag":"1","after":{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"},"b":1}}}`,
    ],
  ])('%s', (_, event, text) => expect(body(event)).toBe(text));

  test('a step: old and new always there, empty maps too, detailedDiff null', () => {
    expect(body({ t: 'step-started', step: step(), planning: true })).toBe(
      `{"resourcePreEvent":{"metadata":{"op":"create","urn":"${page}","type":"a:b:Page","old":null,"new":` +
        `{"type":"a:b:Page","urn":"${page}","custom":true,"id":"i","parent":"${root}","inputs":{},"outputs":{},"provider":"${provider}"},` +
        `"detailedDiff":null,"logical":true,"provider":"${provider}","cairn":{"reason":"it is new","why":{"kind":"new"}}},"planning":true}}`,
    );
  });

  test('every part of a step and of an entry, in order', () => {
    const full = step({
      kind: 'create-replacement',
      old: entry({ z: 1, a: [UNKNOWN, new OutputValue(undefined, false, [])] }, { initErrors: ['oops'] }),
      new: entry(
        {},
        {
          ...{ delete: true, protect: true, taint: true, external: true, retainOnDelete: true },
          hideDiffs: [['a', 0]],
        },
      ),
      ...{ replaceKeys: ['z'], changedKeys: ['a', 'z'] },
      detailedDiff: {
        'z.b': { kind: 'update-replace', inputDiff: true },
        a: { kind: 'add', inputDiff: false },
      },
    });
    const { metadata } = (
      JSON.parse(body(ended(full))) as {
        resOutputsEvent: { metadata: { old: Record<string, unknown>; new: object } };
      }
    ).resOutputsEvent;
    expect(Object.keys(metadata)).toEqual([
      ...['op', 'urn', 'type', 'old', 'new', 'keys', 'diffs', 'detailedDiff', 'provider', 'cairn'],
    ]);
    expect(Object.keys(metadata.new)).toEqual([
      ...['type', 'urn', 'custom', 'delete', 'id', 'parent', 'protect', 'taint', 'external'],
      ...['retainOnDelete', 'inputs', 'outputs', 'provider', 'hideDiffs'],
    ]);
    expect(metadata).toMatchObject({
      detailedDiff: {
        'z.b': { diffKind: 'update-replace', inputDiff: true },
        a: { diffKind: 'add', inputDiff: false },
      },
      old: { initErrors: ['oops'] },
    });
    const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
    expect(JSON.stringify(metadata.old['inputs'])).toBe(`{"a":["${unknown}","${unknown}"],"z":1}`);
  });

  test('secrets are blinded or shown; texts of assets are left out, code of the program stays', () => {
    const inputs = {
      s: secret({ deep: '<1>' }),
      text: new Asset({ text: 'long', hash: 'h' }),
      code: new Asset({ text: 'exports.handler = __f0;\n' }),
      archive: new Archive({ assets: { 'a.txt': new Asset({ text: 'long' }) } }),
    };
    const shown = (show: boolean): unknown =>
      (
        JSON.parse(
          body({ t: 'step-started', step: step({ new: entry(inputs) }), planning: false }, { show }),
        ) as {
          resourcePreEvent: { metadata: { new: { inputs: unknown } } };
        }
      ).resourcePreEvent.metadata.new.inputs;
    expect(shown(false)).toMatchObject({
      s: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext: '[secret]' },
      text: { text: '<contents elided>', hash: 'h' },
      code: { text: 'exports.handler = __f0;\n' },
      archive: { assets: { 'a.txt': { text: '<contents elided>' } } },
    });
    expect(shown(true)).toMatchObject({ s: { plaintext: '{"deep":"\\u003c1\\u003e"}' } });
  });

  test('outputs of components are told when they are registered, of all others when the step ends', () => {
    const view = { ...component('same'), new: entry({}, { custom: false, id: '', viewOf: page }) };
    const gone = { ...component('delete'), old: component('same').new, new: undefined };
    const kinds = (events: readonly EngineEvent[]): string[] =>
      lines(events).map((line) => Object.keys(JSON.parse(line) as object)[2] ?? '');
    expect(kinds([ended(component('create'))])).toEqual([]);
    expect(kinds([{ t: 'outputs', step: component('same'), planning: false }])).toEqual(['resOutputsEvent']);
    expect(kinds([ended(step()), ended(view), ended(gone)])).toEqual(Array(3).fill('resOutputsEvent'));
  });

  test.each<[OperationKind, StepView['refreshResult'], string, string]>([
    ['refresh', 'update', 'refresh', 'update'],
    ['refresh', 'same', 'refresh', 'same'],
    ['up', 'update', 'refresh', 'refresh'],
  ])('a look-up in %s that found %s begins as %s and ends as %s', (operation, refreshResult, first, last) => {
    const view = step({ kind: 'refresh', refreshResult });
    const text = lines([{ t: 'step-started', step: view, planning: false }, ended(view)], { operation });
    expect(text.map((line) => /"op":"([^"]*)"/.exec(line)?.[1])).toEqual([first, last]);
  });

  test('what is given up has the name that other tools know', () => {
    expect(body(ended(step({ kind: 'read-discard' })))).toContain('"op":"discard"');
  });

  test('a failure has the number of steps before it; one in doubt leaves the summary maybe corrupt', () => {
    const failed = (inDoubt: boolean): EngineEvent => ({
      t: 'step-failed',
      step: step(),
      inDoubt,
      elapsedMs: 1,
    });
    const text = lines([ended(step()), failed(false), failed(true), { t: 'summary', summary }]);
    expect(text[1]).toMatch(/"status":0,"steps":1\}\}$/);
    expect(text[2]).toMatch(/"status":2,"steps":1\}\}$/);
    expect(text[3]).toContain('"summaryEvent":{"maybeCorrupt":true,');
  });

  test('without what is ours alone where that is not wanted; what a program calls so stays', () => {
    const named = ended(step({ inputs: { cairn: 'a heap of stones' } } as never));
    const [whole] = lines([named]);
    const [bare] = lines([named], { ours: false });
    expect(whole).toContain('"cairn":{"reason"');
    expect(bare).not.toContain('"reason"');
    expect(JSON.parse(bare ?? '')).toEqual(
      JSON.parse((whole ?? '').replace(/,"cairn":\{"reason".*?\}\}/, '')),
    );
  });

  test('numbered from 0, the internal ones too; an end that is no result; cancelEvent is the last', () => {
    const text: string[] = [];
    const display = new JsonEventLines({
      write: (chunk) => text.push(chunk),
      ...{ showSecrets: false, operation: 'up', internal: false, ours: true, exchange: new ExchangeSteps() },
      now: () => new Date(7_999),
    });
    display.event(ended(step({ kind: 'remove-pending-replace' })));
    display.failed('it broke');
    display.close();
    expect(text).toEqual([
      '{"sequence":1,"timestamp":7,"errorEvent":{"error":"it broke"}}\n',
      '{"sequence":2,"timestamp":7,"cancelEvent":{}}\n',
    ]);
  });

  test.each([
    ['has the page', true, '{"cairn":{"page":"https://example.com/p"}}'],
    ['has nothing that is ours alone where that is not wanted', false, '{}'],
  ])('the last one %s', (_title, ours, expected) => {
    const text: string[] = [];
    const display = new JsonEventLines({
      write: (chunk) => text.push(chunk),
      ...{ showSecrets: false, operation: 'up', internal: false, ours, exchange: new ExchangeSteps() },
      now: () => new Date(7_999),
    });
    display.close('https://example.com/p');
    expect(text).toEqual([`{"sequence":0,"timestamp":7,"cancelEvent":${expected}}\n`]);
  });
});

describe('counts as other tools know them', () => {
  test.each<[string, Parameters<typeof resourceChanges>[0], Record<string, number>]>([
    ['an update', summary, { same: 2, replace: 1 }],
    [
      'a refresh counts what it found',
      { kind: 'refresh', changes: { refresh: 6, same: 1 }, found: { same: 3, update: 2, delete: 1 } },
      { same: 4, update: 2, delete: 1 },
    ],
    [
      'another operation does not',
      { kind: 'up', changes: { refresh: 2, create: 1 }, found: { update: 2 } },
      { create: 1 },
    ],
  ])('%s', (_, given, counts) => expect(resourceChanges(given)).toEqual(counts));
});

describe('preview --json [EVT-3]', () => {
  const digest = (
    events: readonly EngineEvent[],
    { kind = 'up', changes = {}, config = {}, durationMs = 0, ...options } = {} as {
      kind?: OperationKind;
      changes?: OperationSummary['changes'];
      config?: Record<string, string>;
      durationMs?: number;
      showSecrets?: boolean;
      showSames?: boolean;
      showReplacementSteps?: boolean;
      suppressOutputs?: boolean;
    },
  ): string => {
    const document = new PreviewDigest({
      ...{ operation: kind, showSecrets: false, showSames: false, showReplacementSteps: false },
      ...{ suppressOutputs: false, exchange: new ExchangeSteps() },
      ...options,
    });
    for (const event of events) document.take(event);
    return document.text({ summary: { ...summary, kind, preview: true, durationMs, changes } }, {
      values: new Map(Object.entries(config)),
      secretKeys: ['shop:hidden'],
    } as never);
  };
  const planned = (view: StepView): EngineEvent => ({ t: 'step-started', step: view, planning: true });
  const steps = (text: string): Record<string, unknown>[] =>
    (JSON.parse(text) as { steps: Record<string, unknown>[] }).steps;

  test('nothing is in it that is empty', () => expect(digest([])).toBe('{}\n'));

  test('one document, four spaces, HTML escaped, in the order of the format', () => {
    const warning = { severity: 'warning', code: 'CAIRN-PROGRAM-LOG', summary: 'a < b', urn: page } as const;
    const text = digest(
      [
        { t: 'diagnostic', diagnostic: warning, streamId: 0, ephemeral: false },
        { t: 'diagnostic', diagnostic: { ...warning, severity: 'debug' }, streamId: 0, ephemeral: false },
        { t: 'diagnostic', diagnostic: warning, streamId: 0, ephemeral: true },
        { t: 'program-output', stream: 'stdout', text: 'said' },
      ],
      { changes: { same: 1, create: 2 }, config: { 'shop:hidden': 'x', 'aws:r': '&' }, durationMs: 1.5 },
    );
    expect(text).toBe(
      `{
    "config": {
        "aws:r": "\\u0026",
        "shop:hidden": "[secret]"
    },
    "diagnostics": [
        {
            "urn": "${page}",
            "message": "warning: a \\u003c b\\n",
            "severity": "warning",
            "cairn": {
                "code": "CAIRN-PROGRAM-LOG"
            }
        },
        {
            "message": "said\\n",
            "severity": "info"
        }
    ],
    "duration": 1500000,
    "changeSummary": {
        "create": 2,
        "same": 1
    }
}
`,
    );
  });

  test('states are those of the state file, secrets the plain text [secret]', () => {
    const created = entry(
      { b: secret({ x: 1 }), a: [secret('s'), UNKNOWN], asset: new Asset({ text: 'kept' }) },
      {
        ...{ taint: true, additionalSecretOutputs: ['o'], propertyDependencies: { b: [root] } },
        customTimeouts: { create: 1, update: 0, delete: 3, read: 2 },
      },
    );
    const view = step({
      new: created,
      ...{ changedKeys: ['b'], replaceKeys: ['a'], detailedDiff: { a: { kind: 'add', inputDiff: true } } },
    });
    const [shown] = steps(digest([planned(view)]));
    expect(Object.keys(shown ?? {})).toEqual([
      ...['op', 'urn', 'provider', 'newState', 'diffReasons', 'replaceReasons', 'detailedDiff', 'cairn'],
    ]);
    expect(shown).toMatchObject({ detailedDiff: { a: { kind: 'add', inputDiff: true } } });
    expect(JSON.stringify(shown?.['newState'])).toBe(
      `{"urn":"${page}","custom":true,"id":"i","type":"a:b:Page","inputs":{"a":["[secret]","04da6b54-80e4-46f7-96ec-b56ff0331ba9"],` +
        '"asset":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","text":"kept"},"b":"[secret]"},' +
        `"parent":"${root}","taint":true,"provider":"${provider}","propertyDependencies":{"b":["${root}"]},"additionalSecretOutputs":["o"],` +
        '"customTimeouts":{"create":1,"delete":3,"read":2}}',
    );
    const [open] = steps(digest([planned(view)], { showSecrets: true }));
    expect(open).toMatchObject({ newState: { inputs: { b: { x: 1 }, a: ['s', expect.any(String)] } } });
  });

  test('unchanged steps only when asked for, but that of the stack; its outputs can be left out', () => {
    const stack = step({
      ...{ kind: 'same', urn: root, type: 'pulumi:pulumi:Stack' },
      new: resourceEntry({
        ...{ urn: root, type: 'pulumi:pulumi:Stack', custom: false },
        outputs: propertyMap({ url: 'u' }),
      }),
    });
    const events = [planned(stack), planned(step({ kind: 'same', old: entry({}) }))];
    expect(steps(digest(events)).map(({ urn }) => urn)).toEqual([root]);
    expect(steps(digest(events, { showSames: true })).map(({ urn }) => urn)).toEqual([root, page]);
    const suppressed = digest([planned({ ...stack, kind: 'refresh', old: stack.new })], {
      suppressOutputs: true,
    });
    expect(steps(digest([planned({ ...stack, kind: 'refresh', old: stack.new })]))[0]).toMatchObject({
      newState: { outputs: { url: 'u' } },
    });
    expect(steps(suppressed)[0]?.['newState']).not.toHaveProperty('outputs');
  });

  test.each<[OperationKind, StepView['refreshResult'], boolean, string]>([
    ['refresh', 'update', true, 'update'],
    ['refresh', 'update', false, 'refresh'],
    ['refresh', 'delete', false, 'delete'],
    ['refresh', 'same', false, 'refresh'],
    ['up', 'update', true, 'refresh'],
    ['up', 'delete', false, 'refresh'],
  ])(
    'in %s, a look-up that found %s (with a detailed diff: %s) is %s',
    (kind, refreshResult, detailed, op) => {
      const detailedDiff = detailed ? { size: { kind: 'update', inputDiff: false } as const } : undefined;
      const view = step({ kind: 'refresh', refreshResult, detailedDiff });
      const found = { ...ended(view), planning: true } as EngineEvent;
      expect(steps(digest([planned(view), found], { kind }))).toEqual([expect.objectContaining({ op })]);
    },
  );
});

test('--output json is one line [EVT-3]', () => {
  const result = { summary: { ...summary, durationMs: 1.5, changes: { create: 1, same: 1 } } };
  const line = new ResultLine(false);
  for (const event of [ended(step()), ended(step({ kind: 'same' }))]) line.take(event);
  expect(line.text(result)).toBe(
    `{"result":"succeeded","duration":1500000,"summary":{"create":1,"same":1},"resources":[{"urn":"${page}","type":"a:b:Page","name":"index","op":"create","parent":"${root}"}]}\n`,
  );
});
