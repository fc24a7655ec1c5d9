import { visible } from '@cairn/diagnostics';
import type { World } from '../world.js';

export { visible, visibleName } from '@cairn/diagnostics';

/** The sequences of our own palette ({@link paintFor}): bold, dim, five colours, and their ends. */
const PALETTE = /(\u001b\[(?:1|2|22|31|32|33|35|36|39)m)/;

/** As {@link visible}, but for the colours that we set. */
export function visibleInColour(text: string): string {
  return text
    .split(PALETTE)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');
}

/**
 * The stream for a command's text: whatever state, providers or programs have put into it, it cannot steer the
 * terminal. Everything else about the stream is the same. JSON keeps its meaning.
 */
export function guarded<S extends World['stdout']>(stream: S, colour: boolean): S {
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

/** Where a value goes that a script may take: as it is, unless a person looks at it. */
export function valueStream(world: Pick<World, 'stdout' | 'raw'>): World['stdout'] {
  return world.stdout.isTTY === true ? world.stdout : world.raw.stdout;
}
