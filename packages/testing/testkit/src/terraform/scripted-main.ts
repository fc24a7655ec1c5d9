import { processScript, serveProvider } from './process.js';

/** A provider as a process that has what the file says that `TERRAFORM_SCRIPT` names. */
export async function main(): Promise<void> {
  await serveProvider(processScript());
}
