import { ROOT_STACK_TYPE, isUrn, urnName } from '@cairn/addresses';
import { ORGANIZATION } from '@cairn/backends';
import { blindingStateCrypter } from '@cairn/crypters';
import { decodeResource, goStruct, isJsonObject } from '@cairn/state';
import type { Json, JsonObject, Manifest, SerializedDeployment } from '@cairn/state';
import { plainJson } from '../display/plain-json.js';
import type { OpenStack, Ports } from '@cairn/operations/stacks';
import { stateCrypter } from '@cairn/operations/stacks';

/** A stack as `cairn stack --output json` prints it [EVT-5]. Secrets are `[secret]` unless they are shown. */
export async function stackJson(
  { ports, backend, url, id }: OpenStack,
  deployment: SerializedDeployment | undefined,
  show: boolean,
): Promise<JsonObject> {
  const running = (await backend.changes(id).catch(() => [])).find((change) => change.running);
  const holder = running === undefined ? undefined : (await backend.locks(id))[0];
  const operation =
    running &&
    goStruct({
      kind: running.kind,
      author: holder === undefined ? '' : `${holder.username}@${holder.hostname}`,
      started: new Date(running.spawned).toISOString(),
    });
  return goStruct({
    organization: ORGANIZATION,
    project: id.project,
    stack: id.stack,
    backend: url,
    ...(operation === undefined ? {} : { currentOperation: operation }),
    tags: await backend.tags(id),
    ...(deployment === undefined ? {} : { manifest: manifestJson(deployment.manifest) }),
    resources: (deployment?.resources ?? []).map(({ urn, type, id: own, parent }) =>
      goStruct({
        ...{ urn, type, name: isUrn(urn) ? urnName(urn) : urn },
        ...(own === undefined || own === '' ? {} : { id: own }),
        ...(parent === undefined || parent === '' ? {} : { parent }),
      }),
    ),
    outputs: deployment === undefined ? {} : await outputsOf(ports, deployment, show),
  });
}

function manifestJson({ time, version, plugins = [] }: Manifest): JsonObject {
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const rows = plugins.filter(isJsonObject).map((plugin) =>
    goStruct({
      ...{ name: text(plugin['name']), kind: text(plugin['type']) },
      ...(text(plugin['version']) === '' ? {} : { version: text(plugin['version']) }),
    }),
  );
  return goStruct({
    ...(time.startsWith('0001-') ? {} : { time }),
    ...(version === '' ? {} : { pulumiVersion: version }),
    ...(rows.length === 0 ? {} : { plugins: rows }),
  });
}

async function outputsOf(ports: Ports, deployment: SerializedDeployment, show: boolean): Promise<Json> {
  const root = deployment.resources.find(
    ({ type, delete: gone }) => type === ROOT_STACK_TYPE && gone !== true,
  );
  if (root === undefined) return {};
  const crypter = show ? await stateCrypter(ports, deployment) : blindingStateCrypter;
  return plainJson(decodeResource(root, crypter, 'the state').outputs, show);
}
