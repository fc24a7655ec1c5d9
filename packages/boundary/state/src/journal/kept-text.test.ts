import fc from 'fast-check';
import {
  itemTexts,
  keptDeploymentText,
  knownItemTexts,
  memberTexts,
  readKeptDeployment,
  takeKeptEntry,
  textLists,
} from './kept-text.js';
import { Replayer } from './replayer.js';
import { renamedStack } from '../edits/rename-stack.js';

const URN = 'urn:pulumi:dev::shop::test:index:Thing::';
const READ = { source: 'test', byteStrings: false };

/** JSON texts with forms that a parser does not keep. */
const numbers = fc.constantFrom(
  '1.0',
  '-0',
  '1e2',
  '1E+2',
  '0.10',
  '9007199254740993',
  '-9007199254740993.50',
  '3',
);
const strings = fc.oneof(
  fc.constantFrom('""', '"\\u003c"', '"\\/"', '"é"', '"\\ud83d\\ude00"', '"a\\tb"'),
  // Long ones end natively: backslashes and quotes around the place from which on they do.
  fc
    .tuple(fc.integer({ min: 20, max: 40 }), fc.array(fc.constantFrom('\\\\', '\\"', 'é', ',')))
    .map(([length, more]) => `"${'x'.repeat(length)}${more.join('')}"`),
);
const { value: valueText } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    numbers,
    strings,
    fc.constantFrom('null', 'true'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'urn', '\\u0063'), tie('value')), {
      maxLength: 3,
      selector: ([key]) => key,
    })
    .map((members) => `{${members.map(([key, text]) => `"${key}" :${text}`).join(',')}}`),
}));

function resourceText(name: string, inputs: string, unknown: string, more = ''): string {
  return `{"urn":"${URN}${name}","later":${unknown},"custom":false,"type":"test:index:Thing","inputs":{"v":${inputs}}${more}}`;
}

function bodyText(resources: readonly string[], unknown: string): string {
  return `{"manifest":{"time":"2030-01-01T00:00:00Z","magic":"","version":""},"resources":[${resources.join(',')}],"unknown":${unknown}}`;
}

test('texts of a list are the same, whether it was read before or is read now', () => {
  fc.assert(
    fc.property(fc.array(valueText), valueText, (items, other) => {
      const list = `[${items.join(' ,')}]`;
      expect(knownItemTexts(list)).toEqual(items);
      expect(itemTexts(list, 'test')).toEqual(items);
      const object = Buffer.from(`{"other":${other},"entries":${list}}`);
      expect(knownItemTexts(object, 'entries')).toEqual(items);
      expect(textLists(object, 'test', ['entries']).entries.map(({ text }) => text)).toEqual(items);
    }),
  );
});

test('a state that is not edited has the texts that were read, at any value', () => {
  fc.assert(
    fc.property(valueText, valueText, valueText, (inputs, later, unknown) => {
      const text = bodyText([resourceText('a', inputs, later)], unknown);
      expect(keptDeploymentText(readKeptDeployment(text, READ))).toBe(text);
    }),
  );
});

test('a replay keeps the texts of what it leaves alone, of marked entries and of new ones', () => {
  fc.assert(
    fc.property(valueText, valueText, (inputs, later) => {
      const [kept, marked, added] = ['kept', 'marked', 'added'].map((name) =>
        resourceText(name, inputs, later),
      );
      const base = readKeptDeployment(bodyText([kept as string, marked as string], later), READ);
      const replayer = new Replayer(base, 'test');
      const entry = {
        version: 1,
        kind: 1,
        sequenceID: 1,
        operationID: 1,
        removeOld: null,
        removeNew: null,
        deleteOld: 1,
      };
      replayer.add(takeKeptEntry(`${JSON.stringify(entry).slice(0, -1)},"state":${added}}`, 'test'));
      const text = keptDeploymentText(replayer.generate(base.manifest), base);
      const members = new Map(memberTexts(text, 'test'));
      expect(members.get('resources')).toBe(`[${added},${kept},${marked?.slice(0, -1)},"delete":true}]`);
      expect(members.get('unknown')).toBe(later);
    }),
  );
});

