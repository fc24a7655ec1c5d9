import type { World } from '../world.js';

/**
 * Characters that steer a terminal or hide what is written: control characters but tab and line feed, marks that change
 * the direction of text, and characters without a width that are no part of a script or an emoji.
 */
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** The sequences of our own palette ({@link paintFor}): bold, dim, five colours, and their ends. */
const PALETTE = /(\u001b\[(?:1|2|22|31|32|33|35|36|39)m)/;

/** The text with each steering character as `\u202e`, which means the same in JSON. */
export function visible(text: string): string {
  return text.replace(STEERING, (found) => escaped(found));
}

/** As {@link visible}, for a name within a line: it cannot begin another one. */
export function visibleName(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function escaped(found: string): string {
  let text = '';
  for (let at = 0; at < found.length; at++)
    text += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}

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
