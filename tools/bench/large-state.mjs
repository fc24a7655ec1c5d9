/**
 * A stack file as an operation leaves it: `count` resources of about 1 kB under one component, every tenth with a
 * secret. Yields its text in pieces.
 */
export function* largeCheckpoint(count, { project = 'bench', stack = 'big' } = {}) {
  const urn = (type, name) => `urn:pulumi:${stack}::${project}::${type}::${name}`;
  const root = urn('pulumi:pulumi:Stack', `${project}-${stack}`);
  const provider = urn('pulumi:providers:cloud', 'default_1_2_3');
  const time = '2026-01-02T03:04:05.678901234Z';
  const manifest = {
    time,
    magic: '7b869d3b91a5a44252a7ad88e94dc424bf208a19f711cc73676ae04ca1494233',
    version: 'v3.0.0',
  };
  yield `{"version":3,"checkpoint":{"stack":"organization/${project}/${stack}","latest":{"manifest":${JSON.stringify(manifest)},"resources":[`;
  yield JSON.stringify({
    urn: root,
    custom: false,
    type: 'pulumi:pulumi:Stack',
    created: time,
    modified: time,
  });
  yield `,${JSON.stringify({ urn: provider, custom: true, id: 'f8c2a1d0', type: 'pulumi:providers:cloud', inputs: { region: 'eu-1' }, outputs: { region: 'eu-1' }, created: time, modified: time })}`;
  for (let index = 0; index < count - 2; index++) {
    const name = `bucket-${String(index).padStart(6, '0')}`;
    const inputs = {
      acl: index % 3 === 0 ? 'private' : 'public-read',
      forceDestroy: false,
      name: `${name}-7f3a9c2e`,
      retention: index,
      tags: { team: `team-${index % 40}`, note: 'prüfung <ok> & done', index: String(index) },
    };
    const resource = {
      urn: urn('cloud:storage/bucket:Bucket', name),
      custom: true,
      id: `${name}-7f3a9c2e`,
      type: 'cloud:storage/bucket:Bucket',
      inputs,
      outputs: {
        ...inputs,
        arn: `arn:cloud:storage:eu-1:123456789012:bucket/${name}-7f3a9c2e`,
        domain: `${name}-7f3a9c2e.storage.example.com`,
        ...(index % 10 === 0 && {
          key: {
            '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
            plaintext: JSON.stringify(`k-${index}`),
          },
        }),
      },
      parent: root,
      dependencies:
        index === 0
          ? undefined
          : [urn('cloud:storage/bucket:Bucket', `bucket-${String(index - 1).padStart(6, '0')}`)],
      provider: `${provider}::f8c2a1d0`,
      propertyDependencies: {
        acl: [],
        name:
          index === 0
            ? []
            : [urn('cloud:storage/bucket:Bucket', `bucket-${String(index - 1).padStart(6, '0')}`)],
        tags: null,
      },
      created: time,
      modified: time,
    };
    yield `,${JSON.stringify(resource)}`;
  }
  yield '],"metadata":{}}}}';
}
