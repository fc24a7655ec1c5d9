import type { VNode } from 'preact';
import type { ConsoleCompareAnswer } from '@cairn/http-api';
import { nameOfResource } from '../../../src/model/resource-tree.js';
import { propertyPathText } from '../../../src/model/values.js';
import { stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { Failure, Name, Waiting } from '../../parts/basics.js';
import { Difference } from './difference.js';
import { h } from '../../parts/h.js';

/** Differences of two versions of a stack. */
export function Compare({
  name,
  from,
  to,
  other,
  plan,
}: {
  readonly name: StackName;
  readonly from: string;
  /** Empty for the newest. */
  readonly to: string;
  /** Stack of the second state, if it is another. */
  readonly other: string;
  /** Id of the preview whose result is the second state, if it is one. */
  readonly plan: string;
}): VNode {
  const query = new URLSearchParams({
    ...{ from, ...(to !== '' && { to }), ...(other !== '' && { with: other }) },
    ...(plan !== '' && { plan }),
  });
  const { loaded } = useLoaded<ConsoleCompareAnswer>(stackCall(name, `/compare?${query}`));
  const { value, failure } = loaded.value;
  return h('section', { 'aria-labelledby': 'compared' }, [
    h(
      'h2',
      { id: 'compared' },
      `From version ${from} to ${plan !== '' ? 'the preview' : other === '' ? `version ${to}` : other}`,
    ),
    failure === undefined ? null : h(Failure, { failure, what: 'compare the versions' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the two states' }) : null,
    value === undefined ? null : h(Result, { result: value }),
  ]);
}

function Result({ result }: { readonly result: ConsoleCompareAnswer }): VNode {
  const { added, gone, moved, changed, unchanged } = result;
  const counts = [
    `${added.length} added`,
    `${gone.length} gone`,
    `${changed.length} changed`,
    `${moved.length} moved`,
    `${unchanged} unchanged`,
  ];
  return h('div', { class: 'compare' }, [
    h('p', { role: 'status' }, counts.join(', ')),
    ...added.map(({ urn }) => line(urn, '+', 'added', 'create')),
    ...gone.map(({ urn }) => line(urn, '-', 'gone', 'delete')),
    ...moved.map((each) =>
      h('div', { key: `moved ${each.to}`, class: 'compared tone-update' }, [
        mark('>'),
        h(Name, { text: each.from }),
        ' moved to ',
        h(Name, { text: each.to }),
      ]),
    ),
    ...changed.map(({ urn, differences }) =>
      h('div', { key: `changed ${urn}` }, [
        line(urn, '~', 'changed', 'update'),
        h(
          'ul',
          { class: 'differences' },
          differences.map((each) => h(Difference, { key: propertyPathText(each.path), difference: each })),
        ),
      ]),
    ),
  ]);
}

function line(urn: string, sign: string, word: string, tone: string): VNode {
  const { name, type } = nameOfResource(urn);
  return h('div', { key: `${word} ${urn}`, class: `compared tone-${tone}` }, [
    mark(sign),
    h('strong', null, h(Name, { text: name })),
    h('span', { class: 'quiet' }, [' ', h(Name, { text: type })]),
    ` ${word}`,
  ]);
}

function mark(sign: string): VNode {
  return h('span', { class: 'mark', 'aria-hidden': true }, sign);
}
