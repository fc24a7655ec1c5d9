/** Text shown in place of a secret. */
export const SECRET_TEXT = '[secret]';

/** Forms are found by their first characters. */
const HEAD = 3;
/** What stands before a value: the beginning of a line, a quotation mark, `=`, or a colon and a space. */
const BEFORE_VALUE = /(?:^|\n)[ \t]*$|["'`=]$|:[ \t]+$/;
/** What stands after one: the end of a line, a quotation mark, or what separates values. */
const AFTER_VALUE = /^(?:$|[\r\n"'`,;&])/;
/** No more is looked at on either side. */
const SIDE = 40;

/**
 * Texts to be masked, which may become more at any time. Masking costs what the text is long, however many texts there
 * are to look for: a position is looked at again only where the first three characters of some of them stand, once for
 * each length that those have.
 */
export class SecretIndex {
  /**
   * By head, then by length: the forms, and whether each is masked as a whole value only. Lengths are kept longest
   * first.
   */
  readonly #heads = new Map<string, { lengths: number[]; readonly forms: Map<string, boolean> }>();
  /** Whether any form begins with two characters like these; most positions are done with this look. */
  readonly #begun = new Uint8Array(1 << 16);

  /** Adds a text of at least three characters. `whole`: it is left alone where it is a word among others. */
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

  /** The text with `[secret]` where any of the texts stands; what overlaps becomes one. */
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

  /** Length of the longest form that stands there; 0: none does. */
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
