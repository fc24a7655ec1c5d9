import { EXIT, cairnError } from '@cairn/diagnostics';
import { goJson } from '@cairn/state';
import { SECRET_TEXT, getProperty, isSecret, kindOf } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { valueText } from '../display/value-text.js';
import { plainJson } from '@cairn/operations/stacks';
import { stackOutputs } from '@cairn/operations/stacks';
import { valueStream } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { warnOfSecrets } from '../terminal/tell.js';

export const run: Command<Switches<'json' | 'shell' | 'showSecrets'>> = async ({ args, flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    if (flags.json && flags.shell)
      throw cairnError('CAIRN-USAGE', '--json and --shell cannot be given together');
    const show = flags.showSecrets;
    if (show) warnOfSecrets(context);
    const outputs = await stackOutputs(stack, show);
    const [name] = args;
    if (name !== undefined) printOne(context, outputs, name, formOf(flags), show);
    else if (flags.json) printJson(context, plainJson(outputs, show));
    else if (flags.shell) printShell(context, outputs, show);
    else printAll(context, outputs, show);
    return EXIT.ok;
  });

type Form = 'bare' | 'json' | 'shell';

function formOf(flags: Switches<'json' | 'shell'>): Form {
  if (flags.json) return 'json';
  return flags.shell ? 'shell' : 'bare';
}

function printOne(
  context: CommandContext,
  outputs: PropertyMap,
  name: string,
  form: Form,
  show: boolean,
): void {
  const value = getProperty(outputs, name);
  if (value === undefined) {
    throw cairnError('CAIRN-USAGE', `the stack has no output ${JSON.stringify(name)}`, {
      hint: `It has ${Object.keys(outputs).sort().join(', ') || 'none'}.`,
    });
  }
  if (form === 'json') printJson(context, plainJson(value, show));
  else if (form === 'shell') valueStream(context).write(shellLine(name, value, show));
  else valueStream(context).write(`${bareText(value, show)}\n`);
}

/** Returns a text unchanged, anything else as compact JSON. */
function bareText(value: PropertyValue, show: boolean): string {
  const open = show && isSecret(value) ? value.value : value;
  if (isSecret(open)) return SECRET_TEXT;
  return kindOf(open) === 'string' ? (open as string) : goJson(plainJson(open, show));
}

function printShell(context: CommandContext, outputs: PropertyMap, show: boolean): void {
  for (const key of Object.keys(outputs).sort()) {
    valueStream(context).write(shellLine(key, outputs[key] as PropertyValue, show));
  }
}

/** Returns `name='value'`. Characters that a shell's name may not contain become underscores. */
function shellLine(key: string, value: PropertyValue, show: boolean): string {
  const name = key.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
  return `${name}='${bareText(value, show).replaceAll("'", `'\\''`)}'\n`;
}

function printAll(context: CommandContext, outputs: PropertyMap, show: boolean): void {
  const keys = Object.keys(outputs).sort();
  const width = Math.max(6, ...keys.map((key) => key.length));
  context.stdout.write(`${'OUTPUT'.padEnd(width)}  VALUE\n`);
  for (const key of keys) {
    const value = outputs[key] as PropertyValue;
    const text = kindOf(value) === 'string' ? (value as string) : valueText(value, show);
    context.stdout.write(`${key.padEnd(width)}  ${text}\n`);
  }
}
