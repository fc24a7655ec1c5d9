import { ofType, policyPack, resourcePolicy } from '@cairn/sdk/policy';

/** Properties of a file as policies see them. */
interface File {
  readonly path: string;
}

export default policyPack({
  name: 'rules',
  description: 'Rules for resources',
  policies: [
    resourcePolicy({
      name: 'inside',
      description: 'Files lie inside the folder of the program.',
      enforcementLevel: 'mandatory',
      of: ofType<File>('cairn-local:index:File'),
      validate({ props }, { report }) {
        if (props.path.startsWith('/') || props.path.startsWith('..')) report(`${props.path} lies outside`);
      },
    }),
  ],
});