test('renaming changes the names alone', () => {
  fc.assert(
    fc.property(valueText, valueText, (inputs, later) => {
      const text = bodyText(
        [resourceText('a', inputs, later), resourceText('b', inputs, later, `,"dependencies":["${URN}a"]`)],
        later,
      );
      const renamed = renamedStack(
        readKeptDeployment(text, READ),
        { project: 'shop', stack: 'dev' },
        { project: 'web', stack: 'prod' },
      );
      expect(keptDeploymentText(renamed)).toBe(
        text.replaceAll(URN, 'urn:pulumi:prod::web::test:index:Thing::'),
      );
    }),
  );
});

test('a reference to a resource within a value is renamed, and the rest of the value stays', () => {
  const reference = `{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"${URN}a","n":1.0}`;
  const text = bodyText([resourceText('b', `[2.0,${reference}]`, '1')], '1');
  const renamed = renamedStack(
    readKeptDeployment(text, READ),
    { project: 'shop', stack: 'dev' },
    { project: 'shop', stack: 'prod' },
  );
  expect(keptDeploymentText(renamed)).toBe(text.replaceAll('urn:pulumi:dev', 'urn:pulumi:prod'));
});

test.each(['', '[]', '{', '{}}', '{"a":1e999}', '{"a":"\u0000"}'])('%j is refused', (text) => {
  expect(() => memberTexts(text, 'it')).toThrow('cannot read it');
});

test.each([
  ['{"a":[1],"list":[1.0, {"b": -0}],"z":{"list":[2]}}', ['1.0', '{"b": -0}']],
  ['{"list":null}', []],
  ['{}', []],
  ['{"list":[1],"list":[2]}', ['2']],
])('the items of a member of %s have their texts', (text, texts) => {
  const items = textLists(text, 'test', ['list']).list;
  expect(items.map((item) => item.text)).toEqual(texts);
  for (const { text: one, value } of items) expect(value).toEqual(JSON.parse(one));
});

test.each(['{"list":1}', '{"list":{}}', '[]', '{"list":[1}', '{"list":[1e999]}'])(
  'a list in %s is not read',
  (text) => {
    expect(() => textLists(text, 'test', ['list']).list).toThrow('cannot read test');
  },
);

test.each([
  ['{"version":1,"kind":0,"sequenceID":1,"operationID":1,"operation":{"resource":R,"type":"creating"}}'],
  [
    ' {"version": 1, "kind":0,"sequenceID":1, "operation" : {"type":"creating","resource": R } ,"operationID":1}',
  ],
  [
    '{"version":1,"kind":0,"sequenceID":1,"operationID":1,"operation":{"resource":X,"resource":R,"type":"updating"}}',
  ],
])('a begun operation of %s has its resource and its text when it is pending', (form) => {
  const resource = resourceText('a', '1.0', '[-0, "\\u003c"]');
  const text = form.replace('R', resource).replace('X', resourceText('b', '2', '{}'));
  const replayer = new Replayer(readKeptDeployment(bodyText([], '1'), READ), 'test');
  replayer.add(takeKeptEntry(text, 'test'));
  const left = replayer.generate(readKeptDeployment(bodyText([], '1'), READ).manifest);
  expect(left.pendingOperations.map(({ resource: { urn } }) => urn)).toEqual([`${URN}a`]);
  expect(keptDeploymentText(left)).toContain(`"pending_operations":[{"resource":${resource},`);
});

test.each(['{"a":"x', '{"a":[1', '{"a":', '{"a":{"b":"\\"}'])(
  'a known text that was cut off (%s) fails',
  (text) => {
    expect(() => knownItemTexts(text, 'a')).toThrow('the text ends too early');
  },
);

test('a refresh leaves out what it has emptied, as new texts do', () => {
  const gone = `"dependencies":["${URN}gone"],"propertyDependencies":{"v":["${URN}gone"]}`;
  const base = readKeptDeployment(bodyText([resourceText('a', '1.0', '2', `,${gone}`)], '1'), READ);
  const replayer = new Replayer(base, 'test');
  const state = resourceText('a', '1.0', '2', `,${gone}`);
  replayer.add(
    takeKeptEntry(
      `{"version":1,"kind":3,"sequenceID":1,"operationID":1,"removeOld":0,"removeNew":null,"state":${state}}`,
      'test',
    ),
  );
  const text = keptDeploymentText(replayer.generate(base.manifest), base);
  expect(text).toContain(`"inputs":{"v":1.0}}`);
  expect(text).not.toMatch(/ependencies/);
});
