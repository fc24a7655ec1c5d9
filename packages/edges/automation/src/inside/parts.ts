import type * as operations from '@cairn/operations';
import type * as stacks from '@cairn/operations/stacks';
import type * as runtime from '@cairn/sdk/runtime';

/** Module that runs operations; loaded with the first one. */
export type Engine = typeof operations;

/** Module that works on stacks without an engine. */
export type StacksModule = typeof stacks;

/** Module that runs functions as programs. */
export type SdkRuntime = typeof runtime;
