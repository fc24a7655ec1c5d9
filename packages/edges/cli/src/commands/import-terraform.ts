import path from 'node:path';
import { isDefaultProviderName, isProviderType, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { classPaths, programCode } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { EXIT, cairnError, isCairnError } from '@cairn/diagnostics';
import { adoptObjects, runsNode } from '@cairn/operations';
import type { Adopted, Prepared } from '@cairn/operations';
import { writeTextFile } from '@cairn/files';
import { refuseUnconfirmed } from '../flows/confirm.js';
import { agreed, editLines } from '../flows/edit-state.js';
import { openStackFileForFlags } from '../flows/open-stack.js';
import { programSdk } from '../flows/generate-code.js';
import { withOperationStack } from '../flows/operate.js';
import { addPackage, obtainSchema } from '@cairn/operations/packages';
import { adoptionOfState, rememberState, secretSettings } from '@cairn/operations/terraform';
import type { AdoptionOfState } from '@cairn/operations/terraform';
import { makingPorts } from '../flows/making.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import { firstGiven } from '../flags/flag-spec.js';
import type { ImportFlags } from '../flags/operation.js';

/** `import --from terraform` */
export const run: Command<ImportFlags> = ({ args, flags }, context) => {
  const file = stateFile(args, flags);
  const previewOnly = flags.previewOnly;
  if (!previewOnly) refuseUnconfirmed(context, flags, 'this adds resources to the state');
  return withOperationStack(context, flags, async (prepared) => {
    const adoption = await adoptionOfState(prepared, file, flags.protect);
    if (adoption.objects.length === 0)
      throw cairnError('CAIRN-TERRAFORM-STATE', `${file} has nothing to take over`, {
        causes: adoption.leftOut,
        hint: 'Nothing was changed.',
      });
    const stored = await take(context, flags, prepared, adoption, file, previewOnly);
    if (stored === undefined) return EXIT.ok;
    await rememberState(prepared, adoption.state);
    await tellAddresses(context, flags, adoption, stored);
    if (flags.generateCode) await writeProgram(context, flags, prepared, adoption, stored);
    return EXIT.ok;
  });
};

/** Returns the named file. Flags may not repeat settings of the state. */
function stateFile([file, ...more]: readonly (string | undefined)[], flags: ImportFlags): string {
  if (flags.generateResources !== undefined)
    throw cairnError('CAIRN-NOT-OFFERED', '--generate-resources cannot be used with --from terraform', {
      hint: 'Omit it: the state is adopted directly. To get a list, use the converter plugin with --from pulumi-converter-terraform.',
    });
  if (file === undefined || more.some((each) => each !== undefined))
    throw cairnError('CAIRN-USAGE', '--from terraform needs one argument: the file with the state', {
      hint: 'Run `cairn import --from terraform terraform.tfstate`. If a backend stores the state, run `terraform state pull > terraform.tfstate` first.',
    });
  const other = firstGiven(flags, ['file', 'parent', 'provider', 'properties']);
  if (other === undefined) return file;
  throw cairnError('CAIRN-USAGE', `--${other} cannot be used with --from terraform`, {
    hint: 'Leave it out: the state describes the resources and their providers.',
  });
}

/** Shows the additions, asks, and adds them. Returns undefined if they were only to be shown. */
async function take(
  context: CommandContext,
  flags: ImportFlags,
  prepared: Prepared,
  adoption: AdoptionOfState,
  file: string,
  previewOnly: boolean,
): Promise<Adopted | undefined> {
  let shown = false;
  const adopted = await adoptObjects(
    prepared,
    adoption,
    `import from ${path.basename(file)}`,
    async (found) => {
      const lines = [
        'These become resources of the stack; their objects are not changed:',
        ...editLines(found.edit.changed),
        ...listed('These are left out:', adoption.leftOut),
        ...listed('Before the next up, note:', adoption.notes),
      ];
      shown = true;
      if (!previewOnly) return agreed(context, flags, lines, found, 'Do you want to take them over?');
      for (const line of lines) context.stderr.write(`${line}\n`);
      return false;
    },
  ).catch((error: unknown) => {
    const isShown =
      shown && previewOnly && isCairnError(error) && error.diagnostics[0]?.code === 'CAIRN-CANCELLED';
    if (isShown) return undefined;
    throw error;
  });
  return adopted;
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

/** Reports, and writes to a file, which object became which resource. */
async function tellAddresses(
  context: CommandContext,
  flags: ImportFlags,
  { objects, leftOut }: AdoptionOfState,
  { urns }: Adopted,
): Promise<void> {
  const addresses = Object.fromEntries(objects.map(({ address }, at) => [address, urns[at] as Urn]));
  const file = flags.map ?? 'terraform-addresses.json';
  const text = `${JSON.stringify({ addresses, leftOut }, undefined, 2)}\n`;
  await write(context, file, text);
  if (flags.json) printJson(context, { addresses, leftOut });
  else for (const [address, urn] of Object.entries(addresses)) context.stderr.write(`${address} is ${urn}\n`);
  context.stderr.write(`Wrote the addresses to ${file}\n`);
}

/** Adds the typed packages of the providers, and writes the program that declares the imported resources. */
async function writeProgram(
  context: CommandContext,
  flags: ImportFlags,
  prepared: Prepared,
  adoption: AdoptionOfState,
  { entries, urns }: Adopted,
): Promise<void> {
  if (!runsNode(prepared.project.runtime?.name) || programSdk(prepared) !== 'cairn') {
    context.stderr.write('No code was generated: the program does not use @cairn/sdk.\n');
    return;
  }
  const out = flags.out;
  const models: PackageModel[] = [];
  const ports = makingPorts(context, flags);
  for (const { parameter } of adoption.packages) {
    const { source = '', version } = parameter;
    const words = version === undefined ? [source] : [source, version];
    const obtained = await obtainSchema(ports, { text: 'terraform-provider', parameters: words });
    models.push((await addPackage(ports, { project: prepared.project, records: true }, obtained)).model);
  }
  if (out === undefined && flags.json) return;
  const stack = await openStackFileForFlags(context, flags);
  const { settings, store } = await secretSettings(stack);
  const code = programCode({
    sdk: 'cairn',
    linked: true,
    resources: entries.filter((entry) => entry.custom && !entry.delete && !isImplied(entry.urn)),
    names: new Map(),
    versions: new Map(),
    classes: new Map(models.flatMap((model) => [...classPaths(model)])),
    origins: new Map(urns.map((urn, at) => [urn, adoption.objects[at]?.address ?? ''])),
    outputs: adoption.outputs,
    settings,
  });
  // An existing program has its settings.
  const keys = await store();
  if (keys.length > 0)
    context.stderr.write(`Set as secrets in ${path.basename(stack.file.path)}: ${keys.join(', ')}\n`);
  if (out !== undefined) {
    await write(context, out, code);
    context.stderr.write(`Wrote the program to ${out}\n`);
    return;
  }
  context.stderr.write('This program declares what was taken over:\n\n');
  context.stdout.write(code);
}

/** Tells whether the engine creates a provider on its own; programs do not contain such providers. */
function isImplied(urn: Urn): boolean {
  return isProviderType(urnType(urn)) && isDefaultProviderName(urnName(urn));
}

async function write(context: CommandContext, file: string, text: string): Promise<void> {
  await writeTextFile(path.resolve(context.cwd, file), text, { mode: 0o666, keepMode: true });
}
