import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { GivenSettings, PolicyPackSpec } from '@cairn/engine';
import { propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { EnforcementLevel } from '@cairn/wire';
import { envVar } from '@cairn/workspace';
import type { Env } from '@cairn/workspace';
import type { OperationOptions } from './operation-options.js';

const LEVELS: readonly EnforcementLevel[] = ['advisory', 'mandatory', 'remediate', 'disabled'];

/**
 * Returns the policy packs of an operation, each with the configuration at the same index. Fails (CAIRN-USAGE,
 * CAIRN-POLICY-PACK) on a configuration that cannot be read.
 */
export async function policyPacks(
  cwd: string,
  { policyPacks: directories = [], policyPackConfigs: configs = [] }: OperationOptions,
): Promise<readonly PolicyPackSpec[]> {
  if (configs.length > directories.length) {
    throw cairnError('CAIRN-USAGE', 'there are more --policy-pack-config than --policy-pack', {
      hint: 'Pass each configuration at the position of its pack.',
    });
  }
  return Promise.all(
    directories.map(async (directory, index) => {
      const config = configs[index];
      const settings = config === undefined ? {} : await readSettings(path.resolve(cwd, config));
      return { t: 'local' as const, directory: path.resolve(cwd, directory), settings };
    }),
  );
}

/** Returns the number of parallel analyses that the environment sets; 0 means no limit. */
export function parallelAnalyses(env: Env): number {
  const limit = Number(envVar(env, 'PARALLEL_ANALYZE') ?? '');
  return Number.isInteger(limit) && limit > 0 ? limit : 0;
}

async function readSettings(file: string): Promise<Readonly<Record<string, GivenSettings>>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, messageOf(error));
  });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw unreadable(file, messageOf(error));
  }
  if (!isRecord(data)) throw unreadable(file, 'it is not an object of policies');
  return Object.fromEntries(
    Object.entries(data).map(([policy, value]) => [policy, settingsOf(file, policy, value)]),
  );
}

/** Reads `"policy": "advisory"`, or an object with an `enforcementLevel` and settings of the policy. */
function settingsOf(file: string, policy: string, value: unknown): GivenSettings {
  if (typeof value === 'string') {
    return { enforcementLevel: level(file, policy, value), properties: propertyMap({}) };
  }
  if (!isRecord(value)) throw unreadable(file, `${policy} is neither a level nor an object`);
  const { enforcementLevel, ...properties } = value;
  return {
    enforcementLevel: enforcementLevel === undefined ? undefined : level(file, policy, enforcementLevel),
    // JSON only has values that properties have too.
    properties: propertyMap(properties as Readonly<Record<string, PropertyValue>>),
  };
}

function level(file: string, policy: string, text: unknown): EnforcementLevel {
  const found = LEVELS.find((each) => each === text);
  if (found === undefined) {
    throw unreadable(file, `${policy}: ${JSON.stringify(text)} is not one of ${LEVELS.join(', ')}`);
  }
  return found;
}

function unreadable(file: string, why: string): CairnError {
  return cairnError('CAIRN-POLICY-PACK', `cannot read the configuration of a policy pack: ${why}`, {
    source: { file },
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
