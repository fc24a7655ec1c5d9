import process from 'node:process';
import { StatusError } from '../../contracts/status.js';
import { mayBeTrusted, ownerOfListener } from './peer-owner.js';

/**
 * Throws StatusError PERMISSION_DENIED if a process of another user listens at this port of the local machine. Anything
 * sent there, including secrets, would reach that user. A port without a listener, or on another machine, passes.
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
