import { rememberLines } from './stack-texts.js';
import type { PrepareStackTrace } from './stack-texts.js';

interface Fake {
  readonly file?: string;
  readonly line?: number;
  readonly name?: string;
  readonly type?: string;
  readonly method?: string;
  readonly kind?: 'new' | 'top' | 'eval' | 'native';
}

function frame(fake: Fake): NodeJS.CallSite {
  const { file = null, line = 1, name = null, type = null, method = null, kind } = fake;
  return {
    getFileName: () => file,
    getLineNumber: () => line,
    getColumnNumber: () => 1,
    getFunctionName: () => name,
    getTypeName: () => type,
    getMethodName: () => method,
    isConstructor: () => kind === 'new',
    isToplevel: () => kind === 'top',
    isEval: () => kind === 'eval',
    isNative: () => kind === 'native',
    toString: () => `native ${name} ${type}`,
  } as unknown as NodeJS.CallSite;
}

/** Imitates `source-map-support`: names come from the map of the next frame with a file. */
function preparing(mapped: Readonly<Record<string, string>>): PrepareStackTrace & { asked: number } {
  const prepare = Object.assign(
    (error: Error, frames: readonly NodeJS.CallSite[]): string => {
      prepare.asked += frames.length;
      let nameOfNext: string | undefined;
      const lines: string[] = [];
      for (const each of [...frames].reverse()) {
        const file = each.isNative() ? null : each.getFileName();
        const name = file === null ? String(each) : (nameOfNext ?? each.getFunctionName());
        const owner = each.isConstructor() ? 'new ' : each.isToplevel() ? '' : `${each.getTypeName()}.`;
        const as = each.isConstructor() || each.isToplevel() ? '' : ` [as ${each.getMethodName()}]`;
        lines.push(`\n    at ${owner}${name}${as} (${file}:${each.getLineNumber()})`);
        if (file !== null) nameOfNext = mapped[`${file}:${each.getLineNumber()}`];
      }
      return `${error.name}: ${error.message}${lines.reverse().join('')}`;
    },
    { asked: 0 },
  );
  return prepare;
}

const a: Fake = { file: 'a.ts', name: 'a', kind: 'top' };
const b: Fake = { file: 'b.ts', line: 7, name: 'b', kind: 'top' };
const anonymous: Fake = { name: 'map', type: 'Array' };

test.each<[string, readonly (readonly Fake[])[]]>([
  [
    'the same frames',
    [
      [a, b],
      [a, b],
    ],
  ],
  ['a function with another caller', [[a, b], [a, { ...b, line: 8 }], [a]]],
  [
    'callers behind frames without a file',
    [
      [a, anonymous, b],
      [a, anonymous, { ...b, line: 8 }],
      [a, anonymous],
    ],
  ],
  [
    'other objects',
    [[{ ...a, kind: undefined, type: 'A', method: 'a' }], [{ ...a, kind: undefined, type: 'B' }]] as never,
  ],
  ['other methods', [[{ file: 'a.ts', type: 'A', method: 'a' }], [{ file: 'a.ts', type: 'A', method: 'b' }]]],
  ['a function that is called and constructed', [[a], [{ ...a, kind: 'new' }]]],
  ['functions of one place', [[a], [{ ...a, name: 'other' }]]],
  [
    'evaluated and native code',
    [
      [{ kind: 'eval', name: 'x' }, b],
      [{ ...a, kind: 'native' }, b],
      [a, { kind: 'eval' }, b],
    ],
  ],
  ['no frames', [[], []]],
])('texts are those of the function itself: %s', (_, traces) => {
  const prepare = preparing({ 'b.ts:7': 'seven', 'b.ts:8': 'eight' });
  const remembering = rememberLines(prepare);
  for (const message of ['first', 'second\n    at a place', ''])
    for (const trace of traces) {
      const frames = trace.map(frame);
      expect(remembering(new TypeError(message), frames)).toBe(prepare(new TypeError(message), frames));
    }
});

test('a line is asked for once', () => {
  const prepare = preparing({});
  const remembering = rememberLines(prepare);
  remembering(new Error('x'), [a, anonymous, b].map(frame));
  const { asked } = prepare;
  for (let run = 0; run < 10; run += 1) remembering(new Error(String(run)), [a, anonymous, b].map(frame));
  expect({ asked: prepare.asked, some: asked > 0 }).toEqual({ asked, some: true });
});

test.each<[string, PrepareStackTrace, unknown]>([
  ['frames themselves', (__, frames) => frames.length, 2],
  ['one text for all', () => 'all', 'all'],
  [
    'another form',
    (error, frames) => `${error.message}${frames.map(() => '\n  - x').join('')}`,
    'm\n  - x\n  - x',
  ],
])('what is no list of lines is returned as it is: %s', (_, prepare, expected) => {
  expect(rememberLines(prepare)(new Error('m'), [a, b].map(frame))).toBe(expected);
});
