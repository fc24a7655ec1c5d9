/**
 * Release of Pulumi whose behaviour ours is; ranges that programs, plugins and projects ask for are held against it.
 */
export const COMPATIBLE_VERSION = '3.260.0';
