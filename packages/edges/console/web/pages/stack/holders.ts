import type { VNode } from 'preact';
import type { ConsoleAccessAnswer } from '@cairn/http-api';
import { stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { Failure, Name, Waiting } from '../../parts/basics.js';
import { h } from '../../parts/h.js';

/** Holders of roles on the stack, for administrators. */
export function Holders({ name }: { readonly name: StackName }): VNode {
  const { loaded } = useLoaded<ConsoleAccessAnswer>(stackCall(name, '/access'));
  const { value, failure } = loaded.value;
  return h('section', { 'aria-label': 'Who may' }, [
    h('h2', null, 'Who may'),
    failure === undefined ? null : h(Failure, { failure, what: 'list who may use the stack' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the roles' }) : null,
    h(
      'dl',
      { class: 'members' },
      (value?.holders ?? []).map(({ to, role, through }) =>
        h('div', { key: `${to} ${role} ${through}` }, [
          h('dt', null, h(Name, { text: to.replace(/^user:/, '') })),
          h('dd', null, [
            h(Name, { text: role }),
            h('span', { class: 'quiet' }, [' ', h(Name, { text: through })]),
          ]),
        ]),
      ),
    ),
  ]);
}
