/**
 * Characters that steer a terminal or hide what is written: control characters but tab and line feed, marks that change
 * the direction of text, and characters without a width that are no part of a script or an emoji.
 */
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** Returns the text with each steering character as `\u202e`, which means the same in JSON. */
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
