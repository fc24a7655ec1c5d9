import { asUrn } from '@cairn/addresses';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  kindOf,
  newMap,
  propertyMap,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import fc from 'fast-check';
import { BinaryWriter } from '@cairn/protobuf';
import { decodeStruct, decodeValue } from './decode.js';
import { encodeStruct, encodeValue } from './encode.js';
import type { DecodeOptions, EncodeOptions } from './options.js';
import { WIRE_SIGNATURES, SIGNATURE_KEY, UNKNOWN_SENTINEL, UNKNOWN_SENTINELS } from './signatures.js';
import { isWireValueError } from './value-error.js';

const urn = asUrn('urn:pulumi:dev::proj::test:index:Thing::a');
const reference = new ResourceReference({
  urn,
  id: 'i',
  name: 'a',
  type: 'test:index:Thing',
  packageVersion: '1.0.0',
});
const component = new ResourceReference({ urn, name: 'a', type: 'test:index:Thing' });
const pending = new ResourceReference({ urn, id: UNKNOWN, name: 'a', type: 'test:index:Thing' });

/** Decodes bytes like a reader that does not know special values: each kind in its wire form. */
function raw(value: PropertyValue, options?: EncodeOptions): unknown {
  return plain(encodeValue(value, options));
}

function plain(bytes: Uint8Array): unknown {
  // Changes one character of each signature, keeping its length, to hide it from the decoder.
  const hidden = Buffer.from(bytes);
  for (let at = hidden.indexOf(SIGNATURE_KEY); at >= 0; at = hidden.indexOf(SIGNATURE_KEY))
    hidden.write('SIG', at);
  const show = (value: PropertyValue): unknown => {
    const kind = kindOf(value);
    if (kind === 'unknown') return 'UNKNOWN';
    if (kind === 'array') return (value as PropertyValue[]).map(show);
    if (kind !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value as PropertyMap).map(([key, item]) => [
        key.startsWith('SIG') ? 'SIG' : key,
        show(item),
      ]),
    );
  };
  return show(decodeValue(hidden));
}

const SIG = Object.fromEntries(Object.entries(WIRE_SIGNATURES)) as typeof WIRE_SIGNATURES;

describe('every special value has its form [VAL-1]', () => {
  const rows: readonly (readonly [string, PropertyValue, unknown])[] = [
    ['secret', new Secret('x'), { SIG: SIG.secret, value: 'x' }],
    ['secret null', new Secret(null), { SIG: SIG.secret, value: null }],
    ['asset text', new Asset({ text: '', hash: 'h' }), { SIG: SIG.asset, text: '', hash: 'h' }],
    ['asset path', new Asset({ path: './a' }), { SIG: SIG.asset, path: './a' }],
    ['asset uri', new Asset({ uri: 'https://a' }), { SIG: SIG.asset, uri: 'https://a' }],
    ['asset by hash', new Asset({ hash: 'h' }), { SIG: SIG.asset, hash: 'h' }],
    [
      'archive of assets',
      new Archive({ assets: { a: new Asset({ text: 'x' }), d: new Archive({ path: 'd' }) } }),
      { SIG: SIG.archive, assets: { a: { SIG: SIG.asset, text: 'x' }, d: { SIG: SIG.archive, path: 'd' } } },
    ],
    ['archive without members', new Archive({ assets: {} }), { SIG: SIG.archive, assets: {} }],
    ['archive path', new Archive({ path: 'd', hash: 'h' }), { SIG: SIG.archive, path: 'd', hash: 'h' }],
    [
      'reference',
      reference,
      { SIG: SIG.reference, urn, id: 'i', name: 'a', type: 'test:index:Thing', packageVersion: '1.0.0' },
    ],
    ['reference to a component', component, { SIG: SIG.reference, urn, name: 'a', type: 'test:index:Thing' }],
    [
      'reference, id unknown',
      pending,
      { SIG: SIG.reference, urn, id: 'UNKNOWN', name: 'a', type: 'test:index:Thing' },
    ],
    ['byte string', new ByteString(Buffer.from([0xff, 0])), { SIG: SIG.bytes, value: '/wA=' }],
    ['unknown', UNKNOWN, 'UNKNOWN'],
  ];
  test.each(rows)('%s', (_name, value, form) => {
    expect(raw(value)).toEqual(form);
    expect(decodeValue(encodeValue(value))).toEqual(value);
  });

  const outputs: readonly (readonly [string, OutputValue, unknown])[] = [
    ['known', new OutputValue(1, false, []), { SIG: SIG.output, value: 1 }],
    ['null', new OutputValue(null, false, []), { SIG: SIG.output, value: null }],
    ['unknown', new OutputValue(undefined, false, [urn]), { SIG: SIG.output, dependencies: [urn] }],
    [
      'secret',
      new OutputValue('x', true, [urn]),
      { SIG: SIG.output, value: 'x', secret: true, dependencies: [urn] },
    ],
  ];
  test.each(outputs)('output value %s', (_name, value, form) => {
    expect(raw(value, { keepOutputValues: true })).toEqual(form);
    expect(decodeValue(encodeValue(value, { keepOutputValues: true }), { keepOutputValues: true })).toEqual(
      value,
    );
  });

  test('the unknown is written as the one text that Node knows', () => {
    expect(Buffer.from(encodeValue(UNKNOWN)).includes(UNKNOWN_SENTINEL)).toBe(true);
  });

  test.each(Object.entries(UNKNOWN_SENTINELS))(
    'the %s sentinel is read as unknown [VAL-2]',
    (_type, sentinel) => {
      expect(decodeStruct(encodeStruct({ a: sentinel }))).toEqual({ a: UNKNOWN });
    },
  );
});

