import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ConsoleDoubt } from '@cairn/http-api';
import { answerWords } from '../../../src/model/change-words.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Confirm } from '../../parts/confirm.js';
import { h } from '../../parts/h.js';

type Answer = { readonly created: string } | { readonly done: true } | 'not-created' | 'not-done';

interface FormProps {
  readonly name: StackName;
  readonly doubt: ConsoleDoubt;
  readonly onSent: () => void;
}

/** Records what a person has found out about a step in doubt. The next resume or rollback uses it. */
export function AnswerForm({ name, doubt, onSent }: FormProps): VNode {
  const { type, change, task } = doubt;
  const id = useSignal('');
  const asked = useSignal<Answer | undefined>(undefined);
  const button = (text: string, answer: Answer | undefined): VNode =>
    h(
      'button',
      { type: 'button', key: text, disabled: answer === undefined, onClick: () => (asked.value = answer) },
      text,
    );
  const send = async (): Promise<void> => {
    await call('POST', apiCall(name, `/changes/${String(change)}/messages`), {
      ...{ t: 'resolve', task, answer: asked.value, by: '' },
    });
    onSent();
  };
  const written = id.value.trim();
  return h('div', null, [
    h('h3', null, 'Answer it'),
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Answers' }, [
      ...(type === 'creating'
        ? [
            h('input', {
              ...{ type: 'text', 'aria-label': 'Id of the object', placeholder: 'Id of the object' },
              value: id.value,
              onInput: (event: Event) => (id.value = (event.currentTarget as HTMLInputElement).value),
            }),
            button('It was created', written === '' ? undefined : { created: written }),
            button('It was not created', 'not-created'),
          ]
        : [button('It was done', { done: true }), button('It was not done', 'not-done')]),
    ]),
    asked.value === undefined
      ? null
      : h(
          Confirm,
          {
            title: 'Record this answer',
            verb: 'Record',
            run: send,
            onClose: () => (asked.value = undefined),
          },
          [
            h('p', null, `Step ${doubt.name}: ${answerWords(asked.value)}.`),
            h(
              'p',
              null,
              'It is recorded with your name. The next resume or rollback relies on it, and nothing checks it.',
            ),
          ],
        ),
  ]);
}
