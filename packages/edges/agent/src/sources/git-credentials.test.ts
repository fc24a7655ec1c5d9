import { spawnSync } from 'node:child_process';
import { gitCredentials } from './git-credentials.js';

/** Asks the real git for the credentials of a host. */
function asked(credentials: string, host: string): string {
  const own = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
  const { stdout } = spawnSync('git', ['-c', 'credential.interactive=false', 'credential', 'fill'], {
    env: {
      ...own,
      GIT_ASKPASS: 'false',
      ...gitCredentials('https://git.example:8443/acme/shop.git', credentials),
    },
    input: `protocol=https\nhost=${host}\n\n`,
    encoding: 'utf8',
  });
  return stdout;
}

test.each([
  ['t0p-s3cret', 'username=x-access-token\npassword=t0p-s3cret\n'],
  ['ada:p:w $(touch x) "\'', 'username=ada\npassword=p:w $(touch x) "\'\n'],
])('git gets %j for the host of the address only', (credentials, expected) => {
  expect(asked(credentials, 'git.example:8443')).toContain(expected);
  for (const other of ['git.example', 'evil.example', 'git.example.evil:8443'])
    expect(asked(credentials, other)).not.toContain('password');
});