describe('encode options [VAL-3]', () => {
  const rows: readonly (readonly [string, PropertyValue, EncodeOptions, unknown])[] = [
    ['unknown property dropped', { a: UNKNOWN, b: 1 }, { keepUnknowns: false }, { b: 1 }],
    ['unknown element dropped', [1, UNKNOWN, 2], { keepUnknowns: false }, [1, 2]],
    ['unknown in a map in a list', [{ a: UNKNOWN }], { keepUnknowns: false }, [{}]],
    ['secret unknown dropped', { a: new Secret(UNKNOWN) }, { keepUnknowns: false }, {}],
    ['unknown output dropped', { a: new OutputValue(undefined, true, []) }, { keepUnknowns: false }, {}],
    ['unknown at the top', UNKNOWN, { keepUnknowns: false }, null],
    ['secret bare', { a: new Secret([new Secret(1)]) }, { keepSecrets: false }, { a: [1] }],
    ['reference as id', reference, { keepResources: false }, 'i'],
    ['reference as URN', component, { keepResources: false }, urn],
    ['reference without id yet', pending, { keepResources: false }, 'UNKNOWN'],
    ['the same, dropped', { a: pending }, { keepResources: false, keepUnknowns: false }, {}],
    ['output as value', new OutputValue([1], false, [urn]), {}, [1]],
    ['output as secret', new OutputValue(1, true, []), {}, { SIG: SIG.secret, value: 1 }],
    ['secret output bare', new OutputValue(1, true, []), { keepSecrets: false }, 1],
    ['output as unknown', new OutputValue(undefined, false, []), {}, 'UNKNOWN'],
    [
      'secret output as unknown',
      new OutputValue(undefined, true, []),
      {},
      { SIG: SIG.secret, value: 'UNKNOWN' },
    ],
    [
      'asset elided',
      new Asset({ text: 'x', hash: 'h' }),
      { elideAssetContents: true },
      { SIG: SIG.asset, hash: 'h' },
    ],
    [
      'archive elided',
      new Archive({ path: 'x', hash: 'h' }),
      { elideAssetContents: true },
      { SIG: SIG.archive, hash: 'h' },
    ],
  ];
  test.each(rows)('%s', (_name, value, options, form) => {
    expect(raw(value, options)).toEqual(form);
  });

  test('internal keys are skipped at the top level only', () => {
    const map = { __a: 1, b: { __c: 2 } };
    expect(decodeStruct(encodeStruct(map, { skipInternalKeys: true }))).toEqual({ b: { __c: 2 } });
  });

  const refusals: readonly (readonly [string, PropertyMap, EncodeOptions, RegExp])[] = [
    ['unknown', { a: [{ b: UNKNOWN }] }, { rejectUnknowns: true }, /^property a\[0\]\.b: .*not known/],
    [
      'unknown, even where dropped',
      { a: UNKNOWN },
      { rejectUnknowns: true, keepUnknowns: false },
      /property a/,
    ],
    ['unknown id', { a: pending }, { rejectUnknowns: true }, /property a/],
    [
      'byte string',
      { 'a b': new ByteString(Buffer.from([255])) },
      { keepByteStrings: false },
      /^property \["a b"\]: .*UTF-8/,
    ],
    ['reserved name', { a: { [SIGNATURE_KEY]: 'x' } }, {}, /reserved/],
  ];
  test.each(refusals)('%s is refused', (_name, map, options, message) => {
    expect(() => encodeStruct(map, options)).toThrow(message);
    // The shared buffer can be used again.
    expect(decodeStruct(encodeStruct({ a: 1 }))).toEqual({ a: 1 });
  });
});

