import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Gzipped tar of some files; those named like an executable of a plugin may be executed. */
export function archive(files: Record<string, string>): Buffer {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-archive-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(directory, 'files', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (/^(pulumi|terraform-provider)-/.test(path.basename(name))) chmodSync(file, 0o755);
    }
    const packed = path.join(directory, 'packed.tar.gz');
    execFileSync('tar', ['-czf', packed, '-C', path.join(directory, 'files'), ...Object.keys(files)]);
    return readFileSync(packed);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** SHA-256 in hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A web server on this machine. */
export interface WebServer {
  readonly url: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Answer for a path, asked for each request; `undefined` is a 404. */
export type WebFiles = (path: string) => Buffer | number | undefined;

/** Serves files; a number is a status without a body. */
export async function serveFiles(files: WebFiles): Promise<WebServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const wanted = decodeURIComponent(request.url ?? '');
    asked.push(wanted);
    const found = files(wanted);
    if (typeof found === 'number' || found === undefined) response.writeHead(found ?? 404).end();
    else response.writeHead(200, { 'content-length': found.length }).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Name of the archive of a plugin for this machine. */
export function archiveFile(kind: string, name: string, version: string): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return `pulumi-${kind}-${name}-v${version}-${os}-${arch}.tar.gz`;
}

/** Platform of this machine, as files of Terraform providers name it. */
export function terraformPlatform(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  return `${os}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
