import type { VNode } from 'preact';
import type { ConsoleStackAnswer } from '@cairn/http-api';
import { stackAddress } from '../../api/router.js';
import { Badge, Command, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { Value } from '../../parts/value.js';
import { ChangeList } from './change-list.js';
import { Holders } from './holders.js';
import { Tags } from './tags.js';
import { rootReveal } from './reveal.js';
import type { StackPageProps } from './stack-page.js';
import { h } from '../../parts/h.js';

/** Overview of a stack: what runs, what it gives, with which settings. */
export function StackOverview({
  name,
  loaded,
  reload,
}: StackPageProps & { readonly reload: () => void }): VNode {
  useTitle(`${name.project}/${name.stack}`);
  const { value, failure } = loaded;
  return h('div', null, [
    h(StackHead, { name, page: '', doubts: value?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'show the stack' }),
    value === undefined ? h(Waiting, { what: 'the stack' }) : h(Facts, { name, stack: value, reload }),
  ]);
}

function Facts({
  name,
  stack,
  reload,
}: {
  readonly reload: () => void;
  readonly name: StackPageProps['name'];
  readonly stack: ConsoleStackAnswer;
}): VNode {
  const { running, doubts, integrity, changes, config, tags } = stack;
  const newest = changes[0];
  return h('div', { class: 'columns' }, [
    h('div', null, [
      integrity === undefined
        ? null
        : h('div', { class: 'failure' }, [
            h('strong', null, 'The state fails its integrity check'),
            h('p', null, integrity),
            h(Command, { text: `cairn state repair --stack ${stack.org}/${stack.project}/${stack.stack}` }),
          ]),
      running === undefined
        ? null
        : h('div', { class: 'notice' }, [
            h(Badge, { tone: 'update', text: 'running' }),
            ` ${running.kind} by `,
            h(Name, { text: running.by }),
            ', begun ',
            h(Time, { ms: running.since * 1000 }),
            newest?.running === true
              ? h('a', { href: stackAddress(name, `changes/${newest.number}`) }, 'Watch it')
              : null,
          ]),
      doubts.length === 0
        ? null
        : h('div', { class: 'notice doubt' }, [
            h(Badge, { tone: 'doubt', text: `${doubts.length} in doubt` }),
            ' Steps were begun and their end is not known. ',
            h('a', { href: stackAddress(name, 'doubts') }, 'Settle them'),
          ]),
      h('h2', null, 'Changes'),
      h(ChangeList, { name, changes: changes.slice(0, 8), hasVersions: stack.version > 0 }),
    ]),
    h('div', null, [
      h('h2', null, 'Outputs'),
      Object.keys(stack.outputs as object).length === 0
        ? h('p', { class: 'quiet' }, 'The program has no outputs.')
        : h(Value, { value: stack.outputs, path: [], reveal: rootReveal(name, stack) }),
      h('h2', null, 'Configuration'),
      config.length === 0
        ? h('p', { class: 'quiet' }, 'The newest operation had no configuration.')
        : h(
            'dl',
            { class: 'members' },
            config.map(({ key, secret, value }) =>
              h('div', { key }, [
                h('dt', null, h(Name, { text: key })),
                h(
                  'dd',
                  null,
                  secret ? h(Badge, { tone: 'same', text: 'secret' }) : h(Value, { value, path: [] }),
                ),
              ]),
            ),
          ),
      h('h2', null, 'Facts'),
      h('dl', { class: 'members' }, [
        fact('Version', String(stack.version)),
        fact('Resources', String(stack.resources)),
        fact('Your role', stack.role),
      ]),
      stack.role === 'admin' ? h(Holders, { name }) : null,
      h('h2', null, 'Tags'),
      h(Tags, { name, tags, mayEdit: stack.role !== 'reader', onChanged: reload }),
    ]),
  ]);
}

function fact(key: string, value: string): VNode {
  return h('div', { key }, [h('dt', null, h(Name, { text: key })), h('dd', null, h(Name, { text: value }))]);
}