describe('decode options [VAL-3]', () => {
  const rows: readonly (readonly [string, PropertyMap, DecodeOptions, unknown])[] = [
    ['unknown property goes', { a: UNKNOWN, b: 1 }, { keepUnknowns: false }, { b: 1 }],
    ['unknown element becomes null', { a: [1, UNKNOWN] }, { keepUnknowns: false }, { a: [1, null] }],
    ['secret of an unknown goes', { a: new Secret(UNKNOWN) }, { keepUnknowns: false }, {}],
  ];
  test.each(rows)('%s', (_name, map, options, expected) => {
    expect(decodeStruct(encodeStruct(map), options)).toEqual(expected);
  });

  test('output values are reduced unless kept', () => {
    const map = { a: new OutputValue(1, true, [urn]), b: new OutputValue(undefined, false, []) };
    const bytes = encodeStruct(map, { keepOutputValues: true });
    expect(decodeStruct(bytes)).toEqual({ a: new Secret(1), b: UNKNOWN });
    expect(decodeStruct(bytes, { keepUnknowns: false })).toEqual({ a: new Secret(1) });
    expect(() => decodeStruct(bytes, { rejectUnknowns: true })).toThrow(/not known/);
    expect(() => decodeStruct(bytes, { rejectUnknowns: true, keepOutputValues: true })).toThrow(/not known/);
  });

  test('an unknown where none may be is refused', () => {
    expect(() => decodeStruct(encodeStruct({ a: [UNKNOWN] }), { rejectUnknowns: true })).toThrow(/not known/);
  });
});

/** Returns bytes of a struct with the signature key, as a peer may send it. The text SIG represents the key. */
function signed(entries: Readonly<Record<string, PropertyValue>>): Uint8Array {
  const placeholder = 'S'.repeat(SIGNATURE_KEY.length);
  const renamed = Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [key === 'SIG' ? placeholder : key, value]),
  );
  const bytes = Buffer.from(encodeStruct({ a: renamed }));
  const at = bytes.indexOf(placeholder);
  if (at >= 0) bytes.write(SIGNATURE_KEY, at);
  return bytes;
}

