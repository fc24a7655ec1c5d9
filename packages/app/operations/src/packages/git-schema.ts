/** A plugin in a git repository. */
interface GitOrigin {
  /** `HOST/OWNER/REPOSITORY…` */
  readonly name: string;
  readonly version: string | undefined;
  /** Address to download it from. */
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
 * Completes the schema of a plugin from a git repository, which does not know where it comes from. It gets the
 * installed version and its address. Its namespace is the owner of the repository if it names none. A package made by
 * parameters keeps its version; the plugin that made it has that of the repository.
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
