import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { FileProblems, MapReader, parseYaml } from '@cairn/workspace';

/** Folder with the credentials of a pod's service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Address and credentials of a Kubernetes API server. */
export interface ClusterAccess {
  readonly server: URL;
  /** Namespace of the service account or of the context. Defaults to none. */
  readonly namespace: string | undefined;
  /** PEM texts. `ca` defaults to the authorities of the system. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Name in the certificate of the server. Defaults to that of its address. */
  readonly serverName?: string;
  /** Returns the bearer token, read again each time: tokens in files are replaced. */
  readonly token: () => Promise<string | undefined>;
}

/** Place of the credentials. */
interface AccessSource {
  /** Absolute path. Defaults to the service account of the pod of the agent. */
  readonly kubeconfig?: string | undefined;
  /** Defaults to the current one of the file. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the service account. Defaults to that of every pod. */
  readonly account?: string;
}

/** Reads how to reach the API server. Fails with `CAIRN-AGENT-INVALID`. */
export function readClusterAccess(source: AccessSource): Promise<ClusterAccess> {
  return source.kubeconfig === undefined
    ? podAccess(source)
    : kubeconfigAccess(source.kubeconfig, source.context);
}

async function podAccess({ env, account = SERVICE_ACCOUNT }: AccessSource): Promise<ClusterAccess> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const own = (name: string): Promise<string> => readFile(path.join(account, name), 'utf8');
  const ca = await own('ca.crt').catch(() => undefined);
  if (host === undefined || ca === undefined)
    throw cairnError('CAIRN-AGENT-INVALID', 'the agent runs in no pod with a service account', {
      hint: 'Name a file with access to the cluster as `kubeconfig` of the executor.',
    });
  const namespace = (await own('namespace').catch(() => '')).trim();
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    namespace: namespace === '' ? undefined : namespace,
    ca,
    token: async () => (await own('token')).trim(),
  };
}

async function kubeconfigAccess(file: string, wanted: string | undefined): Promise<ClusterAccess> {
  const problems = new FileProblems(file, 'kubeconfig', 'CAIRN-AGENT-INVALID');
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw cairnError('CAIRN-AGENT-INVALID', `cannot read ${file}: ${messageOf(thrown)}`, {}, thrown);
  });
  const { root } = parseYaml(text, problems);
  if (root?.kind !== 'map') return problems.fail({ line: 1, column: 1 }, 'it has no settings');
  const reader = new MapReader(root, '', problems);
  const name = wanted ?? reader.text('current-context') ?? '';
  const context = named(reader, 'contexts', 'context', name);
  const cluster = named(reader, 'clusters', 'cluster', context?.requiredText('cluster') ?? '');
  const user = named(reader, 'users', 'user', context?.requiredText('user') ?? '');
  problems.check();
  if (context === undefined || cluster === undefined || user === undefined)
    return problems.fail(reader.at, `it has no context ${JSON.stringify(name)} with a cluster and a user`);
  refuseUnsafe(cluster, user);
  const server = cluster.requiredText('server');
  if (!URL.canParse(server) || new URL(server).protocol !== 'https:')
    cluster.problem('server', 'must be an https address');
  const namespace = context.text('namespace');
  const serverName = cluster.text('tls-server-name');
  const material = {
    ca: await dataOf(cluster, 'certificate-authority', file),
    cert: await dataOf(user, 'client-certificate', file),
    key: await dataOf(user, 'client-key', file),
  };
  const [token, tokenFile] = [user.text('token'), user.text('tokenFile')];
  problems.check();
  return {
    ...{ server: new URL(server), namespace },
    ...(Object.fromEntries(
      Object.entries(material).filter(([, value]) => value !== undefined),
    ) as Partial<ClusterAccess>),
    ...(serverName !== undefined && { serverName }),
    token:
      tokenFile === undefined
        ? () => Promise.resolve(token)
        : async () => (await readFile(path.resolve(path.dirname(file), tokenFile), 'utf8')).trim(),
  };
}

/** Records settings that this client does not keep to, or that would show credentials to others. */
function refuseUnsafe(cluster: MapReader, user: MapReader): void {
  if (cluster.flag('insecure-skip-tls-verify') === true)
    cluster.problem(
      'insecure-skip-tls-verify',
      'must not be true',
      'Name the certificate-authority instead.',
    );
  if (cluster.entry('proxy-url') !== undefined) cluster.problem('proxy-url', 'is not supported');
  for (const key of ['exec', 'auth-provider', 'username'])
    if (user.entry(key) !== undefined)
      user.problem(key, 'is not supported', 'Use a client certificate, a token, or a tokenFile.');
}

/** Returns the entry of a list of names, such as `clusters`. */
function named(reader: MapReader, list: string, member: string, name: string): MapReader | undefined {
  for (const node of reader.list(list) ?? []) {
    const entry = reader.asMap(node, list);
    if (entry?.text('name') === name) return entry.submap(member);
  }
  return undefined;
}

/** Returns the text of a member with data, or of the file that it names. */
async function dataOf(reader: MapReader, key: string, file: string): Promise<string | undefined> {
  const data = reader.text(`${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const named = reader.text(key);
  if (named === undefined) return undefined;
  return readFile(path.resolve(path.dirname(file), named), 'utf8').catch((thrown: unknown) =>
    reader.problem(key, `cannot be read: ${messageOf(thrown)}`),
  );
}
