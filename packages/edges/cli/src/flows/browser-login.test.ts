import type { CommandContext } from '../command-context.js';
import { tokenFromBrowser } from './browser-login.js';

interface Waiting {
  readonly token: Promise<string>;
  readonly interrupt: () => void;
  /** Address that the user is shown. */
  readonly shown: URL;
}

async function waiting(): Promise<Waiting> {
  let interrupt = (): void => undefined;
  let token: Promise<string> = Promise.resolve('');
  const shown = await new Promise<string>((resolve) => {
    const context = {
      stderr: { write: resolve },
      onInterrupt: (listener: () => void) => {
        interrupt = listener;
        return () => undefined;
      },
    };
    token = tokenFromBrowser(context as unknown as CommandContext, 'https://state.example.com/');
    token.catch(() => undefined);
  });
  return { token, interrupt, shown: new URL(/https:\S+/.exec(shown)?.[0] ?? '') };
}

test('the token comes by a request of the browser with the nonce, and by no other', async () => {
  const { token, shown } = await waiting();
  expect(shown.href).toMatch(/^https:\/\/state\.example\.com\/cli-login\?/);
  const [port, nonce] = [shown.searchParams.get('cliSessionPort'), shown.searchParams.get('cliSessionNonce')];
  const answer = async (query: string): Promise<readonly [number, string | null]> => {
    const response = await fetch(`http://127.0.0.1:${port}/?${query}`, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  expect(await answer(`accessToken=evil&nonce=${'0'.repeat(64)}`)).toEqual([400, null]);
  expect(await answer('accessToken=evil')).toEqual([400, null]);
  expect(await answer(`nonce=${nonce}`)).toEqual([400, null]);
  expect(await answer(`accessToken=good&nonce=${nonce}`)).toEqual([
    302,
    'https://state.example.com/welcome/cli',
  ]);
  expect(await token).toBe('good');
});

test('an interrupt ends the wait', async () => {
  const { token, interrupt } = await waiting();
  interrupt();
  await expect(token).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-CANCELLED' }] });
});
