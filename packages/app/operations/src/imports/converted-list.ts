import { nopCrypter } from '@cairn/crypters';
import { ValueEncoder, goJson, goStruct, indentJson } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import type { ConvertedResource } from '@cairn/wire';

/** Writes the import list of a converter's findings in a state, with secrets marked and in the clear. */
export function convertedList(resources: readonly ConvertedResource[]): string {
  const values = new ValueEncoder(nopCrypter, { showSecrets: true });
  const list = goStruct({
    ...(resources.length > 0 && { resources: resources.map((each) => resourceJson(each, values)) }),
  });
  return `${indentJson(goJson(list, { structs: true }), 4)}\n`;
}

function resourceJson(resource: ConvertedResource, values: ValueEncoder): JsonObject {
  const { type, name, id, parent, provider, version, downloadUrl, properties, logicalName } = resource;
  const { component, remote, inputs, outputs, parameterization, extension } = resource;
  return goStruct({
    type,
    name,
    ...(id !== '' && { id }),
    ...(parent !== '' && { parent }),
    ...(provider !== '' && { provider }),
    ...(version !== '' && { version }),
    ...(downloadUrl !== '' && { pluginDownloadUrl: downloadUrl }),
    ...(properties.length > 0 && { properties }),
    ...(component && { component }),
    ...(component && remote && { remote }),
    ...(inputs !== undefined && { inputs: values.map(inputs) }),
    ...(outputs !== undefined && { outputs: values.map(outputs) }),
    ...(logicalName !== '' && { logicalName }),
    ...(parameterization !== undefined && { parameterization: inBase64(parameterization) }),
    ...(extension !== undefined && { extension: inBase64(extension) }),
  });
}

function inBase64({ value, ...names }: { readonly value: Uint8Array } & object): JsonObject {
  return goStruct({ ...names, value: Buffer.from(value).toString('base64') });
}
