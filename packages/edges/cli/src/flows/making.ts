import path from 'node:path';
import { unreachable } from '@cairn/diagnostics';
import { problemText } from '@cairn/operations/packages';
import type { Making } from '@cairn/operations/packages';
import type { Ports } from '@cairn/operations/stacks';
import { pluginLabel } from '@cairn/plugin-host/install';
import type { StackFlags } from '../flags/operation.js';
import { sizeText } from '../terminal/size.js';
import type { CommandContext } from '../command-context.js';
import { counts, packageSummary } from './package-text.js';
import { portsOf } from './ports.js';

/** Returns ports of a command that prepares plugins, packages or projects; the terminal shows the progress. */
export function makingPorts(context: CommandContext, flags: StackFlags): Ports {
  const ports = portsOf(context, flags);
  return { ...ports, interaction: { ...ports.interaction, making: shownOn(context) } };
}

/** Milliseconds between two lines about one download. */
const QUIET_MS = 5_000;

function shownOn(context: CommandContext): (told: Making) => void {
  const shown = new Map<string, number>();
  const line = (text: string): void => void context.stderr.write(`${text}\n`);
  const from = (folder: string): string => path.relative(context.cwd, folder) || '.';
  return (told) => {
    switch (told.t) {
      case 'dependencies':
        return line(
          told.of === undefined ? 'Installing dependencies' : `Installing the dependencies of ${told.of}`,
        );
      case 'output':
        return void context[told.stream].write(told.text);
      case 'message':
        if (told.severity === 'debug' && !context.terminal.debug) return;
        return line(told.plugin === undefined ? told.text : `${told.plugin}: ${told.text}`);
      case 'warning':
        return line(`warning: ${told.detail === '' ? told.summary : `${told.summary}: ${told.detail}`}`);
      case 'plugin-started':
        shown.set(pluginLabel(told.plugin), context.now().getTime());
        return line(`[${pluginLabel(told.plugin)}] installing`);
      case 'plugin-progress': {
        const label = pluginLabel(told.plugin);
        const now = context.now().getTime();
        if (now - (shown.get(label) ?? now) < QUIET_MS) return;
        shown.set(label, now);
        const total = told.total === undefined ? '' : ` of ${sizeText(told.total)}`;
        return line(`[${label}] downloaded ${sizeText(told.bytes)}${total}`);
      }
      case 'plugin-retried':
        return line(`[${pluginLabel(told.plugin)}] error downloading plugin: ${told.why}; trying again`);
      case 'plugin-waits':
        return line(`[${pluginLabel(told.plugin)}] waiting for another process that is installing it`);
      case 'package':
        return line(packageLine(told, from(told.folder)));
      case 'sdk':
        return line(`SDK of ${told.name} written to ${path.relative(context.cwd, told.folder)}`);
      case 'schema-problem':
        return line(`warning: ${problemText(told.problem)}`);
      case 'reference-unknown':
        return line(
          `note: ${told.name} refers to types of ${told.reference}, which become unknown: ${told.why}`,
        );
      case 'package-for-own-sdk':
        return line(
          'warning: the package is made for @cairn/sdk, which a program on @pulumi/pulumi cannot use: for that, put ' +
            "pulumi-language-nodejs, which comes with Pulumi's command line, on the PATH",
        );
      default:
        return unreachable(told);
    }
  };
}

function packageLine({ model, written }: Making & { readonly t: 'package' }, folder: string): string {
  if (written !== undefined) return packageSummary(model, written, folder);
  return `Generated ${model.name} ${model.version} in ${folder}: ${counts(model)}`;
}
