import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ConsoleResourceHistoryAnswer } from '@cairn/http-api';
import { propertyPathText } from '../../../src/model/values.js';
import { stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { stackAddress } from '../../api/router.js';
import { Badge, Failure, Time, Waiting } from '../../parts/basics.js';
import { Difference } from '../history/difference.js';
import { h } from '../../parts/h.js';

const TONES = { created: 'create', deleted: 'delete', changed: 'update', unknown: 'same' } as const;

/** Versions that changed a resource. They are read on request, because each of them reads a state. */
export function ResourceHistory({ name, urn }: { readonly name: StackName; readonly urn: string }): VNode {
  const page = useSignal(0);
  const path = stackCall(name, `/resource/history?${new URLSearchParams({ urn, page: String(page.value) })}`);
  const { loaded } = useLoaded<ConsoleResourceHistoryAnswer>(page.value === 0 ? undefined : path);
  const { value, failure } = loaded.value;
  const isAsked = page.value > 0;
  return h('section', { 'aria-label': 'History of the resource' }, [
    h('h3', null, 'History'),
    failure === undefined ? null : h(Failure, { failure, what: 'read the history of the resource' }),
    isAsked && value === undefined && failure === undefined ? h(Waiting, { what: 'its versions' }) : null,
    value?.versions.length === 0
      ? h('p', { class: 'quiet' }, `None of ${value.looked} versions changed it.`)
      : null,
    h(
      'ul',
      { class: 'plain-list' },
      (value?.versions ?? []).map((version) => h(Version, { key: version.version, name, version })),
    ),
    h('div', { class: 'actions' }, [
      isAsked ? null : h('button', { type: 'button', onClick: () => (page.value = 1) }, 'Show its history'),
      page.value > 1
        ? h('button', { type: 'button', onClick: () => (page.value -= 1) }, 'Newer versions')
        : null,
      value?.more === true
        ? h('button', { type: 'button', onClick: () => (page.value += 1) }, 'Older versions')
        : null,
    ]),
  ]);
}

function Version({
  name,
  version: { version, kind, at, what, differences },
}: {
  readonly name: StackName;
  readonly version: ConsoleResourceHistoryAnswer['versions'][number];
}): VNode {
  const compared = `${stackAddress(name, 'history')}?${new URLSearchParams({ from: String(version - 1), to: String(version) })}`;
  return h('li', null, [
    h(Badge, { tone: TONES[what], text: what === 'unknown' ? 'not kept' : what }),
    ' ',
    version > 1 ? h('a', { href: compared }, `version ${version}`) : `version ${version}`,
    ` by ${kind}, `,
    h(Time, { ms: at * 1000 }),
    differences.length === 0
      ? null
      : h(
          'ul',
          { class: 'differences' },
          differences
            .slice(0, 100)
            .map((each) => h(Difference, { key: propertyPathText(each.path), difference: each })),
        ),
  ]);
}
