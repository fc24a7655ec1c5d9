import type { RequestedImport } from '@cairn/engine';
import { emptyMap } from '@cairn/values';
import { noRequestOptions } from '@cairn/wire';
import type {
  AcceptFlags,
  MonitorCallRequest,
  MonitorInvokeRequest,
  PackageSelector,
  ReadResourceRequest,
  RegisterResourceRequest,
} from '@cairn/wire';

/** Requests with every field, as a current SDK sends them. A test sets the relevant ones. */

const accepts: AcceptFlags = {
  secrets: true,
  resources: true,
  partialValues: true,
  resultReporting: true,
  byteStrings: true,
};

/** Selects no particular plugin. */
export const noSelector: PackageSelector = {
  version: '',
  pluginDownloadUrl: '',
  pluginChecksums: {},
  packageRef: '',
};

/** Returns a registration, of a custom resource unless `custom` is false. */
export function registerRequest(
  spec: Pick<RegisterResourceRequest, 'type' | 'name'> & Partial<RegisterResourceRequest>,
): RegisterResourceRequest {
  return {
    parent: '',
    custom: true,
    remote: false,
    inputs: emptyMap,
    ...noRequestOptions,
    sourcePosition: undefined,
    stackTrace: [],
    accepts,
    aliasSpecs: true,
    ...spec,
  };
}

/** Returns one resource of an import list. By default it is custom, not protected, and on the default provider. */
export function importItem(
  spec: Pick<RequestedImport, 'type' | 'name'> & Partial<RequestedImport>,
): RequestedImport {
  return {
    id: '',
    component: false,
    remote: false,
    parent: undefined,
    provider: undefined,
    protect: false,
    package: { version: '', downloadUrl: '', checksums: {} },
    properties: [],
    inputs: undefined,
    outputs: undefined,
    ...spec,
  };
}

/** Returns a read. */
export function readRequest(
  spec: Pick<ReadResourceRequest, 'type' | 'name' | 'id'> & Partial<ReadResourceRequest>,
): ReadResourceRequest {
  return {
    parent: '',
    properties: emptyMap,
    dependencies: [],
    provider: '',
    package: noSelector,
    additionalSecretOutputs: [],
    sourcePosition: undefined,
    stackTrace: [],
    accepts,
    ...spec,
  };
}

/** Returns an invoke. */
export function invokeRequest(
  spec: Pick<MonitorInvokeRequest, 'token'> & Partial<MonitorInvokeRequest>,
): MonitorInvokeRequest {
  return { args: emptyMap, provider: '', parent: '', package: noSelector, dependsOn: [], accepts, ...spec };
}

/** Returns a method call. */
export function callRequest(
  spec: Pick<MonitorCallRequest, 'token'> & Partial<MonitorCallRequest>,
): MonitorCallRequest {
  return { args: emptyMap, argDependencies: {}, provider: '', package: noSelector, ...spec };
}
