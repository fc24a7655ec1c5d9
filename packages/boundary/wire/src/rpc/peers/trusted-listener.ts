import process from 'node:process';
import { StatusError } from '../../contracts/status.js';
import { mayBeTrusted, ownerOfListener } from './peer-owner.js';

/**
 * Throws StatusError PERMISSION_DENIED when a process of another user listens at this port of our machine: what we
 * would say there, secrets included, would reach that user. A port where nobody listens, and one on another machine,
 * pass.
 */
export function assertTrustedListener(host: string, port: number): void {
  const ours = process.geteuid?.();
  const ipv4 = host === 'localhost' ? '127.0.0.1' : host;
  if (ours === undefined || !/^127\.\d+\.\d+\.\d+$/.test(ipv4)) return;
  const owner = ownerOfListener(ipv4, port, ours);
  if (owner.t !== 'user' || mayBeTrusted(owner.uid, ours)) return;
  throw new StatusError(
    'PERMISSION_DENIED',
    `${host}:${port} belongs to a process of another user (uid ${owner.uid}); nothing was sent there`,
  );
}
