import type { Random } from '../support/random.js';

/** Texts that readers of JSON and YAML have stumbled over. */
const WORDS = [
  'null',
  'true',
  '-1',
  '1e999',
  '18446744073709551616',
  '""',
  '[]',
  '{}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\u0000"',
  '"\\ud800"',
  '"urn:pulumi:"',
  '"../../x"',
  '"4dabf18193072939515e22adb298388d"',
  '&a [*a]',
  '*a',
  '<<: *a',
  '!!binary x',
  '\t',
  '\n',
  ': ',
  '- ',
  '%',
  '\u2028',
  '\ufeff',
];

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const at = (bytes: Buffer, random: Random): number => random.below(bytes.length + 1);
const spliced = (bytes: Buffer, from: number, to: number, middle: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);

const MUTATIONS: readonly Mutation[] = [
  // One bit of one byte.
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    const place = random.below(bytes.length);
    if (bytes.length > 0) changed[place] = (changed[place] ?? 0) ^ (1 << random.below(8));
    return changed;
  },
  // One byte is any other.
  (bytes, random) => spliced(bytes, at(bytes, random), at(bytes, random), Buffer.of(random.below(256))),
  // Cut off.
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  // A piece is missing.
  (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, Math.min(bytes.length, from + 1 + random.below(40)), Buffer.of());
  },
  // Repeats a piece.
  (bytes, random) => {
    const from = at(bytes, random);
    const piece = bytes.subarray(from, from + 1 + random.below(60));
    return spliced(bytes, from, from, piece);
  },
  // Something else in between.
  (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, from, Buffer.from(random.pick(WORDS)));
  },
  // A whole value is another one: the types are wrong.
  (bytes, random) => {
    const text = bytes.toString('latin1');
    const values = [...text.matchAll(/: *("[^"]*"|[-\w.]+|\[\]|\{\})/g)];
    if (values.length === 0) return bytes;
    const chosen = random.pick(values);
    const from = chosen.index + chosen[0].length - (chosen[1] ?? '').length;
    return spliced(bytes, from, chosen.index + chosen[0].length, Buffer.from(random.pick(WORDS)));
  },
  // A key is another one.
  (bytes, random) => {
    const text = bytes.toString('latin1');
    const keys = [...text.matchAll(/"?([\w-]+)"? *:/g)];
    if (keys.length === 0) return bytes;
    const chosen = random.pick(keys);
    const from = text.indexOf(chosen[1] ?? '', chosen.index);
    const name = random.pick(['__proto__', 'constructor', 'urn', 'version', 'secure', '', 'hasOwnProperty']);
    return spliced(bytes, from, from + (chosen[1] ?? '').length, Buffer.from(name));
  },
];

/** The bytes with one to four things wrong. */
export function mutated(bytes: Uint8Array, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random.below(4); left > 0; left--)
    changed = Buffer.from(random.pick(MUTATIONS)(changed, random));
  return changed;
}

const deep = (open: string, close: string, inner: string): string =>
  open.repeat(100_000) + inner + close.repeat(100_000);

/** Whole files that an attacker may have put there, by what they try. */
export const HOSTILE_FILES: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'a zero byte': '\0',
  'deep lists': deep('[', ']', ''),
  'deep maps': deep('{"a":', '}', '1'),
  'deep maps in a known key': `{"version":3,"checkpoint":{"latest":${deep('{"resources":', '}', '1')}}}`,
  'a prototype': '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  'a prototype in YAML':
    '__proto__:\n  polluted: true\nname: x\nruntime: nodejs\nconfig:\n  __proto__: {polluted: true}\n',
  'a long text': `{"version":3,"name":"${'x'.repeat(8_000_000)}"}`,
  'a long number': `{"version":${'9'.repeat(100_000)}}`,
  'one key very often': `{${Array.from({ length: 100_000 }, () => '"version":3').join(',')}}`,
  'billion laughs': `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from(
    { length: 9 },
    (_, index) =>
      `${'bcdefghij'[index]}: &${'bcdefghij'[index]} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[index]}`).join(',')}]`,
  ).join('\n')}\nname: *j\n`,
  'an alias of itself': 'name: &a [*a]\nruntime: *a\nconfig: &c\n  x: *c\n',
  'merge keys without end': 'a: &a {<<: *a}\nname: x\nruntime: nodejs\nconfig:\n  <<: *a\n',
  'other tags': '!!js/function "x"\n',
  'several documents': 'name: a\n---\nname: b\n',
  'names that lead outside':
    '{"name":"../../etc","runtime":"nodejs","stacks":{"file://x":"../../../y"},"current":"file:///../.."}',
};
