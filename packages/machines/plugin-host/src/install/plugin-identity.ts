import { fail } from '@cairn/diagnostics';
import semver from 'semver';

/** Kinds of plugins. The kind is the first part of the name of each in a cache. */
const PLUGIN_KINDS = ['analyzer', 'converter', 'language', 'resource', 'tool'] as const;

export type PluginKind = (typeof PLUGIN_KINDS)[number];

/** Kind, name and version of a plugin. `version` is undefined for none in particular. */
export interface PluginReference {
  readonly kind: PluginKind;
  readonly name: string;
  readonly version: string | undefined;
}

/** A plugin of one version. */
export interface PluginIdentity extends PluginReference {
  readonly version: string;
}

/** Returns true if a word is a kind of plugin. */
export function isPluginKind(word: string): word is PluginKind {
  return (PLUGIN_KINDS as readonly string[]).includes(word);
}

/** Returns a word as a kind of plugin. Fails (CAIRN-USAGE) on another. */
export function checkedKind(word: string): PluginKind {
  if (isPluginKind(word)) return word;
  return fail('CAIRN-USAGE', `unrecognized plugin kind: ${word}`, {
    hint: `Use one of ${PLUGIN_KINDS.join(', ')}.`,
  });
}

/** Names are parts of file names, which have at most 255 bytes. */
const LONGEST_NAME = 150;

/** Returns a name that a plugin can have in a cache [PLUG-2]. Fails (CAIRN-USAGE) on another. */
export function checkedPluginName(name: string): string {
  if (name.length <= LONGEST_NAME && /^[a-zA-Z0-9-][a-zA-Z0-9-_.]*[a-zA-Z0-9]$/.test(name)) return name;
  return fail('CAIRN-USAGE', `invalid plugin name ${JSON.stringify(name)}`, {
    hint: `Write letters, digits, hyphens, underscores and dots, 2 to ${LONGEST_NAME} of them.`,
  });
}

/** Reads a version with or without a leading `v`. Missing parts are 0. Returns undefined if the text is none. */
export function readVersion(text: string): string | undefined {
  const plain = text.trim().replace(/^v/, '');
  const parts = /^\d+(?:\.\d+)?$/.test(plain) ? semver.coerce(plain)?.version : undefined;
  return parts ?? (semver.valid(plain) === null ? undefined : plain);
}

/** Reads a version as the user typed it. Fails (CAIRN-USAGE) on any other text. */
export function checkedVersion(text: string): string {
  return (
    readVersion(text) ??
    fail('CAIRN-USAGE', `invalid plugin semver: ${JSON.stringify(text)}`, {
      hint: 'Write a version such as 1.2.3, not a range.',
    })
  );
}

/** Returns the name of the directory of a plugin in a cache [PLUG-2]. */
export function entryName({ kind, name, version }: PluginIdentity): string {
  return `${kind}-${name}-v${version}`;
}

/** Returns the file name of the executable of a plugin, without the ending that Windows adds. */
export function commandName({ kind, name }: Pick<PluginReference, 'kind' | 'name'>): string {
  return `pulumi-${kind}-${name}`;
}

/** Returns a plugin's name in messages. */
export function pluginLabel({ kind, name, version }: PluginReference): string {
  return `${kind} plugin ${name}${version === undefined ? '' : `-${version}`}`;
}
