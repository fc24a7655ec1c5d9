import type { EngineEvent } from '@cairn/engine';
import { maskEvent, secretMask } from './mask-secrets.js';

describe('secrets of the configuration in messages', () => {
  test.each([
    ['every place it stands', ['s3cret'], 's3cret and s3cret', '[secret] and [secret]'],
    ['the longer of two that overlap', ['abc', 'abcdef'], 'abcdef abc', '[secret] [secret]'],
    ['a text with a line break at its end', ['s3cret\n'], 'is s3cret.', 'is [secret].'],
    ['no pattern, only the text', ['a.c$&'], 'abc a.c$&', 'abc [secret]'],
    ['a text in a JSON text', ['a "b"\\c def'], '{"x":"a \\"b\\"\\\\c def"}', '{"x":"[secret]"}'],
    ['a text in a URL', ['a/b c?d=e'], 'GET /a%2Fb%20c%3Fd%3De', 'GET /[secret]'],
    ['a text in base64', ['s3cret77'], 'Basic czNjcmV0Nzc=', 'Basic [secret]'],
    ['each line of a text', ['line one\nline two\nx'], 'line two: x line one', '[secret]: x [secret]'],
    ['not a text too short to tell', ['ab', 'xyz'], 'ab xyz', 'ab [secret]'],
  ])('masks %s', (_title, secrets, text, masked) => {
    expect(secretMask(secrets)?.(text)).toBe(masked);
  });

  test('nothing to look for: no mask', () => {
    expect(secretMask(['', 'ab'])).toBeUndefined();
  });

  test('in what the program writes and in every part of a diagnostic that others wrote', () => {
    const mask = secretMask(['s3cret']) as (text: string) => string;
    const written: EngineEvent = { t: 'program-output', stream: 'stdout', text: 'is s3cret' };
    expect(maskEvent(written, mask)).toEqual({ ...written, text: 'is [secret]' });
    const said: EngineEvent = {
      t: 'diagnostic',
      diagnostic: {
        severity: 'error',
        code: 'CAIRN-RESOURCE-FAILED',
        summary: 's3cret',
        causes: ['no s3cret'],
      },
      streamId: 0,
      ephemeral: false,
    };
    expect(maskEvent(said, mask)).toMatchObject({
      diagnostic: { summary: '[secret]', causes: ['no [secret]'] },
    });
  });
});
