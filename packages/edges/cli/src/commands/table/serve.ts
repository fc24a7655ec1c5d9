import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';

const storeFlag = {
  name: 'store',
  value: 'url',
  summary: 'Store of the service: file://, s3://, gs://, azblob:// or postgres://',
} as const;

const blobsFlag = {
  name: 'blobs',
  value: 'url',
  summary: 'Place for states beside a store in PostgreSQL: file://, s3://, gs:// or azblob://',
} as const;

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
      { name: 'master-key', value: 'file', summary: 'File with the key under which secrets are sealed' },
    ],
    examples: [
      'cairn serve --store file:///srv/cairn --master-key master.key',
      'cairn serve --store postgres://cairn@db/cairn --blobs s3://states --master-key master.key',
    ],
    load: () => import('../serve.js').then(({ run }) => run),
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
