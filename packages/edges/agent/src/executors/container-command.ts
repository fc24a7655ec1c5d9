import path from 'node:path';
import type { ContainerSettings, RunLimits } from '../config/agent-config.js';

/** Home of a container whose home does not stay. */
const FRESH_HOME = '/home/cairn';
/** Variables that the image or the container has of its own. */
const OWN_VARIABLES: ReadonlySet<string> = new Set(['PATH', 'HOME', 'TMPDIR']);
/** Longest value in a file of variables. The commands refuse longer lines. */
const LONGEST = 60_000;

/** Variables of the agent that the container command needs for itself. They do not reach containers. */
const CLIENT_VARIABLES = [
  ...['PATH', 'HOME', 'LANG', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH'],
  ...['CONTAINER_HOST', 'CONTAINER_SSHKEY', 'REGISTRY_AUTH_FILE', 'XDG_DATA_HOME'],
  ...['CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'CONTAINERS_REGISTRIES_CONF'],
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** Command in a container, and what it may use. */
export interface ContainerCommand {
  readonly container: ContainerSettings;
  readonly name: string;
  /** Agent, stack and run, as labels for people. */
  readonly labels: Readonly<Record<'agent' | 'stack' | 'run', string>>;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Folders that are mounted at the same path. */
  readonly folders: readonly string[];
  /** Home of the stack, for containers that keep it. */
  readonly home: string;
  /** Variables of the process of a stack. */
  readonly env: Variables;
  readonly limits: RunLimits;
}

/** Returns the variables of the agent that the container command gets. */
export function clientVariables(env: Variables): Variables {
  return Object.fromEntries(CLIENT_VARIABLES.map((name) => [name, env[name]]));
}

/** Returns the variables of a container as the text of a file. */
export function containerVariables({ container, home, env }: ContainerCommand): string {
  const own = { HOME: container.keepsHome ? home : FRESH_HOME, TMPDIR: '/tmp' };
  return [...Object.entries(own), ...givenVariables(env)]
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/**
 * Returns why a container cannot have the variables. Passing them on through the environment of the container command
 * is no way out: that command runs outside the container.
 */
export function variablesProblem(env: Variables): string | undefined {
  for (const [name, value] of givenVariables(env)) {
    if (/[\r\n]/.test(value))
      return `the variable ${name} has several lines, and containers take one: write it as one line, or mount a file`;
    if (value.length > LONGEST)
      return `the variable ${name} has more than ${LONGEST} characters: mount a file with it`;
  }
  return undefined;
}

function givenVariables(env: Variables): readonly (readonly [string, string])[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined || OWN_VARIABLES.has(name) ? [] : [[name, value] as const],
  );
}

/**
 * Returns the words with which a container command runs a command [AGT-17]. `envFile` has the variables; its name has
 * no comma and no quote, because podman reads a list. `self` is the user and group of the agent, where the system has
 * them.
 */
export function containerWords(
  request: ContainerCommand,
  envFile: string,
  self: { readonly uid: number; readonly gid: number } | undefined,
): readonly string[] {
  const { container, command, args } = request;
  const words = [
    ...['run', '--rm', '--init', '--name', request.name],
    ...Object.entries(request.labels).flatMap(([label, value]) => ['--label', `cairn.${label}=${value}`]),
    ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--log-driver', 'none'],
    ...userWords(container, self),
    ...(container.network === undefined ? [] : ['--network', container.network]),
    ...limitWords(request.limits),
    ...mountWords(request),
    ...['--workdir', request.cwd, '--env-file', envFile],
  ];
  return [...words, '--entrypoint', command, container.image, ...args];
}

/**
 * Returns the calls that end a container and remove it. `docker rm --force` kills it at once, that of podman gives it
 * ten seconds first.
 */
export function removalCalls(command: string, name: string): readonly (readonly string[])[] {
  const remove = ['rm', '--force', name];
  return isPodman(command) ? [['kill', name], remove] : [remove];
}

function isPodman(command: string): boolean {
  return path.basename(command) === 'podman';
}

/** Files of the mounted folders belong to the agent, so the command in the container has its user. */
function userWords(
  { command, user }: ContainerSettings,
  self: { readonly uid: number; readonly gid: number } | undefined,
): readonly string[] {
  if (user !== undefined) return ['--user', user];
  if (self === undefined) return [];
  const isMapped = isPodman(command) && self.uid !== 0;
  return [...(isMapped ? ['--userns', 'keep-id'] : []), '--user', `${self.uid}:${self.gid}`];
}

function limitWords({ memoryBytes, processors, processes }: RunLimits): readonly string[] {
  return [
    ...(memoryBytes === undefined ? [] : ['--memory', `${memoryBytes}`, '--memory-swap', `${memoryBytes}`]),
    ...(processors === undefined ? [] : ['--cpus', `${processors}`]),
    ...(processes === undefined ? [] : ['--pids-limit', `${processes}`]),
  ];
}

function mountWords({ container, folders, home, limits }: ContainerCommand): readonly string[] {
  const size = limits.diskBytes === undefined ? '' : `,size=${limits.diskBytes}`;
  const scratch = (place: string): string => `${place}:rw,exec,nosuid,nodev,mode=1777${size}`;
  const all = [...folders, ...(container.keepsHome ? [home] : []), ...container.mounts];
  return [
    ...['/tmp', ...(container.keepsHome ? [] : [FRESH_HOME])].flatMap((place) => ['--tmpfs', scratch(place)]),
    ...[...new Set(all)].flatMap((folder) => ['--mount', bindOf(folder)]),
  ];
}

/** Returns a mount in the form of a line of CSV, as container commands read it. */
function bindOf(folder: string): string {
  const field = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return ['type=bind', field(`source=${folder}`), field(`target=${folder}`)].join(',');
}
