#!/usr/bin/env node
/**
 * Finds comments, pages and messages that do not follow the house's English (docs/maintainers/style.md):
 * `node tools/checks/voice.mjs [FOLDER…]` prints each as `file:line: what: text`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';
import { messagesOf } from './messages.mjs';

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

/** Findings in comments of sources, with the number of comments. */
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

/** Sources whose literals are messages for users. Tests, their kit and what other programs print are free. */
const SPEAKING = /^packages\/(?!testing\/)[^/]+\/[^/]+\/(?:src|templates)\/(?!.*(?:\.test\.|contract-suite))/;
/** Words of messages that have a plainer one. */
const MESSAGE_IDIOM =
  /\b(anew|at hand|mend(?:s|ed|ing)?|any more|all the same|makers of|has to be told|does not go with|which nothing)\b/i;

/** Findings in messages of sources, with the number of messages: form by their kind, and idiom in each. */
export function messageFindings(folders = []) {
  const findings = [];
  let messages = 0;
  for (const file of filesOf(folders)) {
    if (!SPEAKING.test(file) || !SOURCES.test(file)) continue;
    for (const { line, kind, words } of messagesOf(file, read(file) ?? '')) {
      messages += 1;
      const what = messageFault(kind, words);
      if (what !== undefined) findings.push(`${file}:${line}: ${what}: ${words}`);
    }
  }
  return { messages, findings };
}

/** Names with which a summary may begin, and texts of the other tool that scripts match. */
const CAPITALISED =
  /^(?:[A-Z][A-Z0-9_]+\b|GitHub|Google|Terraform|Pulumi|Node|TypeScript|Cairn)|^(?:No current stack|Target '|Resource '|You must run with |Settle is not )/;

/**
 * Names the rule that a message breaks. An inserted value is `…` in `words`. A hint is one or more sentences, a
 * summary of an error is lower case, and that of a flag or command begins with a capital; both end without a full stop.
 */
export function messageFault(kind, words) {
  const idiom = (IDIOM.exec(words) ?? MESSAGE_IDIOM.exec(words))?.[1];
  if (idiom !== undefined) return idiom;
  if (kind === 'hint') {
    if (/^[a-z]/.test(words)) return 'hint without a capital';
    if (!/[.?…]$/.test(words)) return 'hint without a full stop';
  }
  if (kind === 'error' && !CAPITALISED.test(words)) {
    if (/^[A-Z][a-z]/.test(words)) return 'error with a capital';
    if (/[^.]\.$/.test(words)) return 'error with a full stop';
  }
  if (kind === 'flag') {
    if (/^[a-z]/.test(words)) return 'summary without a capital';
    if (/\.$/.test(words)) return 'summary with a full stop';
  }
  return undefined;
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
  const said = messageFindings(folders);
  for (const finding of [...findings, ...pages, ...said.findings]) console.log(finding);
  console.log(
    `${findings.length} of ${comments} comments, ${pages.length} lines of pages, ${said.findings.length} of ${said.messages} messages`,
  );
}
