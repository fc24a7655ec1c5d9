import type { PropertyValue } from '@cairn/values';
import { schemaComplaints } from './json-schema.js';

/** Settings of a policy, checked against the JSON schema that it declares [POL-1]. */

type Row = readonly [schema: PropertyValue, fits: readonly PropertyValue[], fails: readonly PropertyValue[]];

const letters = { type: 'string', pattern: '^[a-z]+$' };
const ROWS: readonly Row[] = [
  [{ type: 'string' }, ['', 'a'], [1, null, ['a'], { a: 'b' }]],
  [{ type: 'integer' }, [1, -3, 2.0], [1.5, '1']],
  [{ type: 'number' }, [1, 1.5], ['1', true]],
  [{ type: 'boolean' }, [true, false], [0, 'true']],
  [{ type: 'null' }, [null], [0, '']],
  [{ type: 'array' }, [[], [1]], [{}, 'a']],
  [{ type: 'object' }, [{}, { a: 1 }], [[], null]],
  [{ type: ['string', 'null'] }, ['a', null], [1]],
  [{ type: 'a type from a later draft' }, [1, 'a'], []],
  [{ const: 'a' }, ['a'], ['b', 1]],
  [{ enum: ['a', 'b', 1] }, ['a', 'b', 1], ['c', 2, '1']],
  [{ minimum: 2 }, [2, 3, 'a'], [1.9]],
  [{ maximum: 2 }, [2, 1], [2.1]],
  [{ exclusiveMinimum: 2 }, [2.1], [2, 1]],
  [{ exclusiveMaximum: 2 }, [1.9], [2, 3]],
  [{ multipleOf: 3 }, [0, 3, -6], [1, 4]],
  [{ minLength: 2 }, ['ab', 1], ['a', '\u{1F600}']],
  [{ maxLength: 2 }, ['ab', '\u{1F600}\u{1F600}'], ['abc']],
  [letters, ['abc'], ['', 'aB']],
  [{ pattern: '(' }, [1], ['a', '(']],
  [{ minItems: 1 }, [[1], 'a'], [[]]],
  [{ maxItems: 1 }, [[], [1]], [[1, 2]]],
  [{ uniqueItems: true }, [[1, 2], []], [[1, 2, 1]]],
  [{ uniqueItems: false }, [[1, 1]], []],
  [
    { contains: letters },
    [
      ['a', 1],
      [1, 'b'],
    ],
    [[], [1]],
  ],
  [{ items: letters }, [[], ['a']], [['a', 1]]],
  [{ items: [letters, { type: 'number' }] }, [['a', 1], ['a'], ['a', 1, true]], [[1], ['a', 'b']]],
  [{ items: [letters], additionalItems: false }, [['a']], [['a', 1]]],
  [{ items: [letters], additionalItems: letters }, [['a', 'b']], [['a', 1]]],
  [{ minProperties: 1 }, [{ a: 1 }], [{}]],
  [{ maxProperties: 1 }, [{}, { a: 1 }], [{ a: 1, b: 2 }]],
  [{ required: ['a'] }, [{ a: 1 }, { a: null }], [{}, { b: 1 }]],
  [{ properties: { a: letters } }, [{}, { a: 'x' }, { b: 1 }], [{ a: 1 }]],
  [{ properties: { a: letters }, additionalProperties: false }, [{ a: 'x' }], [{ a: 'x', b: 1 }]],
  [{ properties: { a: letters }, additionalProperties: letters }, [{ a: 'x', b: 'y' }], [{ b: 1 }]],
  [{ title: 'a title', format: 'uri', default: 3, description: 'text' }, ['a', 1, null], []],
  [true, ['a', 1], []],
];

test.each(ROWS)('[POL-1] %j', (schema, fits, fails) => {
  for (const value of fits)
    expect({ value, says: schemaComplaints(value, schema, 'at') }).toEqual({ value, says: [] });
  for (const value of fails)
    expect({ value, says: schemaComplaints(value, schema, 'at') }).toMatchObject({
      says: [expect.anything()],
    });
});

test('[POL-1] what is wrong is said with its place, all of it at once', () => {
  const schema = {
    required: ['name'],
    properties: { sizes: { items: { type: 'number', exclusiveMaximum: 3 } }, kind: { enum: ['a', 'b'] } },
    additionalProperties: false,
  };
  expect(schemaComplaints({ sizes: [1, 'x', 3], kind: 'c', more: 1 }, schema, 'settings')).toEqual([
    'settings.name is required',
    'settings.sizes[1] must be of type number',
    'settings.sizes[2] must be less than 3',
    'settings.kind must be one of "a", "b"',
    'settings.more must not be there',
  ]);
});
