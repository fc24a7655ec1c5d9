import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { analyzerService } from '@cairn/wire/analyzer-server';
import { servePlugin } from '@cairn/wire/server';
import { PackAnalyzer } from './analyzer.js';
import type { PolicyPack } from './policy.js';

/** Serves a pack as a plugin process, which is started in the pack's directory. */
export function servePack(pack: PolicyPack): Promise<void> {
  const directory = process.cwd();
  const analyzer = new PackAnalyzer(pack, versionIn(directory), directory);
  process.setSourceMapsEnabled(true);
  return servePlugin({
    services: [analyzerService(analyzer)],
    name: 'policy pack',
    isChild: true,
    giveUp: () => analyzer.cancel(),
  });
}

function versionIn(directory: string): string {
  try {
    const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as {
      version?: unknown;
    };
    return typeof manifest.version === 'string' ? manifest.version : '';
  } catch {
    return '';
  }
}
