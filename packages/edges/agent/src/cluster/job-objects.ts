import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ClusterSettings, RunLimits } from '../config/agent-config.js';

/** Name of the file with the work of a container, and the folders of those of the two containers. */
const WORK_KEY = 'work';
const WORK_FOLDER = '/run/cairn';
const SOURCE_FOLDER = '/run/cairn-source';
/** Folder for files of a pod: its checkout, its homes and its plan. */
const FILES_FOLDER = '/work';
/** Names of the container, and of the one before it that fetches the program. */
export const CONTAINER = 'run';
export const SOURCE_CONTAINER = 'source';
/** Seconds that a pod has to end its running steps. */
export const GRACE_SECONDS = 90;
/** Seconds after which the cluster removes a job that ended and that no agent has removed. */
const KEPT_SECONDS = 3_600;
/** Bytes of a secret's value. The server takes 1 MiB for the whole object, in base64. */
const MOST_BYTES = 750_000;
/** Secrets of one work. The node keeps them in memory. */
const MOST_PIECES = 16;

/** Names of a job's labels. */
export const LABELS = { stack: 'cairn.stack', run: 'cairn.run', job: 'cairn.job' } as const;

/** Facts about a job. */
export interface JobFacts {
  readonly name: string;
  readonly namespace: string;
  readonly cluster: ClusterSettings;
  readonly agent: string;
  /** Reference of the stack with its backend. */
  readonly stack: string;
  readonly run: string;
  readonly limits: RunLimits;
  /** Most commands that the pod runs one after the other. */
  readonly commands: number;
}

/** Work of the containers of a job, in pieces of which each has a secret of its own. */
interface JobWork {
  readonly work: readonly Buffer[];
  /** Work of the container that fetches the program. It has the credentials for git. Defaults to no such container. */
  readonly source?: readonly Buffer[];
}

/** Packs a work into pieces. Undefined if it is too large for a cluster. */
export function packedWork(text: string): readonly Buffer[] | undefined {
  const packed = gzipSync(text);
  const count = Math.ceil(packed.length / MOST_BYTES);
  if (count > MOST_PIECES) return undefined;
  return Array.from({ length: count }, (_, at) => packed.subarray(at * MOST_BYTES, (at + 1) * MOST_BYTES));
}

/** Returns the value of the label of a stack: references have characters that labels do not take. */
export function stackLabel(stack: string): string {
  return createHash('sha256').update(stack).digest('hex').slice(0, 40);
}

/** Returns a job with one pod. It is suspended: the pod starts when its secrets are there. */
export function jobObject(
  { name, namespace, cluster, agent, stack, run, limits, commands }: JobFacts,
  work: JobWork,
): object {
  const labels = {
    'app.kubernetes.io/managed-by': 'cairn-agent',
    [LABELS.stack]: stackLabel(stack),
    [LABELS.run]: run,
    [LABELS.job]: name,
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels, annotations: { 'cairn.agent': agent, 'cairn.reference': stack } },
    spec: {
      suspend: true,
      parallelism: 1,
      completions: 1,
      backoffLimit: 0,
      activeDeadlineSeconds: Math.ceil((limits.timeMs * commands) / 1000) + GRACE_SECONDS,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      template: { metadata: { labels }, spec: podSpec(name, cluster, limits, work) },
    },
  };
}

function podSpec(
  name: string,
  cluster: ClusterSettings,
  limits: RunLimits,
  { work, source }: JobWork,
): object {
  const { serviceAccount, pullSecret, user } = cluster;
  const disk = limits.diskBytes === undefined ? {} : { sizeLimit: String(limits.diskBytes) };
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE_SECONDS,
    ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
    ...(pullSecret !== undefined && { imagePullSecrets: [{ name: pullSecret }] }),
    securityContext: {
      ...{ runAsNonRoot: true, runAsUser: user.uid, runAsGroup: user.gid, fsGroup: user.gid },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(source !== undefined && {
      initContainers: [containerOf(SOURCE_CONTAINER, SOURCE_FOLDER, cluster, limits)],
    }),
    containers: [containerOf(CONTAINER, WORK_FOLDER, cluster, limits)],
    volumes: [
      { name: `${CONTAINER}-work`, ...secretVolume(secretNames(name, CONTAINER, work)) },
      ...(source === undefined
        ? []
        : [
            {
              ...{ name: `${SOURCE_CONTAINER}-work` },
              ...secretVolume(secretNames(name, SOURCE_CONTAINER, source)),
            },
          ]),
      { name: 'files', emptyDir: disk },
      { name: 'tmp', emptyDir: disk },
    ],
  };
}

/** Returns a container that does the work of a folder. It sees no work of another container. */
function containerOf(name: string, folder: string, { image }: ClusterSettings, limits: RunLimits): object {
  return {
    ...{ name, image },
    command: ['cairn', 'agent', '--pod-work', `${folder}/${WORK_KEY}`],
    workingDir: FILES_FOLDER,
    env: [{ name: 'HOME', value: FILES_FOLDER }],
    resources: resourcesOf(limits),
    securityContext: {
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: `${name}-work`, mountPath: folder, readOnly: true },
      { name: 'files', mountPath: FILES_FOLDER },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

/** Returns the names of the secrets with the pieces of a work. */
function secretNames(name: string, container: string, pieces: readonly Buffer[]): readonly string[] {
  const first = container === CONTAINER ? name : `${name}-${container}`;
  return pieces.map((_piece, at) => (at === 0 ? first : `${first}-${at}`));
}

function secretVolume(names: readonly string[]): object {
  const [secretName] = names;
  if (names.length === 1) return { secret: { secretName, defaultMode: 0o440 } };
  return { projected: { sources: names.map((name) => ({ secret: { name } })), defaultMode: 0o440 } };
}

function resourcesOf({ memoryBytes, processors }: RunLimits): object {
  const amounts = {
    ...(memoryBytes !== undefined && { memory: String(memoryBytes) }),
    ...(processors !== undefined && { cpu: String(processors) }),
  };
  return Object.keys(amounts).length === 0 ? {} : { limits: amounts, requests: amounts };
}

/** Returns the secrets with the work of a job. They go with the job. */
export function workSecrets(facts: JobFacts, uid: string, { work, source = [] }: JobWork): readonly object[] {
  const of = (container: string, pieces: readonly Buffer[]): readonly object[] => {
    const names = secretNames(facts.name, container, pieces);
    return pieces.map((piece, at) => {
      const key = at === 0 ? WORK_KEY : `${WORK_KEY}.${at}`;
      return secretObject(facts, uid, names[at] ?? '', { [key]: piece.toString('base64') });
    });
  };
  return [...of(CONTAINER, work), ...of(SOURCE_CONTAINER, source)];
}

function secretObject(
  { name: job, namespace, stack, run }: JobFacts,
  uid: string,
  name: string,
  data: Readonly<Record<string, string>>,
): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    immutable: true,
    metadata: {
      ...{ name, namespace, labels: { [LABELS.stack]: stackLabel(stack), [LABELS.run]: run } },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: job, uid, blockOwnerDeletion: false }],
    },
    data,
  };
}
