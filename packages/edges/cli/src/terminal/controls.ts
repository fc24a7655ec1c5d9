import { visible } from '@cairn/diagnostics';
import type { CommandContext } from '../command-context.js';

export { visible, visibleName } from '@cairn/diagnostics';

/** Matches the sequences of Cairn's palette ({@link paintFor}): bold, dim, five colours, and their ends. */
const PALETTE = /(\u001b\[(?:1|2|22|31|32|33|35|36|39)m)/;

/** Like {@link visible}, but keeps Cairn's own colours. */
export function visibleInColour(text: string): string {
  return text
    .split(PALETTE)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');
}

/**
 * Returns the stream for a command's text. Text from state, providers or programs cannot control the terminal.
 * Everything else about the stream is the same, and JSON keeps its meaning.
 */
export function guarded<S extends CommandContext['stdout']>(stream: S, colour: boolean): S {
  const show = colour ? visibleInColour : visible;
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write')
        return (chunk: unknown, ...rest: []): boolean =>
          target.write(typeof chunk === 'string' ? show(chunk) : chunk, ...rest);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/** Returns the stream for a value that a script may read: unfiltered, unless it is a terminal. */
export function valueStream(context: Pick<CommandContext, 'stdout' | 'raw'>): CommandContext['stdout'] {
  return context.stdout.isTTY === true ? context.stdout : context.raw.stdout;
}
