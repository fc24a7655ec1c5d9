import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs a command and returns its wall time and the processor time of it and of the processes it has waited for, in
 * seconds, and the peak memory of its own process in MB (Linux; else undefined).
 */
export function measure(command, args, options) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
    child.stderr.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
    let peak;
    let cpuSeconds;
    const poll = setInterval(() => {
      peak = peakOf(child.pid) ?? peak;
      cpuSeconds = cpuSecondsOf(child.pid) ?? cpuSeconds;
    }, 20);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(poll);
      if (code !== 0) return reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`));
      resolve({ seconds: Number(process.hrtime.bigint() - started) / 1e9, cpuSeconds, peakMb: peak });
    });
  });
}

function peakOf(pid) {
  try {
    const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

/**
 * Fields 14 to 17 of proc(5) `stat`, in clock ticks of 10 ms: user and system time, its own and that of children it has
 * waited for.
 */
function cpuSecondsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return fields.reduce((sum, ticks) => sum + ticks, 0) / 100;
  } catch {
    return undefined;
  }
}

/** Bytes of all files below a folder. */
export function bytesBelow(folder) {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    sum += entry.isDirectory() ? bytesBelow(full) : statSync(full).size;
  }
  return sum;
}

/** Middle of a list of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
