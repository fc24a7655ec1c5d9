import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { base } from '../../api/base.js';
import { query } from '../../api/router.js';
import { readStart, start } from '../../api/session.js';
import { Name } from '../../parts/basics.js';
import { useTitle } from '../../parts/layout.js';
import { h } from '../../parts/h.js';
import { PasswordForm } from './password-form.js';

/** Signs a user in for a command on this machine, which waits for its token at a port. */
export function CommandSignIn(): VNode {
  useTitle('Sign in');
  useEffect(() => void readStart(), []);
  const { value } = query;
  const command = {
    port: Number(value.get('cliSessionPort')),
    nonce: value.get('cliSessionNonce') ?? '',
    description: value.get('cliSessionDescription') ?? '',
  };
  return h('main', { class: 'plain', id: 'main' }, [
    h('h1', null, 'Cairn'),
    h('p', null, [
      'A command on this machine asks you to sign in: ',
      h(Name, { text: command.description || 'it gives no name' }),
    ]),
    start.value?.signIn === true
      ? h(
          'p',
          null,
          h('a', { class: 'button', href: `${base}/cli-login?${value.toString()}&at=provider` }, 'Sign in'),
        )
      : null,
    h(PasswordForm, {
      command,
      onDone: ({ redirect }) => void (redirect !== undefined && location.replace(redirect)),
    }),
  ]);
}