describe('what peers send besides', () => {
  const accepted: readonly (readonly [string, Record<string, PropertyValue>, PropertyValue])[] = [
    [
      'asset marked by Node',
      { SIG: SIG.asset, __pulumiAsset: true, path: './a' },
      new Asset({ path: './a' }),
    ],
    ['archive with nothing', { SIG: SIG.archive }, new Archive({ assets: {} })],
    ['archive path before assets', { SIG: SIG.archive, path: 'p', assets: {} }, new Archive({ path: 'p' })],
    ['archive uri before assets', { SIG: SIG.archive, path: '', uri: 'u' }, new Archive({ uri: 'u' })],
    [
      'reference named by its URN',
      { SIG: SIG.reference, urn, id: 'i' },
      new ResourceReference({ urn, id: 'i', name: 'a', type: 'test:index:Thing' }),
    ],
    ['reference with empty id', { SIG: SIG.reference, urn, id: '' }, pending],
    ['reference with sentinel id', { SIG: SIG.reference, urn, id: UNKNOWN }, pending],
  ];
  test.each(accepted)('%s', (_name, entries, expected) => {
    expect(decodeStruct(signed(entries))).toEqual({ a: expected });
  });

  const refused: readonly (readonly [string, Record<string, PropertyValue>, RegExp])[] = [
    ['unknown signature', { SIG: 'x' }, /unrecognized signature "x"/],
    ['signature that is no text', { SIG: 1 }, /unrecognized signature/],
    ['secret without value', { SIG: SIG.secret }, /no value/],
    ['reference without URN', { SIG: SIG.reference, id: 'i' }, /no "urn"/],
    ['reference with bad URN', { SIG: SIG.reference, urn: 'x' }, /invalid URN/],
    ['reference with odd id', { SIG: SIG.reference, urn, id: 1 }, /not a text/],
    ['output with odd secret', { SIG: SIG.output, secret: 'x' }, /"secret"/],
    ['output with odd dependencies', { SIG: SIG.output, dependencies: [1] }, /"dependencies"/],
    ['byte string without value', { SIG: SIG.bytes }, /no "value"/],
    ['asset with odd path', { SIG: SIG.asset, path: 1 }, /"path" of an asset/],
    ['archive with odd member', { SIG: SIG.archive, assets: { m: 1 } }, /member "m"/],
    ['archive with odd members', { SIG: SIG.archive, assets: 1 }, /not a map/],
  ];
  test.each(refused)('%s is an error', (_name, entries, message) => {
    expect(() => decodeStruct(signed(entries))).toThrow(message);
  });

  test('fields nobody knows are passed over', () => {
    const value = Buffer.from(encodeValue('x'));
    const extra = new BinaryWriter()
      .uint32(90)
      .string('new')
      .uint32(96)
      .uint32(300)
      .uint32(105)
      .double(1)
      .finish();
    expect(decodeValue(Buffer.concat([extra, value, extra]))).toBe('x');
  });

  test('a value without content is null, an empty struct is an empty map', () => {
    expect(decodeValue(new Uint8Array())).toBeNull();
    expect(decodeStruct(new Uint8Array())).toEqual({});
    expect(decodeStruct(undefined)).toEqual({});
  });

  test('bytes that are cut anywhere, or changed anywhere, never do worse than a clear error', () => {
    const bytes = Buffer.from(
      encodeStruct({ a: 'text', b: [1, true, null, { c: 'd' }], s: new Secret('x') }),
    );
    const tryOut = (input: Uint8Array): void => {
      try {
        decodeStruct(input);
      } catch (error) {
        if (!isWireValueError(error)) throw error;
      }
    };
    let failed = 0;
    for (let at = 1; at < bytes.length; at++) {
      try {
        decodeStruct(bytes.subarray(0, at));
      } catch (error) {
        failed += 1;
        if (!isWireValueError(error)) throw error;
      }
      for (const change of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(bytes);
        changed[at] = change;
        tryOut(changed);
      }
    }
    expect(failed).toBeGreaterThan(bytes.length / 2);
  });
});

