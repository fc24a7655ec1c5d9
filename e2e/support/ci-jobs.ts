import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { PageRun } from './page-run.js';

/** Jobs of GitHub Actions and GitLab, carried out from the files in which a project describes them. */

type Environment = Readonly<Record<string, string>>;

/** A pipeline: its system, and what its users keep in it. */
interface Pipeline {
  /** Folder of the repository in the box. */
  readonly repository: string;
  readonly branch: string;
  readonly secrets: Environment;
}

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

interface GithubJob {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly 'runs-on': string;
  readonly steps: readonly Step[];
}

interface GitlabJob {
  readonly stage: string;
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly rules?: readonly { readonly if: string; readonly when: string }[];
  readonly script: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[] };
}

/**
 * Carries out jobs. Each has a fresh checkout of the repository; only artefacts pass from one to another. An unknown
 * key of a file is an error, so that a page shows no key without an effect.
 */
export class CiJobs {
  readonly #artefacts: string;
  /** Markdown on the page of the last run of GitHub. */
  summary = '';
  readonly #run: PageRun;
  readonly #pipeline: Pipeline;

  constructor(run: PageRun, pipeline: Pipeline) {
    this.#run = run;
    this.#pipeline = pipeline;
    this.#artefacts = path.join(run.box.home, 'artefacts');
  }

  /** Carries out a job of GitHub, up to the first step that fails. Returns its log. */
  async github(name: string): Promise<string> {
    const file = this.#file<{ readonly env: Environment; readonly jobs: Record<string, GithubJob> }>(
      '.github/workflows/infrastructure.yml',
      ['name', 'on', 'permissions', 'concurrency', 'env', 'jobs'],
    );
    const job = known(file.jobs[name], ['if', 'needs', 'environment', 'runs-on', 'steps']);
    if (job.if !== undefined && job.if !== `github.ref == 'refs/heads/${this.#pipeline.branch}'`) return '';
    const checkout = this.#checkout(`github-${name}`);
    const page = path.join(this.#run.box.home, 'step-summary.md');
    const env = {
      ...Object.fromEntries(Object.entries(file.env).map(([key, value]) => [key, this.#filled(value)])),
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REF: `refs/heads/${this.#pipeline.branch}` },
      ...{ GITHUB_STEP_SUMMARY: page, GITHUB_WORKSPACE: path.join(this.#run.box.directory, checkout) },
    };
    const log = await this.#each(job.steps, async (step) => {
      const { uses, run, with: settings = {} } = known(step, ['uses', 'with', 'run']);
      if (run !== undefined) return this.#lines(checkout, run.trim().split('\n'), env);
      if (uses?.startsWith('actions/upload-artifact@') === true)
        this.#keep(checkout, [String(settings['path'])]);
      else if (uses?.startsWith('actions/download-artifact@') === true) this.#bring(checkout);
      else if (!/^actions\/(?:checkout|setup-node)@/.test(uses ?? '')) throw new Error(`no action ${uses}`);
      return { text: '', isOver: false };
    });
    if (existsSync(page)) this.summary = readFileSync(page, 'utf8');
    return shownByGithub(log);
  }

  /** Carries out a job of GitLab, up to the first line that fails. Returns its log. */
  async gitlab(name: string): Promise<string> {
    const file = this.#file<Record<string, GitlabJob> & { readonly variables: Environment }>(
      '.gitlab-ci.yml',
      [...['image', 'stages', 'variables', 'preview', 'up']],
    );
    const keys = ['stage', 'needs', 'environment', 'rules', 'script', 'artifacts'];
    const { needs = [], script, artifacts } = known(file[name], keys) as GitlabJob;
    const checkout = this.#checkout(`gitlab-${name}`);
    if (needs.length > 0) this.#bring(checkout);
    const env = { ...this.#pipeline.secrets, ...file.variables, CI: 'true', GITLAB_CI: 'true' };
    const log = await this.#each(script, (line) => this.#lines(checkout, [line], env));
    this.#keep(checkout, artifacts?.paths ?? []);
    return shownByGitlab(log);
  }

  async #each<T>(
    all: readonly T[],
    carryOut: (one: T) => Promise<{ readonly text: string; readonly isOver: boolean }>,
  ): Promise<string> {
    let log = '';
    for (const one of all) {
      const { text, isOver } = await carryOut(one);
      log += text;
      if (isOver) break;
    }
    return log;
  }

  async #lines(folder: string, lines: readonly string[], env: Environment) {
    let text = '';
    for (const line of lines) {
      const said = await this.#run.run(folder, line, env);
      text += `$ ${line}\n${said.text}${said.code === 0 ? '' : `(exit code ${said.code})\n`}`;
      if (said.code !== 0) return { text, isOver: true };
    }
    return { text, isOver: false };
  }

  #filled(value: string): string {
    return value.replace(
      /\$\{\{ secrets\.(\w+) \}\}/g,
      (_, name: string) => this.#pipeline.secrets[name] ?? '',
    );
  }

  /** Makes a fresh copy of the repository's files. */
  #checkout(name: string): string {
    const { directory } = this.#run.box;
    const target = path.join('runners', `${name}-${Date.now()}`);
    const left = /[/\\](?:node_modules|plan\.json)$/;
    cpSync(path.join(directory, this.#pipeline.repository), path.join(directory, target), {
      recursive: true,
      filter: (file) => !left.test(file),
    });
    return target;
  }

  #keep(checkout: string, files: readonly string[]): void {
    mkdirSync(this.#artefacts, { recursive: true });
    for (const file of files)
      cpSync(path.join(this.#run.box.directory, checkout, file), path.join(this.#artefacts, file));
  }

  #bring(checkout: string): void {
    cpSync(this.#artefacts, path.join(this.#run.box.directory, checkout), { recursive: true });
  }

  #file<T extends object>(name: string, keys: readonly string[]): T {
    const text = readFileSync(path.join(this.#run.box.directory, this.#pipeline.repository, name), 'utf8');
    return known(parse(text) as T, keys);
  }
}

/** A log as GitHub shows it: commands are carried out, except between `stop-commands` and its end. */
function shownByGithub(log: string): string {
  let token: string | undefined;
  return log
    .split('\n')
    .flatMap((line) => {
      if (token !== undefined && line !== `::${token}::`) return [line];
      const [, command = '', text = ''] =
        /^::(stop-commands|group|endgroup|error|warning|[\w-]{30,})\b[^:]*::(.*)$/.exec(line) ?? [];
      if (command === '') return [line];
      token = command === 'stop-commands' ? text : undefined;
      if (command === 'group') return [`▼ ${text}`];
      return command === 'error' || command === 'warning'
        ? [`${command}: ${text.replaceAll('%0A', '\n')}`]
        : [];
    })
    .join('\n');
}

/** A log as GitLab shows it: sections have a heading. */
function shownByGitlab(log: string): string {
  const mark = '\u001b[0K';
  return log
    .split('\n')
    .filter((line) => line !== mark && !line.startsWith(`${mark}section_end:`))
    .map((line) => (line.startsWith(`${mark}section_start:`) ? `▼ ${line.split(mark)[2] ?? ''}` : line))
    .join('\n');
}

function known<T extends object>(value: T | undefined, keys: readonly string[]): T {
  const others = Object.keys(value ?? { nothing: '' }).filter((key) => !keys.includes(key));
  if (value === undefined || others.length > 0) throw new Error(`not known: ${others.join(', ')}`);
  return value;
}
