import { Scalar } from 'yaml';
import type { ScalarTag, Tags } from 'yaml';

/**
 * Characters that readers take for line breaks, drop or refuse when they stand there as they are: written as escapes in
 * double quotes.
 */
const ODD = /[\u0080-\u009f\u2028\u2029\ufeff]/g;

const NAMED: Readonly<Record<string, string>> = { '\u0085': '\\N', '\u2028': '\\L', '\u2029': '\\P' };

function escaped(char: string): string {
  const code = char.charCodeAt(0);
  const digits = code.toString(16).toUpperCase();
  return NAMED[char] ?? (code < 0x100 ? `\\x${digits}` : `\\u${digits.padStart(4, '0')}`);
}

/** The tags of a schema whose texts are written so that every reader reads them as they are. */
export function withOddTexts(tags: Tags): Tags {
  return tags.map((tag) => (typeof tag !== 'string' && tag.tag === TEXT ? textTag(tag as ScalarTag) : tag));
}

const TEXT = 'tag:yaml.org,2002:str';

function textTag(tag: ScalarTag): ScalarTag {
  const { stringify } = tag;
  if (stringify === undefined) return tag;
  return {
    ...tag,
    stringify: (item, ...rest) => {
      const text = String(item.value);
      if (text.search(ODD) < 0) return stringify(item, ...rest);
      const quoted = Object.assign(new Scalar(text), { type: Scalar.QUOTE_DOUBLE, comment: item.comment });
      return stringify(quoted, ...rest).replace(ODD, escaped);
    },
  };
}
