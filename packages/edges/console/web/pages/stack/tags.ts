import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { ApiFailure, apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Failure, Name } from '../../parts/basics.js';
import { TextField } from '../../parts/fields.js';
import { h } from '../../parts/h.js';

interface TagsProps {
  readonly name: StackName;
  readonly tags: Readonly<Record<string, string>>;
  readonly mayEdit: boolean;
  readonly onChanged: () => void;
}

/** Tags of a stack. Those who may write can add, change and remove them. */
export function Tags({ name, tags, mayEdit, onChanged }: TagsProps): VNode {
  const key = useSignal('');
  const value = useSignal('');
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const store = async (next: Readonly<Record<string, string>>): Promise<void> => {
    failure.value = undefined;
    try {
      await call('PATCH', apiCall(name, '/tags'), next);
      [key.value, value.value] = ['', ''];
      onChanged();
    } catch (thrown) {
      if (!(thrown instanceof ApiFailure)) throw thrown;
      failure.value = thrown;
    }
  };
  const without = (gone: string) =>
    Object.fromEntries(Object.entries(tags).filter(([each]) => each !== gone));
  return h('div', null, [
    Object.keys(tags).length === 0 ? h('p', { class: 'quiet' }, 'The stack has no tags.') : null,
    h(
      'dl',
      { class: 'members' },
      Object.entries(tags).map(([each, text]) =>
        h('div', { key: each }, [
          h('dt', null, h(Name, { text: each })),
          h('dd', null, [
            h(Name, { text }),
            ' ',
            mayEdit
              ? h(
                  'button',
                  {
                    ...{ type: 'button', class: 'small', 'aria-label': `Remove tag ${each}` },
                    onClick: () => void store(without(each)),
                  },
                  'Remove',
                )
              : null,
          ]),
        ]),
      ),
    ),
    mayEdit
      ? h('div', { class: 'tools', role: 'group', 'aria-label': 'Set a tag' }, [
          h(TextField, { label: 'Name of the tag', text: key }),
          h(TextField, { label: 'Value of the tag', text: value }),
          h(
            'button',
            {
              ...{ type: 'button', disabled: key.value.trim() === '' },
              onClick: () => void store({ ...tags, [key.value.trim()]: value.value }),
            },
            'Set tag',
          ),
        ])
      : null,
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'change the tags' }),
  ]);
}
