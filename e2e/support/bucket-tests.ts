/** Test that is about a bucket itself. Without a title, every test of its file is. */
interface BucketTest {
  /** File below `e2e`, without its end. */
  readonly file: string;
  /** Title as it is in the file, before values are filled in. */
  readonly title?: string;
  readonly why: string;
}

const LOCKS = 'files of locks in the bucket are looked at, or made';
const PASSPHRASE = 'a new stack of a bucket has a passphrase; one of a service has its keys';

/**
 * Tests that say nothing about a state service: they are skipped when the boxes of a file work through one
 * (`CAIRN_E2E_SERVICE`).
 */
export const BUCKET_TESTS: readonly BucketTest[] = [
  {
    file: 'command/about',
    title: 'host, backend, stack, runtime, dependencies and plugins, as text and as JSON',
    why: 'the name and the organizations of a bucket are expected',
  },
  {
    file: 'command/config',
    title: 'a name that leads elsewhere is refused: %j %j',
    why: 'the folder of the bucket has to stay empty, and the service keeps files there',
  },
  {
    file: 'command/digests',
    why: 'answers of providers are known from a file of the bucket, which a service does not keep',
  },
  {
    file: 'command/given-stack',
    title: 'a stack that tests are given is the one that the command makes: %s, %s',
    why: 'the files of a new stack are compared',
  },
  { file: 'command/home', title: '`%s` as the first command', why: PASSPHRASE },
  {
    file: 'command/hostile-text',
    title: 'times and numbers of files that are none leave every listing in order',
    why: 'files of the history and of journals are damaged',
  },
  { file: 'command/leftovers', title: '`%s %s` removes it', why: LOCKS },
  {
    file: 'command/leftovers',
    title: 'a command leaves nothing beside locks, and nothing in the folder for temporary files',
    why: LOCKS,
  },
  { file: 'command/legacy-store', why: 'the layout of buckets before projects, which a service refuses' },
  {
    file: 'command/locks',
    title: 'up waits for the lock as long as it may, and preview too; both say for whom [STORE-15]',
    why: 'a lock file names a process; through a service see process/serve-waiting',
  },
  {
    file: 'command/locks',
    title:
      'a person locks a stack: refusals give the reason, cancel leaves the lock, its id allows work [STORE-16]',
    why: '`stack lock` is of buckets alone',
  },
  { file: 'command/passphrase', why: PASSPHRASE },
  {
    file: 'command/stack-migrate',
    why: 'a bucket is moved from, and its files are looked at; for a service see process/serve-migrate',
  },
  {
    file: 'command/import',
    title: 'one object is taken over, and the program with its code changes nothing',
    why: 'the history of a bucket knows the kind `resource-import`, for which the protocol has `update`',
  },
  { file: 'command/service-backend', why: 'it compares a bucket with a service of its own' },
  {
    file: 'command/stack-schedule',
    title: 'a bucket has neither',
    why: 'the answers of a bucket are expected',
  },
  {
    file: 'command/stack-webhook',
    title: 'only administrators use webhooks, and only a state service has them',
    why: 'the answer of a bucket is expected too',
  },
  {
    file: 'command/type-check',
    why: 'commands are waited for in a way that stops the service beside the test',
  },
  { file: 'command/wrong-passphrase', why: PASSPHRASE },
];

/** Skips the tests of {@link BUCKET_TESTS} in the test file that runs. Called before its tests are defined. */
export function skipBucketTests(): void {
  const file = expect.getState().testPath ?? '';
  const isOfBuckets = (title: string): boolean =>
    BUCKET_TESTS.some(
      (each) =>
        file.endsWith(`/e2e/${each.file}.test.ts`) && (each.title === undefined || each.title === title),
    );
  const whole = global.test;
  const skipping = ((title: string, ...rest: [jest.ProvidesCallback?, number?]) =>
    (isOfBuckets(title) ? whole.skip : whole)(title, ...rest)) as jest.It;
  const each = ((...table: Parameters<jest.Each>) =>
    (title: string, ...rest: [never, never?]) =>
      (isOfBuckets(title) ? whole.skip : whole).each(...table)(title, ...rest)) as jest.Each;
  global.test = Object.assign(skipping, { ...whole, each });
}