describe('extremes', () => {
  test('NaN, -0 and the infinities keep their identity', () => {
    const list = [NaN, -0, 0, Infinity, -Infinity, Number.MAX_VALUE, Number.MIN_VALUE, 9007199254740993];
    const back = decodeValue(encodeValue(list)) as number[];
    expect(back.every((item, index) => Object.is(item, list[index]))).toBe(true);
  });

  test('__proto__ and the like are names as any other', () => {
    const map = newMap();
    for (const key of ['__proto__', 'constructor', 'hasOwnProperty', '', 'ü', '\u0000'])
      map[key] = { __proto__: null, x: key };
    const back = decodeStruct(encodeStruct(map));
    expect(Object.keys(back)).toEqual(Object.keys(map));
    expect(Object.hasOwn(back, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test.each(['list', 'map', 'secret'] as const)('1,000 levels of %s', (kind) => {
    const wrap = (value: PropertyValue): PropertyValue =>
      kind === 'list' ? [value] : kind === 'map' ? propertyMap({ k: value }) : [new Secret(value)];
    let value: PropertyValue = 'core';
    for (let level = 0; level < 1000; level++) value = wrap(value);
    let back: PropertyValue = decodeValue(encodeValue(value));
    for (let level = 0; level < 1000; level++) {
      back =
        kind === 'map'
          ? ((back as PropertyMap)['k'] as PropertyValue)
          : ((back as PropertyValue[])[0] as PropertyValue);
      if (kind === 'secret') back = (back as Secret).value;
    }
    expect(back).toBe('core');
  });

  test('more than 10,000 levels are a clear error, both ways', () => {
    let value: PropertyValue = 1;
    for (let level = 0; level < 10_100; level++) value = [value];
    expect(() => encodeValue(value)).toThrow(/nested too deeply/);
    // The same from the wire: lists in lists, written from the innermost outwards.
    let bytes: Uint8Array = Buffer.from([0x08, 0]);
    for (let level = 0; level < 10_100; level++) {
      const item = new BinaryWriter().uint32(10).bytes(bytes).finish();
      bytes = new BinaryWriter().uint32(0x32).bytes(item).finish();
    }
    expect(() => decodeValue(bytes)).toThrow(/nested too deeply/);
    expect(decodeValue(encodeValue([1]))).toEqual([1]);
  });

  test('a text of 20 MiB, and one that is not ASCII', () => {
    const texts = ['x'.repeat(20 * 1024 * 1024), 'ü€😀'.repeat(200_000)];
    const back = decodeStruct(encodeStruct({ texts }))['texts'] as string[];
    expect(back.every((text, index) => text === texts[index])).toBe(true);
  });

  test('a text with half a surrogate pair becomes readable', () => {
    expect(decodeValue(encodeValue('a\ud800b'))).toBe('a\ufffdb');
  });
});

describe('round trips', () => {
  const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'value', 'secret', ''));
  const text = fc.string({ unit: 'binary' });
  const hash = fc.option(fc.stringMatching(/^[0-9a-f]{64}$/), { nil: undefined });
  const asset = fc
    .tuple(fc.constantFrom('text', 'path', 'uri'), fc.string({ minLength: 1 }), hash)
    .map(([source, content, sum]) => new Asset({ [source]: content, hash: sum }));
  const map = (item: fc.Arbitrary<PropertyValue>) =>
    fc.array(fc.tuple(key, item), { maxLength: 6 }).map((entries) => {
      const made = newMap();
      for (const [name, value] of entries) made[name] = value;
      return made as PropertyMap;
    });
  const { value } = fc.letrec<{ value: PropertyValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      fc.double(),
      text,
      fc.constant(UNKNOWN),
      asset,
      fc.constantFrom(reference, component, pending),
      fc.uint8Array().map((bytes) => new ByteString(bytes)),
      fc.array(tie('value'), { maxLength: 5 }),
      map(tie('value')),
      tie('value').map((inner) => new Secret(inner)),
      fc.dictionary(fc.string(), asset, { maxKeys: 3 }).map((assets) => new Archive({ assets })),
      fc
        .tuple(fc.option(tie('value'), { nil: undefined }), fc.boolean(), fc.subarray([urn]))
        .map(
          ([inner, secret, dependencies]) =>
            new OutputValue(
              inner !== undefined && kindOf(inner) === 'unknown' ? undefined : inner,
              secret,
              dependencies,
            ),
        ),
    ),
  }));

  const bytesAsText = (item: PropertyValue): unknown => {
    const kind = kindOf(item);
    if (kind === 'bytes') return { bytes: Buffer.from((item as ByteString).bytes).toString('hex') };
    if (kind === 'array') return (item as PropertyValue[]).map(bytesAsText);
    if (kind === 'object')
      return Object.entries(item as PropertyMap).map(([name, inner]) => [name, bytesAsText(inner)]);
    if (kind === 'secret') return { secret: bytesAsText((item as Secret).value) };
    if (kind === 'archive') return { archive: Object.entries((item as Archive).assets ?? {}) };
    if (kind !== 'output') return item;
    const output = item as OutputValue;
    return { ...output, value: output.value === undefined ? undefined : bytesAsText(output.value) };
  };

  test('every value reads back as it was written', () => {
    fc.assert(
      fc.property(map(value), (source) => {
        const back = decodeStruct(encodeStruct(source, { keepOutputValues: true }), {
          keepOutputValues: true,
        });
        expect(bytesAsText(back)).toEqual(bytesAsText(source));
      }),
      { numRuns: 400 },
    );
  });

  test('what a peer without capabilities gets holds nothing special', () => {
    const bare: EncodeOptions = { keepUnknowns: false, keepSecrets: false, keepResources: false };
    fc.assert(
      fc.property(map(value), (source) => {
        const bytes = Buffer.from(encodeStruct(source, bare));
        for (const kind of ['secret', 'reference', 'output'] as const)
          expect(bytes.includes(WIRE_SIGNATURES[kind])).toBe(false);
        expect(bytes.includes(UNKNOWN_SENTINEL)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
