import fc from 'fast-check';
import { base64Crypter } from '@cairn/crypters';
import { goJson } from '../values/go-json.js';
import type { Json } from '../values/go-json.js';
import { DEEPEST, JsonBytesFault, JsonCursor } from './json-cursor.js';
import { readCheckpoint, readUntypedDeployment } from './read-document.js';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/snapshot-codec.js';
import { checkpointBytes, untypedDeploymentPieces, untypedDeploymentText } from './write-document.js';
import { failureOf } from '../../test/failure-of.js';

const URN = 'urn:pulumi:dev::p::a:b:C::x';

/** Makes a stack file with one resource whose inputs are the given text. */
function fileWith(inputs: string): Buffer {
  return Buffer.from(
    `{"version":3,"checkpoint":{"stack":"organization/p/dev","latest":{"manifest":{"time":"2020-01-01T00:00:00Z","magic":"","version":""},` +
      `"resources":[{"urn":"${URN}","custom":true,"id":"i","type":"a:b:C","inputs":${inputs}}],"metadata":{}}}}`,
  );
}

const inputsOf = (bytes: Uint8Array): unknown =>
  readCheckpoint(bytes, 'dev.json').deployment?.resources[0]?.inputs;

describe('what cannot be read is told by the byte where it is', () => {
  test.each<[string, Buffer, RegExp, (text: string) => number]>([
    ['cut off in a value', fileWith('{"a":1}').subarray(0, 200), /ends too early/, () => 200],
    [
      'cut off in a text',
      fileWith('{"a":"ü').subarray(0, -20),
      /ends too early/,
      (text) => Buffer.byteLength(text) - 2,
    ],
    [
      'more text after the end',
      Buffer.concat([fileWith('{}'), Buffer.from(' x')]),
      /more text/,
      (text) => text.length - 1,
    ],
    [
      'a number no double can hold',
      fileWith('{"a":1e999}'),
      /1e999 is out of range/,
      (text) => text.indexOf('1e999'),
    ],
    [
      'a long number no double can hold',
      fileWith(`{"a":[1,${'9'.repeat(400)}]}`),
      /out of range/,
      (text) => text.indexOf('999'),
    ],
    ['brackets that do not match', fileWith('{"a":[}]'), /expected/, (text) => text.indexOf('}]')],
    [
      'a control character',
      fileWith('{"a":"x\u0001"}'),
      /control character/,
      (text) => text.indexOf('\u0001'),
    ],
    ['a word that is none', fileWith('{"a":nil}'), /expected a value/, (text) => text.indexOf('nil')],
    ['no comma', fileWith('{"a":1 "b":2}'), /expected "," or "}"/, (text) => text.indexOf('"b"')],
  ])('%s', (_name, bytes, reason, offset) => {
    const failure = failureOf(() => readCheckpoint(bytes, 'dev.json'));
    expect(failure.code).toBe('CAIRN-STATE-CORRUPT');
    expect(failure.summary).toMatch(reason);
    const found = offset(bytes.toString('utf8'));
    expect(failure.summary).toContain(`(offset ${found})`);
    expect(failure.hint).toContain('Nothing was changed');
  });

  test('offsets count bytes, columns characters', () => {
    const bytes = Buffer.from('{\n"v": "üü", x}');
    const failure = failureOf(() => readCheckpoint(bytes, 'f'));
    expect(failure.summary).toContain(`line 2, column 12 (offset ${bytes.indexOf('x')})`);
  });

  test('bytes that are no UTF-8', () => {
    const bytes = Buffer.concat([fileWith('{"ü":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const failure = failureOf(() => readCheckpoint(bytes, 'dev.json'));
    expect(failure.summary).toContain(`(offset ${bytes.indexOf(0xff)}): it is not valid UTF-8`);
  });

  test.each(['[', '{"a":'])('nesting that is too deep is refused before it is parsed: %s', (open) => {
    const failure = failureOf(() => readCheckpoint(fileWith(open.repeat(100_000)), 'dev.json'));
    expect(failure.summary).toContain(`nested more than ${DEEPEST} levels deep`);
  });

  test('property: whatever is cut or altered in a file is read or refused, never anything else', () => {
    const good = fileWith('{"a":[1,2,{"b":"\\u00e9\\ud83d\\ude00"}],"c":-0.5e-3}');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 3 }),
        fc.nat(good.length),
        (changes, cut) => {
          const bytes = Buffer.from(good.subarray(0, good.length - (cut % 40)));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          try {
            readCheckpoint(bytes, 'dev.json');
          } catch (thrown) {
            expect((thrown as { diagnostics: readonly { code: string }[] }).diagnostics[0]?.code).toMatch(
              /^CAIRN-STATE-/,
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('what the format allows is read as it is', () => {
  test("a key of an object's prototype is a key", () => {
    const inputs = inputsOf(fileWith('{"__proto__":{"x":1},"constructor":2}')) as object;
    expect(Object.keys(inputs)).toEqual(['__proto__', 'constructor']);
    const { deployment } = readCheckpoint(fileWith('{"__proto__":{"x":1}}'), 'f');
    expect(Buffer.from(checkpointBytes('s', deployment)).toString()).toContain(
      '"inputs":{"__proto__":{"x":1}}',
    );
    const [entry] = decodeSnapshot(deployment!, base64Crypter, 'f').resources;
    expect(Object.keys(entry!.inputs)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('of equal keys the last counts', () => {
    expect(inputsOf(fileWith('{"a":1,"a":2}'))).toEqual({ a: 2 });
    const bytes = Buffer.from('{"version":1,"version":3,"deployment":{},"deployment":{"resources":[]}}');
    expect(readUntypedDeployment(bytes, 'f').version).toBe(3);
  });

  test('half surrogate pairs become U+FFFD, whole ones stay', () => {
    expect(inputsOf(fileWith('{"a":"x\\ud800y","b\\udc00":["\\ud83d\\ude00"]}'))).toEqual({
      a: 'x\ufffdy',
      'b\ufffd': ['😀'],
    });
  });

  test('negative zero stays, integers beyond 2^53 are doubles', () => {
    const bytes = fileWith('{"a":-0,"b":9007199254740993}');
    const { deployment } = readCheckpoint(bytes, 'f');
    const written = Buffer.from(checkpointBytes('s', deployment)).toString();
    expect(written).toContain('"inputs":{"a":-0,"b":9007199254740992}');
  });

  test('a byte order mark is skipped', () => {
    expect(inputsOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), fileWith('{"a":1}')]))).toEqual({ a: 1 });
  });

  test('a value nested as deep as it may be is read, written, exported, decoded and written again', () => {
    const deep = `{"a":${'['.repeat(DEEPEST - 10)}${']'.repeat(DEEPEST - 10)}}`;
    const { deployment } = readCheckpoint(fileWith(deep), 'f');
    expect(Buffer.from(checkpointBytes('s', deployment)).toString()).toContain(deep);
    expect(untypedDeploymentText(deployment).length).toBeGreaterThan(deep.length);
    const snapshot = decodeSnapshot(deployment!, base64Crypter, 'f');
    const again = encodeSnapshot(snapshot, deployment!.manifest, base64Crypter);
    expect(Buffer.from(checkpointBytes('s', again)).toString()).toContain(deep);
  });

  test('JSON of any depth is written', () => {
    let value: Json = 1;
    for (let level = 0; level < 50_000; level++) value = level % 2 === 0 ? [value] : { b: 1, '"': value };
    const text = goJson(value);
    expect(text.startsWith('{"\\"":[{"\\"":[')).toBe(true);
    expect(text).toContain('[1]');
    expect(JSON.parse(text)).toBeDefined();
  });
});

describe('keys are read in any case and written in the exact one [STATE-6]', () => {
  test('of every struct, and not of values', () => {
    const text = JSON.stringify({
      VERSION: 4,
      Features: ['taint'],
      CheckPoint: {
        Stack: 's',
        LATEST: {
          Manifest: {
            TIME: '2020-01-01T00:00:00Z',
            Magic: '',
            VERSION: '',
            Plugins: [{ NAME: 'a', PATH: '/x', Type: 'resource', Version: '1' }],
          },
          Secrets_Providers: { TYPE: 'b64', State: { Kept: 1 } },
          RESOURCES: [
            {
              URN: URN,
              Custom: true,
              ID: 'i',
              TYPE: 'a:b:C',
              Inputs: { Kept: 1 },
              TAINT: true,
              CustomTimeouts: { CREATE: 5 },
              stacktrace: [{ SourcePosition: 'p' }],
              initerrorſ: ['no'],
              nobody: 1,
            },
          ],
          Pending_Operations: [
            { TYPE: 'creating', Resource: { Urn: `${URN}2`, custom: true, type: 'a:b:C' } },
          ],
          MetaData: { Integrity_Error: { ERROR: 'e' } },
          Snippets: [{ UUID: 'u', Name: 'n', TYPE: 't', code: 'c', descriptor: {}, References: { R: URN } }],
        },
      },
    });
    const { deployment } = readCheckpoint(text, 'f');
    expect(Buffer.from(checkpointBytes('s', deployment)).toString()).toBe(
      '{"version":4,"features":["snippets-prototype","taint"],"checkpoint":{"stack":"s","latest":{' +
        '"manifest":{"time":"2020-01-01T00:00:00Z","magic":"","version":"","plugins":[{"name":"a","path":"","type":"resource","version":"1"}]},' +
        '"secrets_providers":{"type":"b64","state":{"Kept":1}},' +
        `"resources":[{"urn":"${URN}","custom":true,"id":"i","type":"a:b:C","inputs":{"Kept":1},"taint":true,"initErrors":["no"],"customTimeouts":{"create":5},"stackTrace":[{"sourcePosition":"p"}]}],` +
        `"pending_operations":[{"resource":{"urn":"${URN}2","custom":true,"type":"a:b:C"},"type":"creating"}],` +
        '"metadata":{"integrity_error":{"error":"e"}},' +
        `"snippets":[{"uuid":"u","name":"n","type":"t","code":"c","descriptor":{"name":""},"references":{"R":"${URN}"}}]}}}`,
    );
  });

  test('of two spellings the later one counts', () => {
    const read = (members: string): string | undefined =>
      readUntypedDeployment(
        `{"version":3,"deployment":{"resources":[{"urn":"${URN}","type":"t",${members}}]}}`,
        'f',
      ).deployment?.resources[0]?.id;
    expect(read('"id":"a","ID":"b"')).toBe('b');
    expect(read('"ID":"b","id":"a"')).toBe('a');
  });
});

test('property: the cursor reads what JSON.parse reads, and refuses what it refuses', () => {
  const read = (text: string): Json => {
    const cursor = new JsonCursor(Buffer.from(text));
    const value = cursor.value();
    cursor.end();
    return value;
  };
  fc.assert(
    fc.property(
      fc.json({ noUnicodeString: false }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (text, part) => {
        expect(read(text)).toEqual(JSON.parse(Buffer.from(text).toString()));
        const cut = text.slice(0, Math.floor(part * text.length));
        let parses = true;
        try {
          JSON.parse(cut);
        } catch {
          parses = false;
        }
        if (parses) expect(read(cut)).toEqual(JSON.parse(cut));
        else expect(() => read(cut)).toThrow(JsonBytesFault);
      },
    ),
  );
});

test('property: an export in pieces is the export', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 4 }), (inputs) => {
      const resources = inputs.map((each, index) => ({
        urn: `${URN}${index}`,
        custom: true,
        type: 'a:b:C',
        ...(Object.keys(each).length === 0
          ? {}
          : { inputs: JSON.parse(goJson(each as Json)) as { [key: string]: Json } }),
      }));
      const { deployment } = readUntypedDeployment(
        JSON.stringify({ version: 3, deployment: { resources } }),
        'f',
      );
      const text = [...untypedDeploymentPieces(deployment)].join('');
      expect(text).toBe(untypedDeploymentText(deployment));
      expect(readUntypedDeployment(text, 'f').deployment).toEqual(deployment);
    }),
  );
});
