import { SECRET_TEXT, isEmptyMap, kindOf } from '@cairn/values';
import type {
  Archive,
  Asset,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';
import { visible } from '../terminal/controls.js';
import type { Paint } from '../terminal/paint.js';

/** Replaces a value that is not known yet [CLI-13]. */
const UNKNOWN_TEXT = 'output<string>';

const LONGEST = 240;

/**
 * Formats a value for people: JSON-like, several lines if it has parts, secrets masked unless requested. `indent` is in
 * spaces. With `full`, long texts are not shortened.
 */
export function valueText(value: PropertyValue, showSecrets: boolean, indent = 0, full = false): string {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
    case 'boolean':
      return String(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'string':
      return stringText(value as string, indent, full);
    case 'unknown':
      return UNKNOWN_TEXT;
    case 'secret':
      return showSecrets ? valueText((value as Secret).value, true, indent, full) : SECRET_TEXT;
    case 'output': {
      const output = value as OutputValue;
      if (output.secret && !showSecrets) return SECRET_TEXT;
      return output.value === undefined ? UNKNOWN_TEXT : valueText(output.value, showSecrets, indent, full);
    }
    case 'array':
      return block(
        '[',
        ']',
        (value as PropertyArray).map((item) => valueText(item, showSecrets, indent + 2, full)),
        indent,
      );
    case 'object':
      return block(
        '{',
        '}',
        Object.keys(value as PropertyMap).map((key) =>
          propertyText(value as PropertyMap, key, showSecrets, indent, full),
        ),
        indent,
      );
    case 'asset':
      return `asset(${sourceText(value as Asset)})`;
    case 'archive':
      return `archive(${sourceText(value as Archive)})`;
    case 'reference':
      return `reference(${(value as ResourceReference).urn})`;
    case 'bytes':
      return '<bytes>';
  }
}

function propertyText(
  map: PropertyMap,
  key: string,
  showSecrets: boolean,
  indent: number,
  full: boolean,
): string {
  return `${keyText(key)}: ${valueText(map[key] as PropertyValue, showSecrets, indent + 2, full)}`;
}

/** Formats a property name in front of its value. */
export function keyText(key: string): string {
  return /^[\w$.-]+$/.test(key) ? key : visible(JSON.stringify(key));
}

function block(open: string, close: string, parts: readonly string[], indent: number): string {
  if (parts.length === 0) return `${open}${close}`;
  const margin = ' '.repeat(indent + 2);
  return `${open}\n${parts.map((part) => margin + part).join('\n')}\n${' '.repeat(indent)}${close}`;
}

function sourceText(source: Asset | Archive): string {
  const hash = source.hash === undefined ? undefined : source.hash.slice(0, 8);
  const place = source.path ?? source.uri;
  if (place === undefined) return hash ?? 'contents';
  return [JSON.stringify(place), ...(hash === undefined ? [] : [hash])].join(' ');
}

/** Maximum number of shown lines of a text. */
const MOST_LINES = 6;

/** Formats a text; one of three or more lines is shown as lines. Omitted lines are counted. */
function stringText(text: string, indent: number, full: boolean): string {
  const shorten = full ? (shown: string): string => shown : shortened;
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  if (lines.length < 3) return shorten(visible(JSON.stringify(text)));
  const margin = ' '.repeat(indent + 2);
  const most = !full && lines.length > MOST_LINES + 1 ? MOST_LINES : lines.length;
  const shown = lines.slice(0, most).map((line) => `${margin}${shorten(visible(line))}`.trimEnd());
  const left = lines.length - most;
  if (left > 0) shown.push(`${margin}(${left} more lines)`);
  return `${lines.length} lines\n${shown.join('\n')}`;
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}

/** Returns the outputs of the stack, one on each line, with aligned names. */
export function outputLines(
  outputs: PropertyMap,
  showSecrets: boolean,
  paint: Paint,
  full = false,
): readonly string[] {
  if (isEmptyMap(outputs)) return [];
  const keys = Object.keys(outputs).sort();
  const width = Math.max(...keys.map((key) => keyText(key).length));
  return [
    paint.bold('Outputs:'),
    ...keys.map(
      (key) =>
        `    ${keyText(key).padEnd(width)}: ${valueText(outputs[key] as PropertyValue, showSecrets, 4, full)}`,
    ),
    '',
  ];
}
