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

/**
 * Returns the language host for a runtime name, or `undefined` if none is built in. Then the runtime's plugin runs it.
 */
export function builtInLanguage(
  env: Env,
  runtime: string,
  waiting?: NodeLanguageHostOptions['waiting'],
): NodeLanguageHost | undefined {
  if (!runsNode(runtime)) return undefined;
  return createNodeLanguageHost({ environment: env, waiting, interruptGraceMs: stopGraceMs(env) });
}

/** Returns the times that plugins get to end on request. Throws CAIRN-USAGE. */
export function stopLimits(env: Env): Pick<PluginLimits, 'closeCancelMs' | 'interruptGraceMs'> {
  const ms = stopGraceMs(env);
  return { closeCancelMs: ms, interruptGraceMs: ms };
}

/** Returns the places of language plugins, besides the places of all plugins. */
export function languagePlaces(
  ports: Pick<Ports, 'packageRoots'>,
  project: Project | undefined,
): LanguagePlaces {
  return {
    plugins: project?.plugins.languages ?? [],
    directories: ports.packageRoots.map((root) => path.join(root, 'bin')),
  };
}

/** Ports for questions to a language. */
export type LanguagePorts = Pick<Ports, 'env' | 'packageRoots' | 'observer'>;

/** A program, or a plugin in a folder, and its language. */
export interface LanguageUse {
  readonly runtime: string;
  readonly info: ProgramInfo;
  /** Project whose plugins are searched first. */
  readonly project?: Project | undefined;
  /** Removes secrets from records of calls. */
  readonly mask?: Mask | undefined;
  /** Receives the output of a language plugin other than its answers. Must not throw. */
  readonly onMessage: (message: PluginMessage) => void;
}

/** Returns the plugin of a language, which starts with the first question. The caller closes it. */
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

/** A language for questions other than running programs. */
type AskedLanguage = LanguageTools & Pick<LanguageHost, 'getPluginInfo'>;

/**
 * Asks the language of a program, or of a plugin in a folder, anything except running it. Examples are its
 * dependencies, their installation, its runtime and its options. Leaves nothing running. Rejects with
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

/**
 * Tells whether there is a plugin for a language. Rejects with CAIRN-PLUGIN-START if there is one that does not start.
 */
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

/** Returns the packages that a program needs [PRG-2]. Leaves nothing running; rejects like {@link withLanguage}. */
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
