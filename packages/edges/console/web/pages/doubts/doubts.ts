import type { VNode } from 'preact';
import type { ConsoleDoubt } from '@cairn/http-api';
import { nameOfResource } from '../../../src/model/resource-tree.js';
import { doubtWays } from '../../../src/model/doubt-ways.js';
import { answerWords } from '../../../src/model/change-words.js';
import type { StackName } from '../../api/client.js';
import { stackAddress } from '../../api/router.js';
import { Badge, Command, Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { AnswerForm } from './answer-form.js';
import { h } from '../../parts/h.js';

/** Steps that were begun and whose end is not known, and what settles each. */
export function Doubts({
  name,
  loaded: { value, failure },
  reload,
}: StackPageProps & { readonly reload: () => void }): VNode {
  useTitle(`In doubt in ${name.project}/${name.stack}`);
  return h('div', null, [
    h(StackHead, { name, page: 'doubts', doubts: value?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'list the steps in doubt' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the steps in doubt' }) : null,
    value?.running !== undefined
      ? h('p', { class: 'notice' }, 'An operation runs. What it leaves in doubt is known when it ends.')
      : null,
    value !== undefined && value.running === undefined && value.doubts.length === 0
      ? h(Empty, { text: 'No step is in doubt: every step that was begun has a known end.' })
      : null,
    ...(value?.doubts ?? []).map((doubt) =>
      h(Doubt, { key: doubt.name, name, doubt, mayAnswer: value?.role !== 'reader', onSent: reload }),
    ),
  ]);
}

const DOINGS: Readonly<Record<string, string>> = {
  creating: 'It may have been created.',
  updating: 'It may have been updated.',
  deleting: 'It may have been deleted.',
  reading: 'It was being read, which changes nothing.',
  importing: 'It was being imported, which changes nothing outside.',
};

interface DoubtProps {
  readonly name: StackName;
  readonly doubt: ConsoleDoubt;
  readonly mayAnswer: boolean;
  readonly onSent: () => void;
}

function Doubt({ name, doubt, mayAnswer, onSent }: DoubtProps): VNode {
  const { urn, type, id, since, reason, change, task, answers } = doubt;
  const resource = nameOfResource(urn);
  const step = `cairn change resolve ${doubt.name}`;
  const flags = `--stack ${name.org}/${name.project}/${name.stack}`;
  return h('article', { class: 'doubt-card', 'aria-label': `Step ${doubt.name}` }, [
    h('h2', null, [
      h(Badge, { tone: 'doubt', text: 'in doubt' }),
      ' ',
      h(Name, { text: resource.name }),
      h('span', { class: 'quiet' }, [' ', h(Name, { text: resource.type })]),
    ]),
    h('p', null, DOINGS[type] ?? `The step ${type} may have taken effect.`),
    h('dl', { class: 'members' }, [
      fact('Step', doubt.name),
      since === undefined ? null : fact('Since', h(Time, { ms: Date.parse(since) })),
      id === undefined ? null : fact('Id', h(Name, { text: id })),
      change === undefined
        ? null
        : fact(
            'Begun by',
            h(
              'a',
              { href: `${stackAddress(name, `changes/${change}`)}?task=${task ?? ''}` },
              `change ${change}`,
            ),
          ),
      fact(
        'Evidence so far',
        reason === undefined
          ? 'none: its process ended before the provider answered'
          : h(Name, { text: reason }),
      ),
      ...answers.map(({ by, answer }, index) =>
        fact(`Answer ${index + 1}`, h(Name, { text: `${answerWords(answer)}, by ${by}` })),
      ),
    ]),
    mayAnswer && task !== undefined ? h(AnswerForm, { name, doubt, onSent }) : null,
    h('h3', null, 'Ways to settle it'),
    h(
      'ol',
      { class: 'ways', 'aria-label': 'Ways to settle it' },
      doubtWays(doubt).map(({ words, flags: answer }) =>
        h('li', { key: words }, [
          h(Name, { text: words }),
          answer === undefined ? null : h(Command, { text: `${step} ${answer} ${flags}` }),
        ]),
      ),
    ),
    h(Command, { text: `cairn resume ${flags}` }),
  ]);
}

function fact(key: string, value: VNode | string): VNode {
  return h('div', { key }, [h('dt', null, key), h('dd', null, value)]);
}
