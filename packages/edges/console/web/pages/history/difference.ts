import type { VNode } from 'preact';
import { visible } from '@cairn/diagnostics';
import type { ConsoleDifference } from '@cairn/http-api';
import { shortenText } from '../../../src/model/texts.js';
import { lineOfValue, propertyPathText } from '../../../src/model/values.js';
import { h } from '../../parts/h.js';

/** Difference of one property, with both sides. */
export function Difference({
  difference: { path, ...sides },
}: {
  readonly difference: ConsoleDifference;
}): VNode {
  const shown = (value: unknown): VNode => {
    const { text, left } = shortenText(lineOfValue(value), 500);
    return h('code', null, [h('bdi', null, visible(text)), left > 0 ? ` … ${left} more characters` : '']);
  };
  return h('li', null, [
    h('code', { class: 'path' }, visible(shortenText(propertyPathText(path), 300).text)),
    ' ',
    'from' in sides ? h('del', null, shown(sides.from)) : h('span', { class: 'quiet' }, 'absent'),
    ' → ',
    'to' in sides ? h('ins', null, shown(sides.to)) : h('span', { class: 'quiet' }, 'absent'),
  ]);
}
