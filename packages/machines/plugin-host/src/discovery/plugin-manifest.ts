import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, messageOf } from '@cairn/diagnostics';
import { parse } from 'yaml';

/** Content of `PulumiPlugin.yaml`, or of a policy pack's `PulumiPolicy.yaml` [PLUG-3]. */
export interface PluginManifest {
  readonly runtime: string | undefined;
  /** Options of the runtime. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly requiredPulumiVersion: string | undefined;
  /** Version of a policy pack. */
  readonly version: string | undefined;
  /** Package name to source, for packages that the plugin itself uses. */
  readonly packages: Readonly<Record<string, unknown>>;
}

/**
 * Reads the manifest in a directory. Resolves with undefined if there is none. Fails (CAIRN-PLUGIN-START) on a damaged
 * one.
 */
export async function readPluginManifest(
  directory: string,
  name: 'PulumiPlugin.yaml' | 'PulumiPolicy.yaml' = 'PulumiPlugin.yaml',
): Promise<PluginManifest | undefined> {
  const path = join(directory, name);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseManifest(path, text);
}

function parseManifest(path: string, text: string): PluginManifest {
  let data: unknown;
  try {
    data = parse(text);
  } catch (error) {
    return fail('CAIRN-PLUGIN-START', `cannot read ${path}`, {
      causes: [messageOf(error)],
      source: { file: path },
    });
  }
  const fields = record(data);
  const runtime = fields['runtime'];
  const version = fields['requiredPulumiVersion'];
  return {
    runtime: typeof runtime === 'string' ? runtime : nonEmpty(record(runtime)['name']),
    options: record(record(runtime)['options']),
    requiredPulumiVersion: nonEmpty(version),
    version: nonEmpty(fields['version']),
    packages: record(fields['packages']),
  };
}

const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
