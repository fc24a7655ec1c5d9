import { boxesProvider } from './boxes.js';
import { processScript, serveProvider } from './process.js';

/** Runs the provider `boxes` as a process. `TERRAFORM_SCRIPT` may name a file that makes it misbehave. */
export async function main(): Promise<void> {
  await serveProvider(processScript(), boxesProvider);
}
