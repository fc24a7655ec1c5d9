import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { grantRequest, roleRequest, trustRequest } from '../../../src/model/access-forms.js';
import { call } from '../../api/client.js';
import { useAction } from '../../parts/action.js';
import { Failure } from '../../parts/basics.js';
import { Choice, TextField } from '../../parts/fields.js';
import { h } from '../../parts/h.js';

/** Roles of the service itself. */
const ROLES = ['reader', 'writer', 'admin'] as const;
/** The same, as options of a field. */
export const BUILT_IN = ROLES.map((role) => [role, role] as const);

interface FormProps {
  /** Address of the organization in calls. */
  readonly at: string;
  readonly onMade: () => void;
}

interface NewRecordProps {
  readonly label: string;
  readonly verb: string;
  readonly fields: readonly VNode[];
  /** Texts that must not be empty. */
  readonly needed: readonly Signal<string>[];
  readonly make: () => Promise<unknown>;
  /** Called once it is made. */
  readonly onMade: () => void;
}

/** Form that makes a record of the organization. */
function NewRecord({ label, verb, fields, needed, make, onMade }: NewRecordProps): VNode {
  const { failure, run } = useAction();
  return h('div', null, [
    h('div', { class: 'tools', role: 'group', 'aria-label': label }, [
      ...fields,
      h(
        'button',
        {
          ...{ type: 'button', disabled: needed.some(({ value }) => value.trim() === '') },
          onClick: () => void run(make, onMade),
        },
        verb,
      ),
    ]),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: verb.toLowerCase() }),
  ]);
}

/** Makes a role of permissions. */
export function NewRole({ at, onMade }: FormProps): VNode {
  const [name, description, permissions] = [useSignal(''), useSignal(''), useSignal('')];
  return h(NewRecord, {
    ...{ label: 'New role', verb: 'Make a role', needed: [name, permissions] },
    fields: [
      h(TextField, { label: 'Name of the role', text: name }),
      h(TextField, { label: 'What it is for', text: description }),
      h(TextField, { label: 'Permissions: stack:read, stack:write', text: permissions }),
    ],
    make: () => call('POST', `${at}/roles`, roleRequest(name.value, description.value, permissions.value)),
    onMade: () => {
      [name.value, description.value, permissions.value] = ['', '', ''];
      onMade();
    },
  });
}

interface NewGrantProps extends FormProps {
  readonly roles: readonly { readonly id: string; readonly name: string }[];
}

/** Grants a role on stacks to a user or a team. */
export function NewGrant({ at, onMade, roles }: NewGrantProps): VNode {
  const [to, role, stacks, tag] = [useSignal(''), useSignal('writer'), useSignal(''), useSignal('')];
  const own = roles.filter(({ id }) => !(ROLES as readonly string[]).includes(id));
  return h(NewRecord, {
    ...{ label: 'New grant', verb: 'Make a grant', needed: [to] },
    fields: [
      h(TextField, { label: 'To: user:NAME or team:NAME', text: to }),
      h(Choice, {
        ...{ label: 'Role of the grant', value: role.value },
        options: [...BUILT_IN, ...own.map(({ id, name }) => [id, name] as const)],
        onChoose: (value: string) => (role.value = value),
      }),
      h(TextField, { label: 'Stacks: shop/*, or empty for all', text: stacks }),
      h(TextField, { label: 'Tag: NAME=VALUE, or empty', text: tag }),
    ],
    make: () => call('POST', `${at}/grants`, grantRequest(to.value, role.value, stacks.value, tag.value)),
    onMade: () => {
      [to.value, stacks.value, tag.value] = ['', '', ''];
      onMade();
    },
  });
}

/** Trusts the tokens that an issuer gives to jobs. */
export function NewTrust({ at, onMade }: FormProps): VNode {
  const [name, issuer, audience, claims] = [useSignal(''), useSignal(''), useSignal(''), useSignal('')];
  const [to, role, stacks, minutes] = [useSignal(''), useSignal('writer'), useSignal(''), useSignal('')];
  const all = { name, issuer, audience, claims, to, role, stacks, minutes };
  const texts = () => ({
    ...{ name: name.value, issuer: issuer.value, audience: audience.value, claims: claims.value },
    ...{ to: to.value, role: role.value, stacks: stacks.value, minutes: minutes.value },
  });
  return h(NewRecord, {
    ...{ label: 'New trusted issuer', verb: 'Trust it', needed: [name, issuer, claims] },
    fields: [
      h(TextField, { label: 'Name of the trust', text: name }),
      h(TextField, { label: 'Address of the issuer', type: 'url', text: issuer }),
      h(TextField, { label: 'Claims: sub=repo:acme/*', text: claims }),
      h(TextField, { label: 'Audience, or empty', text: audience }),
      h(TextField, { label: 'For: team:NAME, or empty for all', text: to }),
      h(Choice, {
        ...{ label: 'Role of its tokens', value: role.value, options: BUILT_IN },
        onChoose: (value: string) => (role.value = value),
      }),
      h(TextField, { label: 'Only stacks: shop/*', text: stacks }),
      h(TextField, { label: 'Minutes of a token: 60', text: minutes }),
    ],
    make: () => call('POST', `${at}/trusts`, trustRequest(texts())),
    onMade: () => {
      for (const text of Object.values(all)) if (text !== role) text.value = '';
      onMade();
    },
  });
}
