import { render } from 'preact';
import type { VNode } from 'preact';
import { followLink, view } from './api/router.js';
import { openSession, session } from './api/session.js';
import { Empty, Waiting } from './parts/basics.js';
import { Layout } from './parts/layout.js';
import { ChangePassword } from './pages/login/change-password.js';
import { CommandSignIn } from './pages/login/command-sign-in.js';
import { Login } from './pages/login/login.js';
import { Organization } from './pages/organization/organization.js';
import { StackPage } from './pages/stack/stack-page.js';
import { Stacks } from './pages/stacks/stacks.js';
import { h } from './parts/h.js';

function App(): VNode {
  const { value } = session;
  if (view.value.t === 'command') return h(CommandSignIn, {});
  if (value === 'unknown') return h('main', { class: 'plain' }, h(Waiting, { what: 'the console' }));
  if (value === undefined) return h(Login, {});
  return h(Layout, { session: value }, h(CurrentView, {}));
}

function CurrentView(): VNode {
  const { value } = view;
  switch (value.t) {
    case 'stacks':
    case 'enter':
    case 'command':
      return h(Stacks, {});
    case 'password':
      return h(ChangePassword, {});
    case 'organization':
      return h(Organization, { key: value.org, org: value.org });
    case 'stack':
      return h(StackPage, { key: Object.values(value.name).join('/'), ...value });
    case 'nowhere':
      return h(Empty, { text: 'There is no page at this address.' });
  }
}

document.addEventListener('click', followLink);
void openSession();
render(h(App, {}), document.getElementById('app') as HTMLElement);
