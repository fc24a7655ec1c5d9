/** A plugin in a git repository. */
interface GitOrigin {
  /** `HOST/OWNER/REPOSITORY…` */
  readonly name: string;
  readonly version: string | undefined;
  /** Where it is downloaded from. */
  readonly url: string;
}

interface Schema {
  readonly namespace?: unknown;
  readonly parameterization?: Made;
  readonly extensionParameterization?: Made;
}

interface Made {
  readonly baseProvider?: object;
}

/**
 * The schema of a plugin from a git repository, which cannot know where it lies: with the version that was installed,
 * where it comes from, and the owner of the repository as its namespace where it names none. What parameters have made
 * keeps its version; the plugin that made it has that of the repository.
 */
export function schemaFromGit(schema: string, { name, version, url }: GitOrigin): string {
  const read = JSON.parse(schema) as Schema;
  const [, owner = ''] = name.split('/');
  const namespace =
    read.namespace === undefined || read.namespace === '' ? owner.toLowerCase() : read.namespace;
  return JSON.stringify({ ...read, namespace, pluginDownloadURL: url, ...versioned(read, version) });
}

function versioned(read: Schema, version: string | undefined): object {
  for (const key of ['parameterization', 'extensionParameterization'] as const) {
    const made = read[key];
    if (made !== undefined) return { [key]: { ...made, baseProvider: { ...made.baseProvider, version } } };
  }
  return { version };
}
