import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { stackFlag } from '../../flags/stack.js';
import { blobsFlag, orgFlag, storeFlag } from '../../flags/service.js';

const keyFlags = [
  {
    name: 'master-key',
    value: 'file|url',
    summary: 'Key under which secrets are sealed: a file, or the address of a key service such as awskms://…',
  },
  {
    name: 'retired-key',
    value: 'file|url',
    holds: 'list',
    summary: 'Former master key, which still opens secrets; may be given several times',
  },
] as const;

/** Commands of the state service. */
export const serveCommands: readonly CommandSpec[] = [
  command({
    path: ['serve'],
    summary: 'Run the state service, which teams and Pulumi clients log in to',
    flags: [
      storeFlag,
      blobsFlag,
      {
        name: 'listen',
        value: 'host:port',
        summary: 'Address (default: 127.0.0.1:8080); port 0 is any free port',
      },
      ...keyFlags,
      {
        name: 'url',
        value: 'url',
        summary: 'Address at which clients and clouds reach the service (default: that of --sign-in)',
      },
      {
        name: 'sign-in',
        value: 'file',
        summary: 'Let people sign in at the provider that this file names (JSON)',
      },
      {
        name: 'password-sign-in',
        summary: 'Let users sign in with the passwords that `cairn serve user password` sets',
      },
      {
        name: 'keep-events',
        value: 'duration',
        summary: 'Remove events of updates that ended this long ago, such as 30d (default: keep them)',
      },
      {
        name: 'keep-states',
        value: 'duration',
        summary: 'Remove states of versions that began this long ago, never the newest (default: keep them)',
      },
      {
        name: 'metrics',
        value: 'host:port',
        summary: 'Serve metrics for Prometheus at this address (default: not at all)',
      },
      {
        name: 'mail-from',
        value: 'address',
        summary:
          'Send mails to webhooks that are mailboxes, from this address, by the server in CAIRN_SERVE_SMTP',
      },
      { name: 'tls-cert', value: 'file', summary: 'Speak TLS with this certificate chain (PEM)' },
      { name: 'tls-key', value: 'file', summary: 'Key of the certificate (PEM)' },
      {
        name: 'trusted-proxy',
        value: 'network',
        holds: 'list',
        summary: 'Take client addresses from X-Forwarded-For of proxies in this network, such as 10.0.0.0/8',
      },
      {
        name: 'webhooks-to',
        value: 'network',
        holds: 'list',
        summary: 'Send webhooks to this network as well, such as 10.0.0.0/8 (default: public addresses only)',
      },
    ],
    examples: [
      'cairn serve --store file:///srv/cairn --master-key master.key',
      'cairn serve --store postgres://cairn@db/cairn --blobs s3://states --master-key master.key',
    ],
    load: () => import('../serve.js').then(({ run }) => run),
  }),
  command({
    path: ['console'],
    summary:
      'Open the web console of the backend: of a state service, or here over a bucket until an interrupt',
    flags: [stackFlag],
    examples: ['cairn console', 'cairn console --backend-url file:///srv/state'],
    load: () => import('../console.js').then(({ run }) => run),
  }),
  command({
    path: ['serve', 'backup'],
    summary: 'Copy everything that the service keeps into an empty place, while it runs',
    flags: [storeFlag, blobsFlag, { name: 'to', value: 'dir|url', summary: 'Empty place for the backup' }],
    examples: ['cairn serve backup --to s3://backups/monday --store file:///srv/cairn'],
    load: () => import('../serve-backup.js').then(({ backUp }) => backUp),
  }),
  command({
    path: ['serve', 'restore'],
    summary: 'Fill an empty store from a backup',
    flags: [storeFlag, blobsFlag, { name: 'from', value: 'dir|url', summary: 'Place of the backup' }],
    examples: ['cairn serve restore --from s3://backups/monday --store file:///srv/new'],
    load: () => import('../serve-backup.js').then(({ restore }) => restore),
  }),
  command({
    path: ['serve', 'rotate-keys'],
    summary: 'Seal the keys of all stacks under the current master key, without reading a secret',
    flags: [storeFlag, blobsFlag, ...keyFlags],
    examples: [
      'cairn serve rotate-keys --master-key new.key --retired-key old.key --store file:///srv/cairn',
    ],
    load: () => import('../serve-keys.js').then(({ rotate }) => rotate),
  }),
  command({
    path: ['serve', 'migrate'],
    summary: 'Move all stacks of a bucket or another state service into the store of the service',
    flags: [
      {
        name: 'from',
        value: 'url',
        summary: 'Bucket, state service or its database in PostgreSQL, whose stacks are moved',
      },
      {
        name: 'from-store',
        value: 'url',
        summary: 'Store of another service, whose users, tokens, states of Terraform and audit log are taken',
      },
      {
        name: 'from-blobs',
        value: 'url',
        summary: 'Place for states beside --from or --from-store in PostgreSQL',
      },
      storeFlag,
      blobsFlag,
      ...keyFlags,
      { name: 'url', value: 'url', summary: 'Address that clients of the service use, for its secrets' },
      {
        name: 'organization',
        value: 'from=to',
        holds: 'list',
        summary: 'Give the stacks of an organization to another one; may be given several times',
      },
      { name: 'reseal', summary: 'Seal all secrets under keys of the service, those of passphrases too' },
    ],
    examples: [
      'cairn serve migrate --from s3://states --store postgres://cairn@db/cairn --blobs s3://service --master-key master.key',
      'cairn serve migrate --from-store file:///srv/cairn --store postgres://cairn@db/cairn --blobs s3://service --master-key master.key',
    ],
    load: () => import('../serve-migrate.js').then(({ run }) => run),
  }),
  command({
    path: ['serve', 'token', 'new'],
    summary: 'Make a token for a user, and print it',
    args: [{ name: 'user', summary: 'Name of the user', required: true }],
    flags: [
      storeFlag,
      blobsFlag,
      {
        name: 'role',
        value: 'role',
        holds: 'choice',
        of: ['reader', 'writer', 'admin'],
        summary: 'Give the token this role: reader, writer (default) or admin',
      },
      { name: 'name', value: 'text', summary: 'Name of the token (default: that of the user)' },
      { name: 'expires', value: 'duration', summary: 'Refuse the token after this time, such as 12h or 90d' },
      {
        ...orgFlag,
        summary: 'Make the user a member of this organization (default: organization, if in none)',
      },
      {
        name: 'stacks',
        value: 'pattern',
        holds: 'list',
        summary: 'Limit the token to stacks PROJECT/STACK, with * for any text; may be given several times',
      },
    ],
    examples: ['cairn serve token new alice --role writer --store file:///srv/cairn'],
    load: () => import('../serve.js').then(({ newToken }) => newToken),
  }),
  command({
    path: ['serve', 'token', 'ls'],
    aliases: ['list'],
    summary: 'List the tokens of the service',
    flags: [storeFlag, blobsFlag],
    load: () => import('../serve.js').then(({ tokens }) => tokens),
  }),
  command({
    path: ['serve', 'token', 'rm'],
    aliases: ['remove'],
    summary: 'Remove a token; it is refused from the next call on',
    args: [{ name: 'id', summary: 'Id of the token, as `cairn serve token ls` shows it', required: true }],
    flags: [storeFlag, blobsFlag],
    load: () => import('../serve.js').then(({ dropToken }) => dropToken),
  }),
];
