import path from 'node:path';
import { optionsFrom } from '@cairn/operations/options';
import type { OperationOptions } from '@cairn/operations/options';
import type { DestroyOptions, ImportOptions, UpOptions } from '../options.js';

type Given = Omit<Partial<UpOptions & DestroyOptions & ImportOptions>, 'plan'>;
/** Fields that belong to an operation; the others are settings of the call. */
type Known = Pick<OperationOptions, keyof Given & keyof OperationOptions>;

/**
 * Returns the options that operations accept and records keep. Relative paths are resolved against the directory of
 * this process.
 */
export function operationOptions(given: Given): OperationOptions {
  const known: Known & OperationOptions = given;
  return optionsFrom((row, field) => {
    const value = known[field];
    return 'path' in row && value !== undefined ? absolute(value as string | readonly string[]) : value;
  });
}

function absolute(value: string | readonly string[]): string | readonly string[] {
  return typeof value === 'string' ? path.resolve(value) : value.map((each) => path.resolve(each));
}
