import { processScript, serveProvider } from './process.js';

/** Runs a provider as a process, with the definition in the file that `TERRAFORM_SCRIPT` names. */
export async function main(): Promise<void> {
  await serveProvider(processScript());
}
