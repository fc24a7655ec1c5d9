import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { envVar } from '@cairn/workspace';
import type { Env } from '@cairn/workspace';
import { ciBuild } from './ci-build.js';
import type { CiBuild } from './ci-build.js';
import { askCommit, askDirty } from './git-answers.js';
import { readCheckout, readCommit } from './git-files.js';
import type { Checkout, CommitText } from './git-files.js';
import { hostedRepository } from './remote-address.js';

/** Facts by the keys of history entries. */
type Facts = Readonly<Record<string, string>>;

/** Origin of an operation: commit, repository and build. */
interface Origin {
  /** Facts from variables and files. */
  readonly known: OriginFacts;
  /** Resolves with facts that only git knows, found beside the operation. Call once, when the operation is over. */
  readonly asked: () => Promise<OriginFacts>;
}

/** Facts for a history entry. */
interface OriginFacts {
  readonly environment: Facts;
  /** Title of the commit. */
  readonly title?: string | undefined;
}

/** Milliseconds that the end of an operation waits for git at most. */
const PATIENCE_MS = 1_000;

/**
 * Finds the origin of an operation. Reads commit, branch and remote from git's files. Git itself runs beside the
 * operation, for changed files and for a commit that is in a pack. Nothing here fails.
 */
export function originOf(directory: string, env: Env): Origin {
  const build = ciBuild(env, readJson);
  const checkout = readCheckout(directory, env);
  if (checkout === undefined) {
    const environment = { ...describedFacts(env, build), ...buildFacts(build) };
    return { known: { environment }, asked: () => Promise.resolve({ environment: {} }) };
  }
  const { root, head } = checkout;
  const commit = checkout.commit === undefined ? undefined : readCommit(checkout.commit);
  const dirty = askDirty(root, env);
  const packed = checkout.commit === undefined ? askCommit(root, env, head) : undefined;
  const facts = { ...checkoutFacts(checkout, directory, build), ...buildFacts(build) };
  return {
    known: { environment: { ...facts, ...peopleFacts(commit) }, title: commit?.title },
    asked: async () => {
      const [isDirty, text] = await Promise.all([dirty.answer(PATIENCE_MS), packed?.answer(PATIENCE_MS)]);
      const found = text === undefined ? undefined : readCommit(text);
      const environment = {
        ...peopleFacts(found),
        ...(isDirty === undefined ? {} : { 'git.dirty': String(isDirty) }),
      };
      return { environment, title: found?.title };
    },
  };
}

function checkoutFacts(
  { root, head, branch, origin }: Checkout,
  directory: string,
  build: CiBuild | undefined,
): Facts {
  const repository = origin === undefined ? undefined : hostedRepository(origin);
  return {
    ...filled({ 'git.headName': branch ?? build?.branch }),
    'git.head': head,
    ...(repository && {
      'vcs.owner': repository.owner,
      'vcs.repo': repository.repository,
      'vcs.kind': repository.host,
    }),
    ...(origin === undefined ? {} : { 'vcs.root': insideOf(root, directory) }),
  };
}

/** Returns the path of the folder below the top one. */
function insideOf(root: string, directory: string): string {
  const inside = path.relative(realpathSync(root), realpathSync(directory));
  return inside === '' ? '.' : inside.split(path.sep).join('/');
}

function peopleFacts(commit: CommitText | undefined): Facts {
  if (commit === undefined) return {};
  const { author, committer } = commit;
  return {
    'git.author': author.name,
    'git.author.email': author.email,
    'git.committer': committer.name,
    'git.committer.email': committer.email,
  };
}

/** Returns facts from variables, which can describe the checkout outside of one. */
function describedFacts(env: Env, build: CiBuild | undefined): Facts {
  return filled({
    'vcs.owner': envVar(env, 'VCS_REPO_OWNER'),
    'vcs.repo': envVar(env, 'VCS_REPO_NAME'),
    'vcs.kind': envVar(env, 'VCS_REPO_KIND'),
    'vcs.root': envVar(env, 'VCS_REPO_ROOT'),
    'git.head': envVar(env, 'GIT_HEAD'),
    'git.headName': envVar(env, 'GIT_HEAD_NAME') || build?.branch,
    'git.author': envVar(env, 'GIT_AUTHOR'),
    'git.author.email': envVar(env, 'GIT_AUTHOR_EMAIL'),
    'git.committer': envVar(env, 'GIT_COMMITTER'),
    'git.committer.email': envVar(env, 'GIT_COMMITTER_EMAIL'),
  });
}

function buildFacts(build: CiBuild | undefined): Facts {
  return filled({
    'ci.system': build?.system,
    'ci.build.id': build?.id,
    'ci.build.number': build?.number,
    'ci.build.type': build?.type,
    'ci.build.url': build?.url,
    'ci.pr.headSHA': build?.commit,
    'ci.pr.number': build?.pullRequest,
  });
}

function filled(facts: Readonly<Record<string, string | undefined>>): Facts {
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => (fact[1] ?? '') !== ''),
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
