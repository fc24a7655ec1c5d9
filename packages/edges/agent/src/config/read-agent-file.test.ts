import { isCairnError } from '@cairn/diagnostics';
import type { AgentConfig } from './agent-config.js';
import { parseAgentFile } from './read-agent-file.js';
import { urlProblem } from './read-source.js';

const parse = (text: string): AgentConfig => parseAgentFile(text, '/srv/agent.yaml', 'host-1');
const STACK = '- stack: dev\n  source: { directory: shop }\n';
const withStack = (more: string): string => `state: s\nstacks:\n${STACK}${more.replaceAll(/^/gm, '  ')}\n`;

/** Returns the problems of a file as `line:column: text`. */
function problemsOf(text: string): readonly string[] {
  try {
    parse(text);
    return [];
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return thrown.diagnostics.map(({ code, summary, source }) => {
      expect(code).toBe('CAIRN-AGENT-INVALID');
      return `${source?.line}:${source?.column}: ${summary.replace(/^invalid agent file: /, '')}`;
    });
  }
}

test('a full file', () => {
  const config = parse(`
state: state
name: agent-1
places: 4
environment: [AWS_PROFILE]
policies:
  careful:
    approvals: 2
    others: true
    rules:
    - { name: freeze, hours: { from: "18:00", to: "08:00", zone: Europe/Berlin, days: [fri] }, then: refuse }
    - { kinds: [create, update], moreThan: 20, then: refuse }
    - { kinds: [create, update], types: ["aws:s3/*:*"], requests: [up], by: [schedule], then: apply }
forges:
  hub: { kind: github, repository: acme/shop, token: HUB_TOKEN, secret: HUB_SECRET }
notify:
  ops: { webhook: OPS_HOOK, secret: OPS_SECRET, types: [run-failed] }
  mail: { mail: SMTP, from: a@example.com, recipients: [b@example.com] }
networks: [10.0.0.0/8]
executor: { kind: container, image: "registry.example:5000/cairn:1", network: clouds, user: "0:0", home: kept, mounts: [states, /srv/ca] }
stacks:
- stack: acme/shop/prod
  name: prod
  backend: https://states.example
  source: { git: "https://git.example/shop.git", branch: main, folder: infra/prod, every: 5m, submodules: true, files: 10, sizeMiB: 1 }
  environment: [CAIRN_ACCESS_TOKEN]
  before: [[npm, ci]]
  afterwards: [[sh, tell.sh]]
  packs: [../rules, /srv/rules]
  onCommit: preview
  up: { cron: "0 4 * * 1", zone: Europe/Berlin, jitter: 10m }
  drift: { cron: "0 */6 * * *", paused: true, then: up }
  policy: careful
  recovery: rollback
  after: [dev]
  pulls: { forge: hub, review: true }
  limits: { time: 30m, outputMiB: 8, memoryMiB: 512, processors: 2, processes: 100, diskMiB: 100 }
- stack: dev
  executor: { kind: process }
  source: { directory: shop }
  timeToLive: { after: 24h, approved: true, remove: true }
`);
  const [prod, dev] = config.stacks;
  expect({ ...config, stacks: [] }).toEqual({
    file: '/srv/agent.yaml',
    folder: '/srv/state',
    name: 'agent-1',
    places: 4,
    stacks: [],
    notify: [
      { name: 'ops', kind: 'webhook', address: 'OPS_HOOK', secret: 'OPS_SECRET', types: ['run-failed'] },
      { name: 'mail', kind: 'mail', address: 'SMTP', from: 'a@example.com', recipients: ['b@example.com'] },
    ],
    networks: ['10.0.0.0/8'],
    forges: [
      {
        name: 'hub',
        kind: 'github',
        repository: 'acme/shop',
        api: 'https://api.github.com',
        token: 'HUB_TOKEN',
        secret: 'HUB_SECRET',
      },
    ],
  });
  expect(prod).toEqual({
    name: 'prod',
    stack: 'acme/shop/prod',
    backend: 'https://states.example',
    source: {
      t: 'git',
      url: 'https://git.example/shop.git',
      ref: 'refs/heads/main',
      folder: 'infra/prod',
      everyMs: 300_000,
      submodules: true,
      most: { files: 10, bytes: 1 << 20 },
    },
    before: [['npm', 'ci']],
    afterwards: [['sh', 'tell.sh']],
    packs: ['../rules', '/srv/rules'],
    environment: ['AWS_PROFILE', 'CAIRN_ACCESS_TOKEN'],
    onCommit: 'preview',
    up: { cron: '0 4 * * 1', zone: 'Europe/Berlin', jitterMs: 600_000, paused: false },
    drift: { schedule: { cron: '0 */6 * * *', zone: 'UTC', jitterMs: 0, paused: true }, then: 'up' },
    policy: {
      name: 'careful',
      approvals: 2,
      others: true,
      rules: [
        {
          name: 'freeze',
          when: { hours: { from: 1080, to: 480, zone: 'Europe/Berlin', days: ['fri'] } },
          then: 'refuse',
        },
        { name: 'rule 2', when: { kinds: ['create', 'update'], moreThan: 20 }, then: 'refuse' },
        {
          name: 'rule 3',
          when: { kinds: ['create', 'update'], types: ['aws:s3/*:*'], requests: ['up'], by: ['schedule'] },
          then: 'apply',
        },
      ],
    },
    recovery: 'rollback',
    timeToLive: undefined,
    after: ['dev'],
    pulls: { forge: 'hub', review: true },
    limits: {
      timeMs: 1_800_000,
      outputBytes: 8 << 20,
      memoryBytes: 512 << 20,
      processors: 2,
      processes: 100,
      diskBytes: 100 << 20,
    },
    container: {
      command: 'docker',
      image: 'registry.example:5000/cairn:1',
      network: 'clouds',
      user: '0:0',
      keepsHome: true,
      mounts: ['/srv/states', '/srv/ca'],
    },
  });
  expect(dev?.container).toBeUndefined();
  expect(dev).toMatchObject({
    name: 'dev',
    source: { t: 'directory', path: '/srv/shop' },
    environment: ['AWS_PROFILE'],
    policy: { name: 'default', rules: [], approvals: 1 },
    recovery: 'resume',
    timeToLive: { afterMs: 86_400_000, approved: true, remove: true },
  });
});

