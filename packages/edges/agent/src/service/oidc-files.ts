import { rm } from 'node:fs/promises';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { writeTextFile } from '@cairn/files';
import type { OidcPlan } from './oidc-settings.js';
import { RefusedByService } from './service-api.js';

/** Time after which a token that could not be got is asked for again, in milliseconds. */
const RETRY_MS = 5_000;
/** Attempts to get the first tokens of a run. */
const TRIES = 6;

/** Token with its life in seconds. */
interface IssuedToken {
  readonly token: string;
  readonly expiresIn: number;
}

/**
 * Files with OpenID Connect tokens of a run. Each token is replaced when half of its life is over, and the files are
 * removed when the run ends [AGT-16].
 */
export class OidcFiles {
  readonly #get: (audience: string | undefined) => Promise<IssuedToken>;
  readonly #log: (text: string) => void;
  readonly #files: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #hasEnded = false;

  /** `get` asks for a token. */
  constructor(get: (audience: string | undefined) => Promise<IssuedToken>, log: (text: string) => void) {
    this.#get = get;
    this.#log = log;
  }

  /** Writes the files, and keeps the tokens valid until the end. Fails with `CAIRN-AGENT-INVALID` if it gets none. */
  async begin(plan: OidcPlan): Promise<void> {
    if (plan.tokens.length === 0) return;
    for (const { file, text } of plan.files) await this.#write(file, text);
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#refreshAfter(plan, (await this.#refresh(plan)) / 2);
      } catch (thrown) {
        if (!(thrown instanceof RefusedByService) && tries < TRIES && !this.#hasEnded) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          continue;
        }
        const summary = `cannot get an OpenID Connect token for the run: ${messageOf(thrown)}`;
        throw cairnError('CAIRN-AGENT-INVALID', summary, {}, thrown);
      }
    }
  }

  /** Removes the files. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#refreshing;
    for (const file of this.#files) await rm(file, { force: true });
  }

  #refreshAfter(plan: OidcPlan, ms: number): void {
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => {
      this.#refreshing = this.#refresh(plan).then(
        (life) => this.#refreshAfter(plan, life / 2),
        (thrown: unknown) => {
          this.#log(`cannot replace the OpenID Connect token of the run: ${messageOf(thrown)}`);
          this.#refreshAfter(plan, RETRY_MS);
        },
      );
    }, ms);
  }

  /** Returns the shortest life of the new tokens, in milliseconds. */
  async #refresh({ tokens }: OidcPlan): Promise<number> {
    let life = Infinity;
    for (const { file, audience } of tokens) {
      const { token, expiresIn } = await this.#get(audience);
      life = Math.min(life, expiresIn * 1000);
      await this.#write(file, token);
    }
    return life;
  }

  async #write(file: string, text: string): Promise<void> {
    if (!this.#files.includes(file)) this.#files.push(file);
    await writeTextFile(file, text, { mode: 0o600, directoryMode: 0o700 });
  }
}
