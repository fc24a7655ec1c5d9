/** Members that objects may have, and the form of each: an API server refuses or drops others. */
type Form = 'text' | 'number' | 'flag' | 'texts' | { readonly [member: string]: Form } | readonly [Form];

const LABELS: Form = 'texts';
const VOLUME: Form = {
  name: 'text',
  secret: { secretName: 'text', defaultMode: 'number' },
  emptyDir: { sizeLimit: 'text' },
  projected: { sources: [{ secret: { name: 'text' } }], defaultMode: 'number' },
};
const CONTAINER: Form = {
  ...{ name: 'text', image: 'text', command: ['text'], workingDir: 'text' },
  env: [{ name: 'text', value: 'text' }],
  resources: { limits: 'texts', requests: 'texts' },
  securityContext: {
    ...{ allowPrivilegeEscalation: 'flag', readOnlyRootFilesystem: 'flag' },
    capabilities: { drop: ['text'] },
  },
  volumeMounts: [{ name: 'text', mountPath: 'text', readOnly: 'flag' }],
};
const POD: Form = {
  ...{ restartPolicy: 'text', automountServiceAccountToken: 'flag', enableServiceLinks: 'flag' },
  ...{
    terminationGracePeriodSeconds: 'number',
    serviceAccountName: 'text',
    imagePullSecrets: [{ name: 'text' }],
  },
  securityContext: {
    ...{ runAsNonRoot: 'flag', runAsUser: 'number', runAsGroup: 'number', fsGroup: 'number' },
    seccompProfile: { type: 'text' },
  },
  initContainers: [CONTAINER],
  containers: [CONTAINER],
  volumes: [VOLUME],
};
const JOB: Form = {
  ...{ apiVersion: 'text', kind: 'text' },
  metadata: { name: 'text', namespace: 'text', labels: LABELS, annotations: LABELS },
  spec: {
    ...{ suspend: 'flag', parallelism: 'number', completions: 'number', backoffLimit: 'number' },
    ...{ activeDeadlineSeconds: 'number', ttlSecondsAfterFinished: 'number' },
    template: { metadata: { labels: LABELS }, spec: POD },
  },
};
const OWNER: Form = {
  apiVersion: 'text',
  kind: 'text',
  name: 'text',
  uid: 'text',
  blockOwnerDeletion: 'flag',
};
const SECRET: Form = {
  ...{ apiVersion: 'text', kind: 'text', type: 'text', immutable: 'flag', data: 'texts' },
  metadata: { name: 'text', namespace: 'text', labels: LABELS, ownerReferences: [OWNER] },
};
const NAMES: Readonly<Record<string, string>> = { text: 'string', number: 'number', flag: 'boolean' };

/** Returns the faults of a job. */
export function jobFaults(job: object): readonly string[] {
  const { labels } = (job as { metadata?: { labels?: Record<string, string> } }).metadata ?? {};
  const bad = Object.values(labels ?? {}).filter(
    (value) => !/^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/.test(value),
  );
  return [...faultsIn(job, JOB, 'job'), ...bad.map((value) => `label ${value}`)];
}

/** Returns the faults of a secret. */
export function secretFaults(secret: object): readonly string[] {
  return faultsIn(secret, SECRET, 'secret');
}

function faultsIn(value: unknown, form: Form, at: string): readonly string[] {
  if (Array.isArray(form)) {
    const [each] = form as readonly [Form];
    return Array.isArray(value)
      ? value.flatMap((item) => faultsIn(item, each, `${at}[]`))
      : [`${at} is no list`];
  }
  if (form === 'texts')
    return Object.values(value as object).every((text) => typeof text === 'string')
      ? []
      : [`${at} has no texts`];
  if (typeof form === 'string') return typeof value === NAMES[form] ? [] : [`${at} is no ${form}`];
  return Object.entries(value as object).flatMap(([name, member]) => {
    const known = (form as Readonly<Record<string, Form>>)[name];
    return known === undefined ? [`${at}.${name} is unknown`] : faultsIn(member, known, `${at}.${name}`);
  });
}
