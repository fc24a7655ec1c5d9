import { LineCounter, parseDocument, Scalar } from 'yaml';
import type { Document, YAMLError, ScalarTag, Tags } from 'yaml';
import type { FileProblems } from './file-problems.js';
import { nestingBound } from './nesting.js';
import { TreeBuilder } from './yaml-tree.js';
import type { YamlNode } from './yaml-tree.js';

/**
 * A parsed file: the document, which keeps comments and order for rewriting, and its data. `root` is undefined for an
 * empty file. `dataOf` reads any node of the document in its current state.
 */
export interface ParsedYaml {
  readonly document: Document;
  readonly root: YamlNode | undefined;
  readonly dataOf: (node: unknown) => YamlNode;
}

const MAX_LENGTH = 16 * 1024 * 1024;
/** Limit far above any real file, and far below the stack limit of a parser that recurses. */
const MAX_NESTING = 500;
const START = { line: 1, column: 1 };
const SHOW_AT_MOST = 10;
const TOO_DEEP = 'it is nested too deep';

/**
 * Parses YAML, and JSON as a part of it. Reports failures to `problems`, with line and column. These are syntax errors,
 * tabs as indentation, duplicate keys, several documents, aliases that multiply without bound, and nesting too deep to
 * read.
 */
export function parseYaml(text: string, problems: FileProblems): ParsedYaml {
  if (text.length > MAX_LENGTH) problems.fail(START, 'it is larger than 16 MiB');
  if (nestingBound(text) > MAX_NESTING) problems.fail(START, TOO_DEEP);
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      customTags: withOddTexts,
      lineCounter: lines,
      prettyErrors: true,
      // The tree builder checks for duplicates: the parser compares every key of a map with every other.
      uniqueKeys: false,
      strict: true,
    });
    if (document.errors.some((error) => error.message.startsWith('Maximum call stack')))
      problems.fail(START, TOO_DEEP);
    for (const error of apart(document.errors).slice(0, SHOW_AT_MOST))
      problems.addSyntax(placeOf(error), problemText(error), hintFor(error.code));
    problems.check();
    const dataOf = (node: unknown): YamlNode => new TreeBuilder(document, lines, problems).build(node);
    const empty = document.contents === null || text.trim() === '';
    const root = empty ? undefined : dataOf(document.contents);
    problems.check();
    return { document, root, dataOf };
  } catch (thrown) {
    if (thrown instanceof RangeError) return problems.fail(START, TOO_DEEP);
    throw thrown;
  }
}

/** Returns the parser's sentence without the excerpt and the place, which the diagnostic has in `source`. */
function problemText({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'it has more than one document';
  const [line = message] = message.split('\n');
  return line.replace(/ at line \d+, column \d+:?$/, '');
}

function placeOf({ linePos }: YAMLError): { readonly line: number; readonly column: number } {
  const [from] = linePos ?? [{ line: 1, col: 1 }];
  return { line: from.line, column: from.col };
}

/** Keeps one error for each place. An error about something missing precedes the wrong indentation that it causes. */
function apart(errors: readonly YAMLError[]): readonly YAMLError[] {
  const key = (error: YAMLError): string => JSON.stringify(placeOf(error));
  return errors.filter((error) => {
    const same = errors.filter((each) => key(each) === key(error));
    return error === (same.find(({ code }) => code !== 'BAD_INDENT') ?? same[0]);
  });
}

const HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Indent the line like the lines around it.',
  MULTIPLE_DOCS: 'Keep one document; remove the --- line.',
  MISSING_CHAR: 'Add the character that is missing, or put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text that contains a colon in quotes.',
};

function hintFor(code: string): string {
  return HINTS[code] ?? 'Correct this line; a text with special characters needs quotes.';
}

/**
 * Characters that readers treat as line breaks, drop or refuse if they occur literally. They are written as escapes in
 * double quotes.
 */
const ODD = /[\u0080-\u009f\u2028\u2029\ufeff]/g;

const NAMED: Readonly<Record<string, string>> = { '\u0085': '\\N', '\u2028': '\\L', '\u2029': '\\P' };

function escaped(char: string): string {
  const code = char.charCodeAt(0);
  const digits = code.toString(16).toUpperCase();
  return NAMED[char] ?? (code < 0x100 ? `\\x${digits}` : `\\u${digits.padStart(4, '0')}`);
}

/** Returns the tags of a schema whose texts are written so that every reader reads them unchanged. */
function withOddTexts(tags: Tags): Tags {
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
