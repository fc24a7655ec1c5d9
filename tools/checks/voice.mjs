#!/usr/bin/env node
/**
 * Finds comments and pages that do not follow the house's English (docs/maintainers/style.md):
 * `node tools/checks/voice.mjs [FOLDER…]` prints each as `file:line: what: text`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';

/** First words of a doc comment that does not name its subject. */
const BEGINS = /^(What|Whether|How|Who|Whoever|Whose|Absent:)\b/;
/** Words that have a plainer one, listed in that page. */
const IDIOM =
  /\b(somebody|nobody|whoever|told|stands|(?:go|goes|gone|going) on(?! to\b)|heeded|wish(?:es)?|manners|(?<!code of )conduct)\b/i;
const LONGEST_LINE = 120;
const LONGEST_SUBJECT = 72;

const GENERATED =
  /\/generated\/|\/testdata\/|\/docs\/api\.md$|^docs\/(?:cli|errors|maintainers\/pulumi-checklist)\.md$|^CHANGELOG\.md$|^\.changeset\//;
const SOURCES = /\.(ts|mts|mjs|cjs|js)$/;

/** Files of the repository, tracked or new, below the folders, or all. */
function filesOf(folders) {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...folders];
  const listed = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  return listed.split('\0').filter((file) => file !== '' && !GENERATED.test(file));
}

/**
 * Findings in comments of sources, with the number of comments. Text of code, such as messages, is not read: scripts
 * may match it.
 */
export function commentFindings(folders = []) {
  const findings = [];
  let comments = 0;
  for (const file of filesOf(folders)) {
    if (!SOURCES.test(file)) continue;
    const text = read(file);
    if (text === undefined) continue;
    for (const { line, words, isDoc } of commentsOf(text)) {
      comments += 1;
      const what = isDoc && BEGINS.test(words) ? BEGINS.exec(words)[1] : IDIOM.exec(words)?.[1];
      if (what !== undefined) findings.push(`${file}:${line}: ${what}: ${words}`);
    }
  }
  return { comments, findings };
}

/** Findings in prose of pages: idiom, and lines that are too long. Code, tables and links' targets are free. */
export function pageFindings(folders = []) {
  return filesOf(folders)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      let isCode = false;
      return (read(file) ?? '').split('\n').flatMap((line, index) => {
        if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
        if (isCode) return [];
        const words = line.replaceAll(/`[^`]*`/g, '``').replaceAll(/\]\([^)]*\)/g, ']()');
        const idiom = IDIOM.exec(words)?.[1];
        const isLong = !line.startsWith('|') && words.length > LONGEST_LINE;
        const what = idiom ?? (isLong ? `${words.length} columns` : undefined);
        return what === undefined ? [] : [`${file}:${index + 1}: ${what}: ${line.trim()}`];
      });
    });
}

/** Subjects of commits that are too long, as far as the clone goes back. */
export function longSubjects() {
  const log = execFileSync('git', ['log', '--no-merges', '--format=%s'], { cwd: root, encoding: 'utf8' });
  return log.split('\n').filter((subject) => subject.length > LONGEST_SUBJECT);
}

/**
 * Comments that begin a line, the lines of each joined: `//` lines that follow each other are one. Sources are read by
 * lines, which is fast; a program inside a template of a test counts as well.
 */
function commentsOf(text) {
  const comments = [];
  let open;
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (open?.isDoc) {
      open.words += ` ${line.replace(/\*\/$/, '').replace(/^\*\s?/, '')}`;
      if (line.endsWith('*/')) open = undefined;
    } else if (line.startsWith('/**')) {
      const words = line.slice(3).replace(/\*\/$/, '').trim();
      comments.push((open = { line: index + 1, words, isDoc: true }));
      if (line.endsWith('*/')) open = undefined;
    } else if (line.startsWith('//')) {
      const words = line.slice(2);
      if (open === undefined) comments.push((open = { line: index + 1, words, isDoc: false }));
      else open.words += words;
    } else open = undefined;
  });
  return comments.map((comment) => ({ ...comment, words: comment.words.trim().replaceAll(/\s+/g, ' ') }));
}

/** The text of a file, unless it was deleted and is listed still. */
function read(file) {
  try {
    return readFileSync(`${root}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folders = process.argv.slice(2);
  const { comments, findings } = commentFindings(folders);
  const pages = pageFindings(folders);
  for (const finding of [...findings, ...pages]) console.log(finding);
  console.log(`${findings.length} of ${comments} comments, ${pages.length} lines of pages`);
}
