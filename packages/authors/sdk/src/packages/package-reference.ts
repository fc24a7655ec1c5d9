import type { Deployment } from '../runtime/deployment.js';
import { deployment } from '../runtime/deployment.js';
import type { BasePlugin, PackageInfo } from './shape.js';

/** Key in options for the package of a generated class, if its plugin must be asked to serve it. */
export const PACKAGE = Symbol.for('cairn.sdk.package');

/** Options of generated code. */
export interface WithPackage {
  readonly [PACKAGE]?: PackageInfo | undefined;
}

const references = new WeakMap<Deployment, Map<string, Promise<string>>>();

/** Returns the engine's reference of a parameterized package. Requested once a deployment. */
// [PKG-1]
export function packageReference(info: PackageInfo): Promise<string> {
  const current = deployment();
  let known = references.get(current);
  if (known === undefined) references.set(current, (known = new Map<string, Promise<string>>()));
  const key = `${info.name}@${info.version}`;
  let found = known.get(key);
  if (found === undefined && info.base !== undefined) {
    found = register(current, info, info.base);
    known.set(key, found);
  }
  return found ?? Promise.resolve('');
}

async function register({ monitor }: Deployment, info: PackageInfo, base: BasePlugin): Promise<string> {
  const { name, version } = info;
  const parameters = { name, version, value: Buffer.from(base.value, 'base64') };
  const { ref } = await monitor.registerPackage({
    name: base.name,
    version: base.version,
    downloadUrl: info.pluginDownloadURL ?? '',
    checksums: {},
    parameterization: base.extension === true ? undefined : parameters,
    extension: base.extension === true ? parameters : undefined,
  });
  return ref;
}
