import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { createNodeLanguageHost } from '@cairn/language-node';
import type { NodeLanguageHost, NodeLanguageHostOptions } from '@cairn/language-node';
import { createLanguagePlugin } from '@cairn/plugin-host';
import type { LanguagePlaces, LanguagePlugin, PluginLimits, PluginMessage } from '@cairn/plugin-host';
import type { LanguageHost, LanguageTools, ProgramInfo, RequiredPackage } from '@cairn/wire';
import type { Env, Project } from '@cairn/workspace';
import { runsNode } from '../access/program-info.js';
import { stopGraceMs } from '../access/stop-grace.js';
import { observed } from '../ports.js';
import type { Mask, Ports } from '../ports.js';

/** The language host for a runtime name; undefined when none is built in: then its plugin runs it. */
export function builtInLanguage(
  env: Env,
  runtime: string,
  waiting?: NodeLanguageHostOptions['waiting'],
): NodeLanguageHost | undefined {
  if (!runsNode(runtime)) return undefined;
  return createNodeLanguageHost({ environment: env, waiting, interruptGraceMs: stopGraceMs(env) });
}

/** Times that plugins get to end when they are asked to. Throws CAIRN-USAGE. */
export function stopLimits(env: Env): Pick<PluginLimits, 'closeCancelMs' | 'interruptGraceMs'> {
  const ms = stopGraceMs(env);
  return { closeCancelMs: ms, interruptGraceMs: ms };
}

/** Where plugins of languages are, besides the places of all plugins. */
export function languagePlaces(
  ports: Pick<Ports, 'packageRoots'>,
  project: Project | undefined,
): LanguagePlaces {
  return {
    plugins: project?.plugins.languages ?? [],
    directories: ports.packageRoots.map((root) => path.join(root, 'bin')),
  };
}

/** What asking a language needs. */
export type LanguagePorts = Pick<Ports, 'env' | 'packageRoots' | 'observer'>;

/** A program, or a plugin in a folder, and its language. */
export interface LanguageUse {
  readonly runtime: string;
  readonly info: ProgramInfo;
  /** The project whose plugins are looked at first. */
  readonly project?: Project | undefined;
  /** Takes secrets out of what is written about calls. */
  readonly mask?: Mask | undefined;
  /** Told what a language plugin writes, besides what it is asked for. Must not throw. */
  readonly onMessage: (message: PluginMessage) => void;
}

/** The plugin of a language, started when it is first asked. The caller closes it. */
export function languagePlugin(ports: LanguagePorts, use: LanguageUse): LanguagePlugin {
  const { runtime, info, project, mask, onMessage } = use;
  const { plugins, directories } = languagePlaces(ports, project);
  return createLanguagePlugin({
    runtime,
    rootDirectory: project?.location.directory ?? info.rootDirectory,
    programDirectory: info.programDirectory,
    languagePlugins: plugins,
    bundledDirectories: directories,
    environment: ports.env,
    limits: stopLimits(ports.env),
    observed: observed(ports, mask),
    onMessage,
  });
}

/** A language that is asked something besides running programs. */
type AskedLanguage = LanguageTools & Pick<LanguageHost, 'getPluginInfo'>;

/**
 * Asks the language of a program, or of a plugin in a folder, something besides running it: what it depends on, to
 * install that, what runs it, which options it has. Nothing is left running after it. Rejects with
 * CAIRN-RUNTIME-UNKNOWN, CAIRN-PLUGIN-START, CAIRN-PLUGIN-DIED or CAIRN-PROGRAM-LOAD.
 */
export async function withLanguage<T>(
  ports: LanguagePorts,
  use: LanguageUse,
  questions: (language: AskedLanguage) => Promise<T>,
): Promise<T> {
  if (runsNode(use.runtime)) {
    const { createNodeTools } = await import('@cairn/language-node/tools');
    return questions(createNodeTools(ports.env));
  }
  const plugin = languagePlugin(ports, use);
  try {
    return await questions(plugin);
  } finally {
    await plugin.close();
  }
}

/** Whether there is a plugin for a language. Rejects with CAIRN-PLUGIN-START when there is one that does not start. */
export async function hasLanguagePlugin(ports: LanguagePorts, use: LanguageUse): Promise<boolean> {
  const plugin = languagePlugin(ports, use);
  try {
    await plugin.getPluginInfo();
    return true;
  } catch (error) {
    if (isCairnError(error) && error.diagnostics[0]?.code === 'CAIRN-RUNTIME-UNKNOWN') return false;
    throw error;
  } finally {
    await plugin.close();
  }
}

/** Packages that a program asks for [PRG-2]. Nothing is left running after it; rejects like {@link withLanguage}. */
export async function requiredPackages(
  ports: LanguagePorts,
  use: LanguageUse,
): Promise<readonly RequiredPackage[]> {
  const host = builtInLanguage(ports.env, use.runtime) ?? languagePlugin(ports, use);
  try {
    return await host.getRequiredPackages(use.info);
  } finally {
    await host.close();
  }
}
