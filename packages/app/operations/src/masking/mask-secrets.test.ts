import { base64Crypter } from '@cairn/crypters';
import type { EngineEvent, EngineResult } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import { Asset, OutputValue, UNKNOWN, propertyMap, secret } from '@cairn/values';
import { SecretMask, maskEvent, maskResult } from './mask-secrets.js';

function maskOf(...configured: string[]): (text: string) => string {
  const secrets = new SecretMask();
  secrets.configured(configured);
  return secrets.mask;
}

describe('secrets of the configuration in messages', () => {
  test.each([
    ['every place it stands', ['s3cret'], 's3cret and s3cret', '[secret] and [secret]'],
    ['the longer of two that overlap', ['ab1', 'ab1def'], 'ab1def ab1', '[secret] [secret]'],
    ['both of two that overlap', ['abc1', 'c1ef'], '-abc1ef-', '-[secret]-'],
    ['one after the other', ['ab1', 'de2'], 'ab1de2', '[secret][secret]'],
    ['a text with a line break at its end', ['s3cret\n'], 'is s3cret.', 'is [secret].'],
    ['no pattern, only the text', ['a.c$&'], 'abc a.c$&', 'abc [secret]'],
    ['a text in a JSON text', ['a "b"\\c def'], '{"x":"a \\"b\\"\\\\c def"}', '{"x":"[secret]"}'],
    ['a text in a URL', ['a/b c?d=e'], 'GET /a%2Fb%20c%3Fd%3De', 'GET /[secret]'],
    ['a text in base64', ['s3cret77'], 'Basic czNjcmV0Nzc=', 'Basic [secret]'],
    ['each line of a text', ['line one\nline two\nx'], 'line two: x line one', '[secret]: x [secret]'],
    ['not a text too short to tell', ['ab', 'x1z'], 'ab x1z', 'ab [secret]'],
    ['inside a word too', ['x1z'], 'ax1zb', 'a[secret]b'],
    ['a few letters as a line', ['table'], 'is:\n  table\nno more', 'is:\n  [secret]\nno more'],
    ['a few letters in quotes', ['table'], `a "table", 'table'`, `a "[secret]", '[secret]'`],
    [
      'a few letters as a value',
      ['table'],
      'a=table&b=table; c: table',
      'a=[secret]&b=[secret]; c: [secret]',
    ],
    [
      'no word',
      ['table'],
      'create table tables, suitable: a table here',
      'create table tables, suitable: a table here',
    ],
    ['eight letters everywhere', ['tableaux'], 'mytableauxs', 'my[secret]s'],
    ['nothing', [], 'text', 'text'],
    ['half a character', ['\ud800secret'], 'a \ud800secret', 'a [secret]'],
  ])('masks %s', (_title, secrets, text, masked) => {
    expect(maskOf(...secrets)(text)).toBe(masked);
  });

  test('in what the program writes and in every part of a diagnostic that others wrote', () => {
    const mask = maskOf('s3cret');
    const written: EngineEvent = { t: 'program-output', stream: 'stdout', text: 'is s3cret' };
    expect(maskEvent(written, mask)).toEqual({ ...written, text: 'is [secret]' });
    const diagnostic = {
      severity: 'error',
      code: 'CAIRN-RESOURCE-FAILED',
      ...{ summary: 's3cret', causes: ['no s3cret'], hint: 'try s3cret' },
    } as const;
    const masked = { summary: '[secret]', causes: ['no [secret]'], hint: 'try [secret]' };
    const said: EngineEvent = { t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false };
    expect(maskEvent(said, mask)).toMatchObject({ diagnostic: masked });
    const result = {
      diagnostics: [diagnostic],
      inDoubt: [{ cause: 'its s3cret' }],
      waiting: [{ why: 's3cret' }],
    } as unknown as EngineResult;
    expect(maskResult(result, mask)).toMatchObject({
      diagnostics: [masked],
      inDoubt: [{ cause: 'its [secret]' }],
      waiting: [{ why: '[secret]' }],
    });
  });

  test('in the errors that an entry keeps, and nowhere else in a step', () => {
    const base = { urn: 'urn:pulumi:dev::shop::a:b:C::n' as never, type: 'a:b:C', custom: true };
    const failed = resourceEntry({ ...base, inputs: { a: 's3cret' }, initErrors: ['s3cret!'] });
    const whole = resourceEntry({ ...base, inputs: { a: 's3cret' } });
    const event = (entry: typeof whole): EngineEvent =>
      ({ t: 'step-ended', step: { kind: 'create', old: undefined, new: entry } }) as never;
    expect(maskEvent(event(failed), maskOf('s3cret'))).toEqual(
      event({ ...failed, initErrors: ['[secret]!'] }),
    );
    const untouched = event(whole);
    expect(maskEvent(untouched, maskOf('s3cret'))).toBe(untouched);
  });
});

describe('secrets that become known on the way', () => {
  const known = (): SecretMask => {
    const secrets = new SecretMask();
    secrets.properties(
      propertyMap({
        open: 'visible',
        password: secret('hunter2'),
        deep: [{ in: secret({ user: 'admin', port: 54321, on: true, key: ['k-1234', 'abc', UNKNOWN] }) }],
        output: new OutputValue({ token: 'tok-en' }, true, []),
        plain: new OutputValue('shown-value', false, []),
        file: secret(new Asset({ text: 'file text' })),
        words: secret(['true', 'null', '8080', '-1.5', '123456']),
        pin: secret(98765432),
        gate: secret(4711),
      }),
    );
    return secrets;
  };

  test.each([
    ['a text', 'with hunter2?', 'with [secret]?'],
    ['inside a word, when it is none itself', 'xhunter2x', 'x[secret]x'],
    ['what lies deep in it', 'key k-1234', 'key [secret]'],
    ['a short word that is a value', 'user: admin', 'user: [secret]'],
    ['no word of a message', 'the admin of admin@db', 'the admin of admin@db'],
    ['no short word inside another', 'administrator', 'administrator'],
    ['no short text', 'abc', 'abc'],
    ['no numbers or booleans', '54321 true 8080 null -1.5', '54321 true 8080 null -1.5'],
    ['digits that are many', 'pin 123456', 'pin [secret]'],
    ['a number', 'cannot open: pin=98765432', 'cannot open: pin=[secret]'],
    ['a short number that is a value', 'gate=4711, port 4711', 'gate=[secret], port 4711'],
    ['an output', 'tok-en', '[secret]'],
    ['the text of an asset', 'file text', '[secret]'],
    ['what is no secret', 'visible shown-value', 'visible shown-value'],
  ])('%s', (_title, text, masked) => expect(known().mask(text)).toBe(masked));

  test('what a crypter opens or seals: JSON texts of values, plain texts of the configuration', () => {
    const secrets = new SecretMask();
    const crypter = secrets.hearing(base64Crypter);
    expect(crypter.decrypt(base64Crypter.encrypt('{"a":["opened"]}'))).toBe('{"a":["opened"]}');
    expect(base64Crypter.decrypt(crypter.encrypt('"sealed"'))).toBe('"sealed"');
    crypter.encrypt('raw {text');
    expect(crypter.decrypt(base64Crypter.encrypt('98765432'))).toBe('98765432');
    expect(secrets.mask('pin98765432')).toBe('pin[secret]');
    expect(secrets.mask('"opened", "sealed", raw {text')).toBe('"[secret]", "[secret]", [secret]');
  });
});
