#!/usr/bin/env node
/**
 * Makes docs/pictures/run.svg: runs a small program, kills the command half-way, resumes, and draws what both commands
 * print. Needs the built command.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './setup.mjs';

/** The program pauses after its folder, so that the command can be killed between two steps. */
const PROGRAM = `
import { setTimeout } from 'node:timers/promises';
import { LocalDirectory, LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';

const pet = new RandomPet('name', { length: 2 });
const folder = new LocalDirectory('folder', { path: 'site' });
await setTimeout(2000);
const page = new LocalFile('page', { path: 'site/index.html', content: pet.result }, { dependsOn: folder });
export const name = pet.result;
export const url = page.path;
`;
const KILL_AFTER = /folder created/;
const COLUMNS = 100;
const [CHARACTER, LINE, MARGIN] = [7.8, 19, 18];
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea' };

const state = mkdtempSync(path.join(tmpdir(), 'cairn-picture-'));
const project = path.join(state, 'shop');
const env = {
  ...process.env,
  CAIRN_BACKEND_URL: `file://${path.join(state, 'stacks')}?create_dir=true`,
  CAIRN_HOME: path.join(state, 'home'),
  CAIRN_CONFIG_PASSPHRASE: 'quickstart',
};

try {
  mkdirSync(project);
  symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  writeFileSync(path.join(project, 'Cairn.yaml'), 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  writeFileSync(
    path.join(project, 'package.json'),
    JSON.stringify({
      type: 'module',
      dependencies: { '@cairn/sdk': '*', '@cairn/provider-local': '*', '@cairn/provider-random': '*' },
    }),
  );
  writeFileSync(path.join(project, 'index.ts'), PROGRAM);
  await cairn(['stack', 'init', 'dev']);
  const up = await cairn(['up', '--yes', '--skip-preview'], KILL_AFTER);
  const resume = await cairn(['resume', '--yes']);
  const lines = [
    ...['$ cairn up --yes', ...up, '\u001b[31mKilled\u001b[39m'],
    ...['', '$ cairn resume --yes', ...resume],
  ];
  writeFileSync(path.join(root, 'docs', 'pictures', 'run.svg'), svg(lines));
} finally {
  rmSync(state, { recursive: true });
}

/** Runs a command and returns the lines that it prints, with colours. Kills it at the first line that matches. */
function cairn(words, killAt) {
  const script = path.join(root, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
  const child = spawn(process.execPath, [script, ...words, '--color', 'always', '--cwd', project], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (killAt?.test(text.replaceAll(/\u001b\[[\d;]*m/g, ''))) child.kill('SIGKILL');
    });
  return new Promise((resolve) => child.on('close', () => resolve(text.trimEnd().split('\n'))));
}

/** Draws lines of a terminal. Styles are those of select graphic rendition: bold, dim and eight colours. */
function svg(lines) {
  const width = Math.round(COLUMNS * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map((line, index) => {
    const y = MARGIN + (index + 0.75) * LINE;
    return `<text x="${MARGIN}" y="${y}" xml:space="preserve">${spans(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>cairn up is killed half-way; cairn resume finishes it</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function spans(line) {
  let style = {};
  return line
    .split(/(\u001b\[[\d;]*m)/)
    .map((part) => {
      const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
      if (codes === undefined) return part === '' ? '' : span(part, style);
      for (const code of codes.split(';').map(Number)) style = styled(style, code);
      return '';
    })
    .join('');
}

function styled(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  return { ...style, fill: COLOURS[code] };
}

function span(text, { bold, dim, fill }) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const attributes = [
    fill === undefined ? '' : ` fill="${fill}"`,
    bold === true ? ' font-weight="bold"' : '',
    dim === true ? ' opacity="0.6"' : '',
  ].join('');
  return attributes === '' ? escaped : `<tspan${attributes}>${escaped}</tspan>`;
}
