import type { VNode } from 'preact';
import type { ConsoleResourceAnswer } from '@cairn/http-api';
import { nameOfResource } from '../../../src/model/resource-tree.js';
import { stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { setQuery } from '../../api/router.js';
import { Copy, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { Value } from '../../parts/value.js';
import { ResourceHistory } from './resource-history.js';
import { revealOf } from '../stack/reveal.js';
import { h } from '../../parts/h.js';

interface EntryProps {
  readonly name: StackName;
  readonly urn: string;
  /** Number of the version that is shown, or empty for the newest. */
  readonly version: string;
  readonly role: string;
}

/** Entry of one resource: what it is, its properties, and what it is connected with. */
export function ResourceEntry({ name, urn, version, role }: EntryProps): VNode {
  const search = new URLSearchParams({ urn, ...(version !== '' && { version }) });
  const { loaded } = useLoaded<ConsoleResourceAnswer>(stackCall(name, `/resource?${search}`));
  const { value, failure } = loaded.value;
  const { name: called, type } = nameOfResource(urn);
  return h('section', { class: 'entry', 'aria-label': `Resource ${called}` }, [
    h('div', { class: 'title-line' }, [
      h('h2', null, h(Name, { text: called })),
      h('button', { type: 'button', class: 'small', onClick: () => setQuery({ urn: '' }) }, 'Close'),
    ]),
    h('p', { class: 'quiet' }, h(Name, { text: type })),
    failure === undefined ? null : h(Failure, { failure, what: 'show the resource' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the resource' }) : null,
    ...(value?.entries ?? []).map((entry, index) =>
      h(Entry, { key: index, entry, name, urn, role: version === '' ? role : 'reader' }),
    ),
    value === undefined ? null : h(Links, { title: 'Needed by', urns: value.neededBy }),
    value === undefined ? null : h(ResourceHistory, { name, urn }),
  ]);
}

interface OneEntryProps {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly name: StackName;
  readonly urn: string;
  readonly role: string;
}

function Entry({ entry, name, urn, role }: OneEntryProps): VNode {
  const { id, inputs, outputs, dependencies, parent, provider, protect, created, modified } = entry;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const isOld = entry['delete'] === true;
  const reveal = (part: 'inputs' | 'outputs') => (isOld ? undefined : revealOf(name, urn, part, role));
  return h('div', null, [
    isOld ? h('p', { class: 'notice' }, 'This object was replaced and must still be deleted.') : null,
    h('dl', { class: 'members' }, [
      fact(
        'URN',
        h('span', { class: 'copied' }, [h(Name, { text: urn }), h(Copy, { text: urn, what: 'URN' })]),
      ),
      text(id) === ''
        ? null
        : fact(
            'Id',
            h('span', { class: 'copied' }, [
              h(Name, { text: text(id) }),
              h(Copy, { text: text(id), what: 'id' }),
            ]),
          ),
      text(parent) === '' ? null : fact('Parent', h(ResourceLink, { urn: text(parent) })),
      text(provider) === ''
        ? null
        : fact('Provider', h(ResourceLink, { urn: text(provider).replace(/::[^:]*$/, '') })),
      protect === true ? fact('Protected', 'yes: no operation deletes it') : null,
      text(created) === '' ? null : fact('Created', h(Time, { ms: Date.parse(text(created)) })),
      text(modified) === '' ? null : fact('Modified', h(Time, { ms: Date.parse(text(modified)) })),
    ]),
    h('h3', null, 'Inputs'),
    h(Value, { value: inputs ?? {}, path: [], reveal: reveal('inputs') }),
    h('h3', null, 'Outputs'),
    h(Value, { value: outputs ?? {}, path: [], reveal: reveal('outputs') }),
    h(Links, { title: 'Needs', urns: Array.isArray(dependencies) ? dependencies.map(String) : [] }),
  ]);
}

function fact(key: string, value: VNode | string): VNode {
  return h('div', { key }, [h('dt', null, key), h('dd', null, value)]);
}

function Links({ title, urns }: { readonly title: string; readonly urns: readonly string[] }): VNode | null {
  if (urns.length === 0) return null;
  return h('div', null, [
    h('h3', null, title),
    h(
      'ul',
      { class: 'plain-list' },
      urns.map((urn) => h('li', { key: urn }, h(ResourceLink, { urn }))),
    ),
  ]);
}

function ResourceLink({ urn }: { readonly urn: string }): VNode {
  const { name, type } = nameOfResource(urn);
  const to = new URL(location.href);
  to.searchParams.set('urn', urn);
  return h('a', { href: `${to.pathname}${to.search}` }, [
    h(Name, { text: name }),
    h('span', { class: 'quiet' }, [' ', h(Name, { text: type })]),
  ]);
}
