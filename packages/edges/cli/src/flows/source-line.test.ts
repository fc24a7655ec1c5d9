import { withoutSecretLiterals } from './source-line.js';

test.each([
  ["pin: secret('hunter2'), other", 'pin: secret([secret]), other'],
  ['pin: pulumi.secret( "a\\"b" ),', 'pin: pulumi.secret([secret] ),'],
  ['new Thing("a", { pin: secret(98765432) });', 'new Thing("a", { pin: secret([secret]) });'],
  ['key: secret(`-----BEGIN', 'key: secret([secret]'],
  ["secret('one'), secret('two')", 'secret([secret]), secret([secret])'],
  ["secret(config.require('pin'))", "secret(config.require('pin'))"],
  ["name: 'my secret'", "name: 'my secret'"],
])('%s', (line, shown) => expect(withoutSecretLiterals(line)).toBe(shown));
