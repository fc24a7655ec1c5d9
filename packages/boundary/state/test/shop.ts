import { emptyDeployment } from '../src/document/serialized.js';
import type { SerializedDeployment, SerializedResource } from '../src/document/serialized.js';

/** URN of a small stack for edits: its root, one provider, and things that use both. */
export const urn = (name: string, type = 'a:b:C', stackName = 'dev'): string =>
  `urn:pulumi:${stackName}::shop::${type}::${name}`;
export const ROOT = urn('shop-dev', 'pulumi:pulumi:Stack');
export const PROVIDER = urn('default', 'pulumi:providers:a');
export const root: SerializedResource = { urn: ROOT, custom: false, type: 'pulumi:pulumi:Stack' };
export const provider: SerializedResource = {
  urn: PROVIDER,
  custom: true,
  id: 'p',
  type: 'pulumi:providers:a',
};

/** Makes a thing of the provider below the root. */
export const thing = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  urn: urn(name),
  custom: true,
  id: `id-${name}`,
  type: 'a:b:C',
  parent: ROOT,
  provider: `${PROVIDER}::p`,
  ...more,
});

/** Makes a deployment of exactly these resources. */
export const stack = (...resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  resources,
});
