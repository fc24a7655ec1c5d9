/** A variable of the environment that Cairn honours. */
export interface VariableSpec {
  /** Name without its prefix: `CAIRN_<name>` counts before `PULUMI_<name>` [CFG-14]. */
  readonly name: string;
  /** True if there is no `PULUMI_<name>`. */
  readonly ours?: true;
  /** Older names of the same meaning, without prefix. */
  readonly also?: readonly string[];
  /** True if its value must not be shown. */
  readonly secret?: true;
  readonly summary: string;
}

/** Every variable, in the order of their names. Those of options, `OPTION_<FLAG>`, follow from the commands. */
export const variableTable: readonly VariableSpec[] = [
  {
    name: 'ACCESS_TOKEN',
    secret: true,
    summary: 'Access token for a state service, in preference to that of `cairn login`',
  },
  { name: 'BACKEND_URL', summary: 'Backend, in preference to the project file and `cairn login`' },
  { name: 'CHECKPOINT', ours: true, summary: 'How often an operation writes the state' },
  {
    name: 'CI_ANNOTATIONS',
    ours: true,
    summary: '0: no groups and annotations in the logs of GitHub and GitLab',
  },
  { name: 'CI_BRANCH_NAME', summary: 'Branch that the CI system of `CI_SYSTEM` builds; kept in history' },
  { name: 'CI_BUILD_ID', summary: 'Id of its build' },
  { name: 'CI_BUILD_NUMBER', summary: 'Number of its build' },
  { name: 'CI_BUILD_TYPE', summary: 'Event that started its build, such as push' },
  { name: 'CI_BUILD_URL', summary: 'Address of its build' },
  { name: 'CI_PULL_REQUEST_SHA', summary: 'Commit that it builds' },
  {
    name: 'CI_SYSTEM',
    summary: 'Name of a CI system that Cairn does not recognise by its own variables; kept in history',
  },
  {
    name: 'CLOUD_SECRET_OVERRIDE',
    summary: 'Key that decrypts secrets, instead of the one that a stack names',
  },
  {
    name: 'CODE_CACHE',
    ours: true,
    summary: 'Folder of compiled code, instead of `cache/code` in the home',
  },
  { name: 'CONFIG_PASSPHRASE', secret: true, summary: 'Passphrase of stacks; may be empty' },
  { name: 'CONFIG_PASSPHRASE_FILE', summary: 'File with the passphrase' },
  { name: 'CONTINUE_ON_ERROR', summary: 'The same as --continue-on-error' },
  { name: 'CREDENTIALS_PATH', summary: 'Folder of the file that remembers the chosen backend' },
  { name: 'DEBUG_GRPC', summary: 'File for a log of the calls between processes, with secrets masked' },
  { name: 'DEBUG_LANGUAGES', summary: 'Language plugins that are already running: name:port,name2:port2' },
  { name: 'DEBUG_PROVIDERS', summary: 'Providers that are already running: name:port,name2:port2' },
  {
    name: 'DEFAULT_BACKEND_URL',
    ours: true,
    summary: 'Backend, after the project file and in preference to `cairn login`',
  },
  {
    name: 'DEFAULT_ORGANIZATION',
    summary: 'Organization of stacks of a state service that are named without one',
  },
  { name: 'DISABLE_CI_DETECTION', summary: 'Behave as outside a CI system' },
  {
    name: 'DISABLE_REFRESH_BEFORE_UPDATE',
    summary: 'Do not refresh resources whose provider asks for it before an update',
  },
  {
    name: 'DISABLE_RESOURCE_REFERENCES',
    summary: 'Pass ids to programs and providers instead of references',
  },
  { name: 'DISABLE_SECRET_CACHE', summary: 'Encrypt secrets again even if they have not changed' },
  { name: 'DISABLE_VALIDATION', summary: 'Allow names of stacks in other forms' },
  {
    name: 'DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS',
    also: ['DISABLE_CHECKPOINT_BACKUPS'],
    summary: 'Keep no backups of states',
  },
  { name: 'DIY_BACKEND_GZIP', also: ['SELF_MANAGED_STATE_GZIP'], summary: 'Write states with gzip' },
  {
    name: 'DIY_BACKEND_IGNORE_DEPRECATION_ERROR',
    summary: 'Work with stacks of the layout without projects',
  },
  {
    name: 'DIY_BACKEND_LEGACY_LAYOUT',
    also: ['SELF_MANAGED_STATE_LEGACY_LAYOUT'],
    summary: 'Give new stores the layout without projects',
  },
  {
    name: 'DIY_BACKEND_NO_LEGACY_WARNING',
    also: ['SELF_MANAGED_STATE_NO_LEGACY_WARNING'],
    summary: 'Do not warn about stacks of the layout without projects',
  },
  { name: 'DIY_BACKEND_PARALLEL', summary: 'Number of objects of a store that are read at once' },
  {
    name: 'DIY_BACKEND_RETAIN_CHECKPOINTS',
    also: ['RETAIN_CHECKPOINTS'],
    summary: 'Keep a copy of every state that is written',
  },
  { name: 'DIY_BACKEND_ZSTD', also: ['SELF_MANAGED_STATE_ZSTD'], summary: 'Write states with zstd' },
  { name: 'ENABLE_LEGACY_DIFF', summary: 'Ask providers to compare inputs even if they are equal' },
  { name: 'ENABLE_LEGACY_PLUGIN_SEARCH', summary: 'Use the newest version of a plugin that is not too old' },
  { name: 'ENABLE_LEGACY_REFRESH_DIFF', summary: 'Compare only outputs in a refresh' },
  { name: 'ENABLE_STREAMING_JSON_PREVIEW', summary: '`preview --json` writes events as they happen' },
  { name: 'EVENT_LOG', ours: true, summary: 'changes: --event-log leaves out what changes nothing' },
  { name: 'EXIT_CODES', ours: true, summary: 'fine: exit codes distinguish more failures' },
  {
    name: 'FALLBACK_TO_STATE_SECRETS_MANAGER',
    summary: 'Use the secrets manager of the state for a stack without its file',
  },
  {
    name: 'GENERATE_PASSPHRASE',
    summary: 'Generate a passphrase for a new stack if there is no terminal to ask on',
  },
  { name: 'GIT_AUTHOR', summary: 'Outside of a git checkout: author of the commit, for history' },
  { name: 'GIT_AUTHOR_EMAIL', summary: 'The same for the address of the author' },
  { name: 'GIT_COMMITTER', summary: 'The same for the committer' },
  { name: 'GIT_COMMITTER_EMAIL', summary: 'The same for the address of the committer' },
  { name: 'GIT_HEAD', summary: 'The same for the commit' },
  { name: 'GIT_HEAD_NAME', summary: 'The same for the branch' },
  { name: 'HOME', summary: 'Folder of settings and plugins (default: .cairn in the home directory)' },
  { name: 'IGNORE_AMBIENT_PLUGINS', summary: 'Do not look for plugins on the PATH' },
  { name: 'JOURNAL_RETENTION', ours: true, summary: 'Number of recorded changes that a stack keeps' },
  { name: 'LEASE_RENEWAL', ours: true, summary: 'Seconds after which the lock of a stack is renewed' },
  { name: 'LEASE_TAKEOVER', ours: true, summary: 'When to take over a lock whose owner is gone' },
  { name: 'LEASE_TERM', ours: true, summary: 'Seconds for which a lock is valid' },
  {
    name: 'NO_CODE_CACHE',
    ours: true,
    summary: '1: read and store no compiled code; each start takes longer',
  },
  { name: 'PARALLEL', summary: 'The same as --parallel' },
  { name: 'PARALLEL_ANALYZE', summary: 'Number of resources that policies analyze at once' },
  { name: 'PLUGIN_DOWNLOAD_URL_OVERRIDES', summary: 'Where plugins are downloaded from: pattern=address,…' },
  { name: 'POLICY_TEMPLATE_BRANCH', summary: 'Branch of the templates of policy packs' },
  { name: 'POLICY_TEMPLATE_GIT_REPOSITORY', summary: 'Git address of the templates of policy packs' },
  {
    name: 'PROVIDERS_OUT_OF_PROCESS',
    ours: true,
    summary: 'Run the providers of Cairn as separate processes',
  },
  { name: 'PR_NUMBER', summary: 'Number of the pull request that the CI system of `CI_SYSTEM` builds' },
  { name: 'RUN_PROGRAM', summary: 'The same as --run-program' },
  { name: 'SKIP_CONFIRMATIONS', summary: 'The same as --yes' },
  { name: 'STACK', summary: 'Stack, in preference to the selected one' },
  {
    name: 'STACK_LOCK',
    ours: true,
    summary: 'Id of the lock of `cairn stack lock` under which commands work',
  },
  { name: 'STATE_ENCRYPTION', ours: true, summary: 'on: seal states as a whole; off: do not seal them' },
  {
    name: 'STOP_GRACE',
    ours: true,
    summary: 'Seconds that steps, programs and plugins have to end when they are asked to (default: 5)',
  },
  { name: 'TEMPLATE_BRANCH', summary: 'Branch of the templates of projects' },
  { name: 'TEMPLATE_GIT_REPOSITORY', summary: 'Git address of the templates of projects' },
  {
    name: 'UNSIGNED_PROVIDERS',
    ours: true,
    summary: 'Terraform providers that may be downloaded without a signature: address,… with * for any part',
  },
  { name: 'VCS_REPO_KIND', summary: 'Outside of a git checkout: host of the repository, for history' },
  { name: 'VCS_REPO_NAME', summary: 'The same for the name of the repository' },
  { name: 'VCS_REPO_OWNER', summary: 'The same for its owner' },
  { name: 'VCS_REPO_ROOT', summary: 'The same for the folder of the project in it' },
];
