import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Parses the words of a tool, as `parseArgs` of Node does. `url` is the `import.meta.url` of the tool. With `--help`
 * the process prints the comment at the head of the file and the options, and ends with 0. Wrong words end it with a
 * line and 2.
 *
 * The result also has `number(name)`, the whole number that an option has or `undefined`, and `refuse(message)`, which
 * ends the process in the same way.
 */
export function toolOptions(url, { options = {}, ...rest } = {}) {
  const refuse = (message) => usageError(url, message);
  const config = { options: { ...options, help: { type: 'boolean', short: 'h' } }, ...rest };
  const { values, positionals } = parsedWords(config, refuse);
  if (values.help === true) {
    console.log([headComment(url), ...Object.entries(options).map(optionLine)].join('\n'));
    process.exit(0);
  }
  const number = (name) => {
    const text = values[name];
    if (text !== undefined && !/^\d+$/.test(text)) refuse(`--${name} needs a whole number, not ${text}`);
    return text === undefined ? undefined : Number(text);
  };
  return { values, positionals, number, refuse };
}

function parsedWords(config, refuse) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = error.message.split(/\. (?=[A-Z])|\n/);
    return refuse(sentence.charAt(0).toLowerCase() + sentence.slice(1));
  }
}

function usageError(url, message) {
  const file = fileURLToPath(url);
  const { name } = path.parse(file);
  console.error(`${name === 'index' ? path.basename(path.dirname(file)) : name}: ${message}; see --help`);
  process.exit(2);
}

/** Returns the text of the comment with which the file begins, without its marks. */
function headComment(url) {
  const code = readFileSync(fileURLToPath(url), 'utf8').replace(/^#!.*\n/, '');
  const comment = /^(?:\/\*\*\n[^]*?\*\/|(?:\/\/.*\n)+)/.exec(code)?.[0] ?? '';
  const lines = comment.split('\n').map((line) => line.replace(/^(?:\/\*\*|\/\/| \*\/| \*) ?/, ''));
  return `${lines.join('\n').trim()}\n`;
}

function optionLine([name, { type, default: value, multiple = false }]) {
  const word = `  --${name}${type === 'string' ? ' VALUE' : ''}${multiple ? ' …' : ''}`;
  return value === undefined || value === false || value.length === 0 ? word : `${word} (default: ${value})`;
}
