import { needsQuotes, resolvePlainScalar } from './plain-scalar.js';

describe('unquoted scalars [CFG-6]', () => {
  test.each([
    ['', null],
    ['~', null],
    ['NULL', null],
    ['nUll', 'nUll'],
    ['true', true],
    ['False', false],
    ['yes', 'yes'],
    ['42', 42n],
    ['-7', -7n],
    ['+7', 7n],
    ['0', 0n],
    ['1_000', 1000n],
    ['0x1F', 31n],
    ['0o17', 15n],
    ['017', 15n],
    ['0b101', 5n],
    ['089', 89],
    ['9223372036854775807', 9223372036854775807n],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 18446744073709551616],
    ['3.14', 3.14],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['1.', 1],
    ['.inf', Infinity],
    ['-.Inf', -Infinity],
    ['.nan', NaN],
    ['1.2.3', '1.2.3'],
    ['-', '-'],
    ['us-east-1', 'us-east-1'],
    ['2001-01-01', '2001-01-01 00:00:00 +0000 UTC'],
    ['2001-1-2', '2001-01-02 00:00:00 +0000 UTC'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14 21:59:43.1 -0500 -0500'],
    ['2001-12-14T21:59:43Z', '2001-12-14 21:59:43 +0000 UTC'],
    ['2001-02-30', '2001-02-30'],
    ['2001-12-14T25:00:00Z', '2001-12-14T25:00:00Z'],
  ])('%j is %p', (text, value) => {
    expect(resolvePlainScalar(text)).toBe(value);
  });

  test.each([
    ['text', false],
    ['a: b', false],
    ['<<', true],
    ['', true],
    ['42', true],
    ['true', true],
    ['null', true],
    ['2001-01-01', true],
    ['1e5', true],
    ['yes', true],
    ['12:30', true],
    ['12:77', false],
  ])('%j needs quotes to be a text: %s', (text, expected) => {
    expect(needsQuotes(text)).toBe(expected);
  });
});