test.each([
  ['', ['1:1: it is empty']],
  ['[]', ['1:1: it must be a map of keys']],
  ['state: [', [expect.stringContaining('1:')]],
  ['stacks: []', ['1:1: "state" is missing']],
  ['state: s', ['1:1: "stacks" is missing']],
  [withStack('').replace('state', 'stat'), ['1:1: "state" is missing', '1:1: unknown key "stat"']],
  [withStack('polcy: x'), ['5:3: unknown key "stacks.polcy"']],
  [withStack('policy: x'), ['5:11: "stacks.policy" names an unknown policy "x"']],
  [
    withStack('limits: { time: 0s }'),
    ['5:19: "stacks.limits.time" must be a duration such as 90s, 10m or 24h, not "0s"'],
  ],
  [
    withStack('timeToLive: { after: 0s }'),
    ['5:24: "stacks.timeToLive.after" must be a duration such as 90s, 10m or 24h, not "0s"'],
  ],
  [
    withStack('policy: { rules: [{ then: aply }] }'),
    ['5:29: "stacks.policy.rules.then" must be one of apply, approve, refuse, not "aply"'],
  ],
  [
    withStack('policy: { rules: [{ kinds: [craete], then: apply }] }'),
    [
      '5:30: "stacks.policy.rules.kinds" must have words of create, update, replace, delete, import, read, not "craete"',
    ],
  ],
  [withStack('policy: { rules: [{ kinds: [create] }] }'), ['5:21: "stacks.policy.rules.then" is missing']],
  [
    withStack('policy: { rules: [{ hours: { from: "25:00", to: "8" }, then: apply }] }'),
    [
      '5:38: "stacks.policy.rules.hours.from" must be a time of the day such as "09:00"',
      '5:51: "stacks.policy.rules.hours.to" must be a time of the day such as "09:00"',
    ],
  ],
  [withStack('drift: { cron: "0 0 30 2 *" }'), ['5:18: "stacks.drift.cron" is never due']],
  [
    withStack('drift: { cron: "* * * * * *" }'),
    ['5:18: "stacks.drift.cron" must have five fields (minute, hour, day, month, weekday), not 6'],
  ],
  [
    withStack('up: { cron: "0 3 * * *", zone: Mars/Olympus }'),
    ['5:34: "stacks.up.zone" names no time zone: "Mars/Olympus"'],
  ],
  [
    withStack('up: { cron: "0 3 * * *", jitter: soon }'),
    ['5:36: "stacks.up.jitter" must be a duration such as 90s, 10m or 24h, not "soon"'],
  ],
  [
    withStack('recovery: retry'),
    ['5:13: "stacks.recovery" must be one of resume, rollback, person, not "retry"'],
  ],
  [
    withStack('afterwards: [sh]'),
    ['5:15: "stacks.afterwards" must be a list of commands, each a list of words'],
  ],
  [withStack('before: [npm]'), ['5:11: "stacks.before" must be a list of commands, each a list of words']],
  [withStack('environment: ["A=b"]'), ['5:16: "stacks.environment" must be names of variables, not "A=b"']],
  [withStack('pulls: { forge: hub }'), ['5:19: "stacks.pulls.forge" names an unknown forge "hub"']],
  [
    `forges: { hub: { kind: hub, repository: shop, token: T, secret: S } }\n${withStack('')}`,
    [
      '1:24: "forges.hub.kind" must be one of github, gitlab, forgejo, not "hub"',
      '1:41: "forges.hub.repository" must be as owner/name, not "shop"',
    ],
  ],
  [
    `forges: { hub: { kind: forgejo, repository: a/../b, api: "http://git.example", token: T, secret: S } }\n${withStack('')}`,
    [
      '1:45: "forges.hub.repository" must be as owner/name, not "a/../b"',
      '1:58: "forges.hub.api" must be an https address, not "http://git.example"',
    ],
  ],
  [
    `notify: { chat: { slack: "https://hooks.example/T1" } }\n${withStack('')}`,
    ['1:26: "notify.chat.slack" must be the name of a variable with the address'],
  ],
  [
    `notify: { m: { mail: SMTP, slack: CHAT, from: me, types: [all] } }\n${withStack('')}`,
    [
      expect.stringContaining('"notify.m.webhook" or "slack" or "mail" must be given, one of them'),
      expect.stringContaining('"notify.m.types" must have words of drift-found, '),
      expect.stringContaining('unknown key "notify.m.from"'),
    ],
  ],
  [
    `notify: { m: { webhook: HOOK, links: ada } }\n${withStack('')}`,
    [expect.stringContaining('"notify" has targets with links, and the file has no "links"')],
  ],
  [
    `links: { address: "http://a.example", valid: 8760h }\n${withStack('')}`,
    [
      '1:19: "links.address" must be an https address, not "http://a.example"',
      '1:46: "links.valid" must be a duration from 1m to 168h, not "8760h"',
    ],
  ],
  [
    `links: { address: "https://a.example" }\nnotify: { m: { mail: SMTP, from: a@b.c, recipients: [a@b.c], links: { x@b.c: "a b" }, types: [run-failed] }, c: { slack: CHAT, links: ada } }\n${withStack('')}`,
    [
      expect.stringContaining('"notify.m.links.x@b.c" must be the name of a person, not "a b"'),
      expect.stringContaining('"notify.m.links.x@b.c" must be one of the recipients'),
      expect.stringContaining('"notify.m.types" must have "approval-wanted"'),
      expect.stringContaining('unknown key "notify.c.links"'),
    ],
  ],
  [
    `networks: [10.0.0.0/99]\n${withStack('')}`,
    ['1:11: "networks" must have networks such as 10.0.0.0/8, not "10.0.0.0/99"'],
  ],
  [withStack('executor: {}'), ['5:13: "stacks.executor.kind" is missing']],
  [
    withStack('executor: { kind: pods, image: x }'),
    ['5:21: "stacks.executor.kind" must be one of process, container, kubernetes, not "pods"'],
  ],
  [
    withStack(
      'executor: { kind: kubernetes, image: x, context: c, namespace: A_b, serviceAccount: "-a", user: "0:0" }\nbackend: "file:///srv"\nlimits: { processes: 5 }',
    ),
    [
      expect.stringContaining('"stacks.executor.context" needs "kubeconfig"'),
      expect.stringContaining('"stacks.executor.namespace" must be the name of a namespace, not "A_b"'),
      expect.stringContaining('"stacks.executor.serviceAccount" must be the name of a service account'),
      expect.stringContaining('"stacks.executor.user" must not be 0'),
      expect.stringContaining('"stacks.source" must be a repository or a bucket that pods reach'),
      expect.stringContaining('"stacks.backend" must be a service or a bucket'),
      expect.stringContaining('"stacks.limits" cannot have "processes"'),
    ],
  ],
  [withStack('executor: { kind: process, image: x }'), ['5:30: unknown key "stacks.executor.image"']],
  [withStack('executor: { kind: container }'), ['5:13: "stacks.executor.image" is missing']],
  [
    withStack(
      'executor: { kind: container, command: "docker run", image: --privileged, network: "container:x", user: root, home: own }',
    ),
    [
      '5:41: "stacks.executor.command" must be the name or the absolute path of a command, not "docker run"',
      '5:62: "stacks.executor.image" must be the name of an image, not "--privileged"',
      '5:85: "stacks.executor.network" must be the name of a network, not "container:x"',
      '5:106: "stacks.executor.user" must be numbers of a user and a group such as "1000:1000", not "root"',
      '5:118: "stacks.executor.home" must be one of fresh, kept, not "own"',
    ],
  ],
  [
    withStack('executor: { kind: container, image: x, mounts: [../srv, s/runs, s, ..srv] }'),
    ['/srv', '/srv/s/runs', '/srv/s'].map(
      (place) => `3:1: "stacks" has "dev" in containers that see the agent's own files by ${place}`,
    ),
  ],
  [
    withStack('executor: { kind: container, image: x }').replace('shop', '.'),
    ['3:1: "stacks" has "dev" in containers that see the agent\'s own files by /srv'],
  ],
  [withStack('timeToLive: {}'), ['5:15: "stacks.timeToLive.after" is missing']],
  [withStack('after: [prod]'), ['3:1: "stacks" has "dev" after an unknown stack "prod"']],
  [withStack('after: [dev]'), ['3:1: "stacks" has stacks that come after each other']],
  [`state: s\nstacks:\n${STACK}${STACK}`, ['3:1: "stacks" names two stacks "dev"']],
  ['state: s\nstacks:\n- stack: dev\n', ['3:3: "stacks.source" is missing']],
])('%j', (text, problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

test.each([
  ['branch: --upload-pack=x', 'branch', 'is not a valid name: "--upload-pack=x"'],
  ['branch: a..b', 'branch', 'is not a valid name: "a..b"'],
  ['branch: "a b"', 'branch', 'is not a valid name: "a b"'],
  ['branch: refs/heads/x.lock', 'branch', 'is not a valid name: "refs/heads/x.lock"'],
  ['tag: -d', 'tag', 'is not a valid name: "-d"'],
  ['branch: main, folder: ../../etc', 'folder', 'must be a folder inside the repository, not "../../etc"'],
  ['branch: main, folder: /etc', 'folder', 'must be a folder inside the repository, not "/etc"'],
  [
    'branch: main, folder: a/.git/hooks',
    'folder',
    'must be a folder inside the repository, not "a/.git/hooks"',
  ],
  ['branch: main, every: 10ms', 'every', 'must be a duration of at least 1s, not "10ms"'],
  ['branch: main, credentials: "a b"', 'credentials', 'must be the name of a variable'],
  ['branch: main, tag: v1', 'branch', 'or "tag" must be given, one of them'],
])('a git source with %s', (words, key, problem) => {
  const text = `state: s\nstacks:\n- stack: dev\n  source: { git: "https://git.example/x.git", ${words} }\n`;
  expect(problemsOf(text)).toEqual([expect.stringMatching(new RegExp(`^4:\\d+: "stacks.source.${key}" `))]);
  expect(problemsOf(text)[0]?.endsWith(problem)).toBe(true);
});

test.each([
  ['https://git.example/x.git', false, undefined],
  ['ssh://git@git.example:2222/x.git', false, undefined],
  ['git@git.example:acme/x.git', false, undefined],
  ['file:///srv/x.git', true, undefined],
  ['file:///srv/x.git', false, 'is a repository of this machine: write local: true for it'],
  ['https://me:token@git.example/x.git', false, 'has credentials: give them to git by a credential helper'],
  ['ext::sh -c touch% /tmp/x', false, 'has white space or control characters'],
  ['ext::sh', true, 'must be an https or ssh address, not "ext::sh"'],
  ['http://git.example/x.git', false, 'must be an https or ssh address, not "http://git.example/x.git"'],
  ['git://git.example/x.git', false, 'must be an https or ssh address, not "git://git.example/x.git"'],
  ['ssh://-oProxyCommand=x/y', false, 'must be an https or ssh address, not "ssh://-oProxyCommand=x/y"'],
  ['git@-oProxyCommand=x:y', false, 'must be an https or ssh address, not "git@-oProxyCommand=x:y"'],
  ['--upload-pack=x', false, 'must be an https or ssh address, not "--upload-pack=x"'],
  ['../x', true, 'must be an https or ssh address, not "../x"'],
])('address %j', (url, isLocal, problem) => {
  expect(urlProblem(url, isLocal)).toBe(problem);
});
