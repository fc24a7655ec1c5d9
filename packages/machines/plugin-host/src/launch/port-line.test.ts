import fc from 'fast-check';
import { readPortLine } from './port-line.js';

test.each([
  ['12345\n', { t: 'port', port: 12345, rest: '' }],
  ['  12345 \r\nmore', { t: 'port', port: 12345, rest: 'more' }],
  ['\u001b]9;4;3;\u001b\\12345\u001b]9;4;0;\u001b\\\n', { t: 'port', port: 12345, rest: '' }],
  ['1\n', { t: 'port', port: 1, rest: '' }],
  ['65535\n', { t: 'port', port: 65535, rest: '' }],
  ['123', { t: 'incomplete', text: '123' }],
  ['', { t: 'incomplete', text: '' }],
  ['0\n', { t: 'junk', line: '0' }],
  ['65536\n', { t: 'junk', line: '65536' }],
  ['-1\n', { t: 'junk', line: '-1' }],
  ['12345 6\n', { t: 'junk', line: '12345 6' }],
  ['port 12345\n', { t: 'junk', line: 'port 12345' }],
  ['\n12345\n', { t: 'junk', line: '' }],
  ['x'.repeat(5000), { t: 'junk', line: 'x'.repeat(200) }],
])('%j', (output, expected) => expect(readPortLine(output)).toEqual(expected));

test('every port is read, however the output is cut into pieces', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 65_535 }), fc.string(), (port, rest) => {
      const output = `${port}\n${rest}`;
      let head = '';
      for (const [index, character] of [...output].entries()) {
        const line = readPortLine(head + character);
        if (line.t === 'port') {
          expect([line.port, line.rest + [...output].slice(index + 1).join('')]).toEqual([port, rest]);
          return;
        }
        expect(line.t).toBe('incomplete');
        head += character;
      }
      throw new Error('the line was never complete');
    }),
  );
});
