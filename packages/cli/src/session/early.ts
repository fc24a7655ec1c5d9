import { deriveEarly } from '@cairn/operations/early';
import type { Command } from '../command-spec.js';
import { stackChoice } from './stack-choice.js';

/** Begins the work of an operation that needs none of its code. */
export const beginEarly = async (
  { flags }: Parameters<Command>[0],
  { env, cwd }: Parameters<Command>[1],
): Promise<void> => deriveEarly({ env, cwd }, stackChoice(flags));
