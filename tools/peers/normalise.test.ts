import { differencesOf, judge } from './compare.mjs';
import { aboutOf, printedErrors, sortOf } from './errors.mjs';
import {
  normalCalls,
  normalConfig,
  normalEvents,
  normalPreview,
  normalState,
  normalText,
  normalValue,
} from './normalise.mjs';

const urn = 'urn:pulumi:dev::shop::a:b:Page::index';
const secret = '4dabf18193072939515e22adb298388d';
const lines = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');

describe('answers without what differs from run to run', () => {
  test.each<[string, string, string]>([
    ['folders', 'at /box/project/x', 'at <project>/x'],
    ['generated ids', 'p::1b4e28ba-2fa1-41d2-883f-0016d3cca427', 'p::<uuid>'],
    ['the unknown value', '04da6b54-80e4-46f7-96ec-b56ff0331ba9', '<unknown>'],
    ['times', '2026-01-02T03:04:05.006Z', '<time>'],
    ['addresses', 'on 127.0.0.1:4242', 'on <address>'],
    ['the beginning of URNs', urn, 'urn:a:b:Page::index'],
  ])('%s', (_, text, normal) => expect(normalText(text, [['/box/project', '<project>']])).toBe(normal));

  test('members that pass, sealed texts, positions in packages; our own member', () => {
    const value = {
      b: 1,
      a: { [secret]: '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'v1:abc' },
      created: '2026-01-02T03:04:05Z',
      cairn: { reason: 'it is new' },
      sourcePosition: 'project:///../node_modules/p/i.js#1,2',
      stackTrace: [
        { sourcePosition: 'project:///index.js#3,4' },
        { sourcePosition: '/node_modules/q.js#1,1' },
      ],
      environment: { 'git.author': 'somebody' },
    };
    expect(normalValue(value)).toEqual({
      a: { [secret]: '1b47061264138c4ac30d75fd1eb44270', ciphertext: '<sealed>' },
      b: 1,
      created: '<time>',
      stackTrace: [{ sourcePosition: 'project:///index.js#3,4' }],
    });
  });

  test('events by resource; messages apart, without the words of the tool', () => {
    const metadata = {
      op: 'create',
      urn,
      type: 'a:b:Page',
      provider: 'p',
      old: null,
      new: { urn, type: 'a:b:Page', id: 'i', provider: 'q' },
    };
    const text = lines(
      { sequence: 0, timestamp: 1, preludeEvent: { config: {} } },
      { sequence: 1, diagnosticEvent: { severity: 'debug', message: 'x' } },
      { sequence: 2, resourcePreEvent: { metadata } },
      {
        sequence: 3,
        diagnosticEvent: { severity: 'error', prefix: 'error: ', message: 'it failed: said: no room\n', urn },
      },
    );
    expect(normalEvents(text)).toEqual({
      '': [{ preludeEvent: { config: {} } }],
      'a:b:Page::index': [
        {
          resourcePreEvent: {
            metadata: {
              op: 'create',
              type: 'a:b:Page',
              provider: 'p',
              old: null,
              new: { id: 'i', provider: 'q' },
            },
          },
        },
      ],
      messages: [
        {
          severity: 'error',
          sort: 'not known: it failed: said: no room',
          urn: 'urn:a:b:Page::index',
          about: ['a:b:Page::index'],
          prefix: 'error: ',
          said: 'said: no room',
        },
      ],
    });
  });

  test('calls by resource, those about the plugin once; states, previews and stack files', () => {
    const text = lines(
      { method: 'getSchema' },
      { method: 'getSchema' },
      { method: 'check', urn, randomseed: 'x' },
    );
    expect(normalCalls(text)).toEqual({
      '': [{ getSchema: {} }],
      'a:b:Page::index': [{ check: { randomseed: '<seed>', urn: 'urn:a:b:Page::index' } }],
    });
    const state = {
      deployment: {
        manifest: { time: 'now', magic: 'm' },
        resources: [{ urn, type: 'a:b:Page', delete: true }],
      },
    };
    expect(normalState(state)).toEqual({
      manifest: 'magic time',
      order: ['a:b:Page::index (on its way out)'],
      resources: { 'a:b:Page::index (on its way out)': { delete: true } },
    });
    expect(normalPreview({ duration: 1, steps: [{ urn, op: 'same' }] })).toEqual({
      messages: [],
      steps: { 'a:b:Page::index': [{ op: 'same' }] },
    });
    expect(normalConfig('encryptionsalt: v1:a:b\nconfig:\n  a:b:\n    secure: v1:x:y==\n')).toBe(
      'encryptionsalt: <salt>\nconfig:\n  a:b:\n    secure: <sealed>\n',
    );
  });
});

describe('differences of two records', () => {
  const record = (...steps: object[]) => ({ name: 'one', steps });
  const event = (op: string, more = {}) => ({ resourcePreEvent: { metadata: { op, ...more } } });

  test('are found by path; lists of other events by what they are', () => {
    const peer = record({ code: 0, events: { a: [event('create', { x: 1 }), event('same')] } });
    const ours = record({ code: 4, events: { a: [event('create', { x: 2 })] } });
    expect(differencesOf(peer, ours).map(({ at }: { at: string }) => at)).toEqual([
      'code',
      'events / a / order',
      'events / a / resourcePreEvent create / resourcePreEvent / metadata / x',
    ]);
    expect(differencesOf(peer, peer)).toEqual([]);
  });

  test('are listed or not; a line without a difference is named, also for one of its cases', () => {
    const found = [{ case: 'one', step: 1, at: 'code', peer: 1, ours: 4 }];
    const line = { at: /^code$/, why: 'codes of our own' };
    const cases = ['one', 'two'];
    expect(judge(found, [line], cases)).toEqual({ unlisted: [], gone: [] });
    expect(judge(found, [], cases).unlisted).toEqual(found);
    expect(judge(found, [{ ...line, when: (peer: number) => peer === 0 }], cases).unlisted).toEqual(found);
    expect(judge([], [line], cases).gone).toHaveLength(1);
    expect(judge(found, [{ ...line, cases: ['one', 'two'] }], cases)).toEqual({
      unlisted: [],
      gone: [expect.stringContaining('two')],
    });
  });
});

describe('what errors of two tools are compared by', () => {
  test.each<[string, string, string | undefined, string | undefined, string]>([
    [
      'ours, by its code',
      'cannot replace a:b:Page "x": it is protected',
      'CAIRN-RESOURCE-PROTECTED',
      urn,
      'protected',
    ],
    [
      'theirs, by its words',
      `error: unable to replace resource "${urn}"\nas it is currently marked for protection.`,
      undefined,
      urn,
      'protected',
    ],
    ['a provider of theirs', 'error: said: no room', undefined, urn, 'provider'],
    ['a provider of ours', `cannot create ${urn}: said: no room`, 'CAIRN-RESOURCE-FAILED', urn, 'provider'],
    ['half done', 'error: 1 error occurred:\n\t* said: half done', undefined, urn, 'half done'],
    ['a program', 'error: said: stop', undefined, undefined, 'program'],
    ['a code in no row', 'x', 'CAIRN-OTHER', undefined, 'not known: CAIRN-OTHER'],
    ['words in no row', 'error: so what\nat all', undefined, undefined, 'not known: so what'],
  ])('the sort: %s', (_, text, code, about, sort) => expect(sortOf(text, code, about)).toBe(sort));

  test('the resources that are named, however they are', () => {
    expect(aboutOf(`cannot replace a:b:Page "logs" (${urn}), since ${urn} stays`)).toEqual([
      'a:b:Page::index',
      'a:b:Page::logs',
    ]);
    expect(aboutOf("a:b:Page resource 'x': not so", 'urn:pulumi:dev::shop::c:d:E$a:b:Page::x')).toEqual([
      'a:b:Page::x',
    ]);
    expect(aboutOf('nothing')).toEqual([]);
  });

  test('what commands print', () => {
    const printed = `Usage: x\nerror[CAIRN-USAGE]: unknown option '--x'\n  hint: none\nother\nerror: unknown flag: --x\n`;
    expect(printedErrors(printed)).toEqual([
      { sort: 'usage', about: [] },
      { sort: 'usage', about: [] },
    ]);
  });
});
