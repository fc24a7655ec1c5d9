import fc from 'fast-check';
import { SecretIndex } from './secret-index.js';

describe('the index', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), minLength: 3, maxLength: 6 });

  test('nothing of what it looks for is left, and the rest stays as it is', () => {
    fc.assert(
      fc.property(
        fc.array(few, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', '%'), maxLength: 40 }),
        (forms, text) => {
          const index = new SecretIndex();
          for (const form of forms) index.add(form, false);
          const hidden = Array.from({ length: text.length }, (_, at) =>
            forms.some((form) =>
              Array.from({ length: form.length }, (_unused, back) => at - back).some(
                (start) => start >= 0 && text.startsWith(form, start),
              ),
            ),
          );
          const left = [...text].filter((_, at) => hidden[at] !== true).join('');
          expect(index.mask(text).replaceAll('[secret]', '')).toBe(left);
        },
      ),
    );
  });

  test('a text costs the same with ten thousand more to look for: no look at any of them', () => {
    const index = new SecretIndex();
    for (let n = 0; n < 10_000; n++) index.add(`secret-${n}-value`, false);
    const looked: string[] = [];
    const has = jest.spyOn(Map.prototype, 'get').mockImplementation(function (
      this: Map<unknown, unknown>,
      key,
    ) {
      looked.push(String(key));
      let found: unknown;
      this.forEach((value, known) => {
        if (known === key) found = value;
      });
      return found;
    });
    try {
      expect(index.mask(`a line about nothing in particular, and secret-77-value`)).toBe(
        'a line about nothing in particular, and [secret]',
      );
    } finally {
      has.mockRestore();
    }
    expect(looked.length).toBeLessThan(20);
  });
});
