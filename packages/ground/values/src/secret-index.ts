/** Text shown in place of a secret. */
export const SECRET_TEXT = '[secret]';

/** Number of first characters by which forms are found. */
const HEAD = 3;
/** Matches the text before a value: the beginning of a line, a quotation mark, `=`, or a colon and a space. */
const BEFORE_VALUE = /(?:^|\n)[ \t]*$|["'`=]$|:[ \t]+$/;
/** Matches the text after a value: the end of a line, a quotation mark, or a separator of values. */
const AFTER_VALUE = /^(?:$|[\r\n"'`,;&])/;
/** Number of characters examined before a form. */
const SIDE = 40;

/**
 * Index of texts to mask. Texts may be added at any time. The cost of masking depends on the length of the text only,
 * not on the number of indexed texts. A position is examined further only if it has the first three characters of some
 * of them, once for each of their lengths.
 */
export class SecretIndex {
  /**
   * Forms by head, then by length. The value is true if the form is masked only as a whole value. Lengths are sorted,
   * longest first.
   */
  readonly #heads = new Map<string, { lengths: number[]; readonly forms: Map<string, boolean> }>();
  /** Non-zero if a form may begin with two characters of this hash. Most positions need only this lookup. */
  readonly #begun = new Uint8Array(1 << 16);

  /** Adds a text of at least three characters. `whole`: leave it alone where it is a word among others. */
  add(form: string, whole: boolean): void {
    if (form.length < HEAD) return;
    const head = form.slice(0, HEAD);
    let known = this.#heads.get(head);
    if (known === undefined) {
      known = { lengths: [], forms: new Map() };
      this.#heads.set(head, known);
      this.#begun[slotOf(form, 0)] = 1;
    }
    if (known.forms.get(form) === false) return;
    known.forms.set(form, whole);
    if (known.lengths.includes(form.length)) return;
    known.lengths.push(form.length);
    known.lengths.sort((a, b) => b - a);
  }

  /** Returns the text with `[secret]` in place of each indexed text. Overlapping matches become one. */
  readonly mask = (text: string): string => {
    if (this.#heads.size === 0) return text;
    const parts: string[] = [];
    let [from, start, end] = [0, -1, -1];
    const close = (): void => {
      if (start < 0) return;
      parts.push(text.slice(from, start), SECRET_TEXT);
      from = end;
    };
    for (let at = 0; at + HEAD <= text.length; at++) {
      const length = this.#begun[slotOf(text, at)] === 1 ? this.#lengthAt(text, at) : 0;
      if (length === 0) continue;
      if (at >= end) {
        close();
        start = at;
      }
      end = Math.max(end, at + length);
    }
    close();
    return parts.length === 0 ? text : parts.join('') + text.slice(from);
  };

  /** Returns the length of the longest form at this position, or 0 if there is none. */
  #lengthAt(text: string, at: number): number {
    const known = this.#heads.get(text.slice(at, at + HEAD));
    for (const length of known?.lengths ?? []) {
      if (at + length > text.length) continue;
      const whole = known?.forms.get(text.slice(at, at + length));
      if (whole === undefined) continue;
      if (!whole || isValue(text, at, at + length)) return length;
    }
    return 0;
  }
}

function slotOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & 0xffff;
}

function isValue(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - SIDE), start);
  const first = start > SIDE ? `.${before}` : before;
  return BEFORE_VALUE.test(first) && AFTER_VALUE.test(text.slice(end, end + 1));
}
